package validate

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
)

type permissions = map[string]string

// A job is what decides when it runs, and what it may do.
type job struct {
	If, Needs, Uses, Environment string
	With                         map[string]string
	Permissions                  permissions
}

type step struct {
	Uses, Run string
	With, Env map[string]any
}

type workflow struct {
	On          map[string]any
	Permissions permissions
	Jobs        map[string]struct {
		job
		RunsOn      string `json:"runs-on"`
		Timeout     int    `json:"timeout-minutes"`
		Container   struct{ Image string }
		Concurrency map[string]any
		Steps       []step
	}
	Concurrency map[string]any
}

const (
	fromMain = "github.ref == 'refs/heads/main'"
	commit   = "${{ inputs.commit || github.sha }}"
	toStage  = "./.github/workflows/deploy-stage.yml"
)

var (
	reads = permissions{"contents": "read"}
	token = permissions{"contents": "read", "id-token": "write"}
)

// TestWorkflowJobs: a token for AWS is for jobs of a stage's environment, which start from main: after CI and staging,
// or as a rollback after its check alone. A release has none, and one job of it may publish. No deployment waits for the vulnerability database.
func TestWorkflowJobs(t *testing.T) {
	triggers := map[string]string{"ci": "pull_request workflow_call", "deploy": "push workflow_dispatch", "deploy-stage": "workflow_call",
		"release": "push", "rehearse": "schedule workflow_dispatch", "rollback": "workflow_dispatch", "smoke": "schedule workflow_dispatch", "vulnerabilities": "pull_request schedule workflow_dispatch"}
	jobs := map[string]job{
		"ci ci":               {Permissions: reads},
		"deploy ci":           {Uses: "./.github/workflows/ci.yml", Permissions: reads},
		"deploy staging":      {If: "vars.DEPLOY == 'true' && " + fromMain, Needs: "ci", Uses: toStage, With: map[string]string{"stage": "staging"}, Permissions: token},
		"deploy production":   {Needs: "staging", Uses: toStage, With: map[string]string{"stage": "production"}, Permissions: token},
		"deploy-stage tools":  {Permissions: reads},
		"deploy-stage deploy": {Needs: "tools", Environment: "${{ inputs.stage }}", Permissions: token},
		"release programs":    {Permissions: reads},
		"release ci":          {Needs: "programs", Uses: "./.github/workflows/ci.yml", Permissions: reads},
		"release publish": {Needs: "ci",
			Permissions: permissions{"contents": "write", "packages": "write", "id-token": "write", "attestations": "write"}},
		"rollback check": {If: fromMain, Permissions: permissions{"contents": "read", "actions": "read"}},
		"rollback deploy": {Needs: "check", Uses: toStage, Permissions: token,
			With: map[string]string{"stage": "${{ inputs.stage }}", "commit": "${{ inputs.commit }}"}},
		"rehearse rehearse":           {Permissions: reads},
		"smoke smoke":                 {If: "vars.SMOKE_URL != ''", Permissions: reads},
		"vulnerabilities govulncheck": {Permissions: reads},
	}
	version := regexp.MustCompile(`^(golang:\d+\.\d+\.\d+-\w+(@sha256:[0-9a-f]{64})?)?$`)
	for name, w := range workflows(t) {
		for trigger := range strings.FieldsSeq(triggers[name]) {
			if _, listed := w.On[trigger]; !listed {
				t.Errorf("%s.yml does not run on %s", name, trigger)
			}
		}
		if len(w.On) != len(strings.Fields(triggers[name])) {
			t.Errorf("%s.yml runs on %v", name, w.On)
		}
		for id, j := range w.Jobs {
			if j.Permissions == nil {
				j.Permissions = w.Permissions
			}
			if !reflect.DeepEqual(j.job, jobs[name+" "+id]) {
				t.Errorf("%s.yml, %s:\n%+v\nwant\n%+v", name, id, j.job, jobs[name+" "+id])
			}
			delete(jobs, name+" "+id)
			if j.Uses == "" && (j.RunsOn != "ubuntu-24.04" || j.Timeout == 0 || !version.MatchString(j.Container.Image)) {
				t.Errorf("%s.yml, %s: its runner %q, its image %q and its time limit %d need to be exact", name, id, j.RunsOn, j.Container.Image, j.Timeout)
			}
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "govulncheck") != (name == "vulnerabilities") && s.Run != "" {
					t.Errorf("%s.yml, %s: %s", name, id, s.Run)
				}
			}
		}
	}
	for missing := range jobs {
		t.Errorf("there is no job %s", missing)
	}
	dockerfile, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if image := regexp.MustCompile(`(?m)^FROM --platform=\S+ (\S+) AS build$`).FindSubmatch(dockerfile); image == nil || !version.Match(image[1]) {
		t.Errorf("Dockerfile: the image %q needs to be exact", image)
	}
}

// TestWorkflowDeploysTheCommit: jobs install, check and deploy the commit of the rollback or of the run. Only the run's
// is refused if it comes late.
func TestWorkflowDeploysTheCommit(t *testing.T) {
	all := workflows(t)
	deploy := all["deploy-stage"].Jobs["deploy"]
	for _, steps := range [][]step{all["deploy-stage"].Jobs["tools"].Steps, deploy.Steps} {
		if steps[0].With["ref"] != commit {
			t.Errorf("a job of deploy-stage.yml checks out %v, not %s", steps[0].With["ref"], commit)
		}
		for _, s := range steps { // a run has the artifacts of both stages
			if name := s.With["name"]; strings.Contains(s.Uses, "-artifact@") && name != "tools-${{ inputs.stage }}" {
				t.Errorf("%s has the name %v", s.Uses, name)
			}
		}
	}
	want := map[string]any{"STAGE": "${{ inputs.stage }}", "STACK": "${{ vars.STACK || format('turnout-{0}', inputs.stage) }}", "COMMIT": commit, "PROGRAMS": "${{ vars.PROGRAMS }}", "PARAMETERS": "${{ vars.PARAMETERS }}",
		"ONLY_NEWER": "${{ !inputs.commit && 'true' || '' }}", "ROLLBACK": "${{ inputs.commit && 'true' || '' }}"}
	if last := deploy.Steps[len(deploy.Steps)-1]; !reflect.DeepEqual(last.Env, want) || !strings.Contains(last.Run, `STACK="$STACK" COMMIT="$COMMIT"`) {
		t.Errorf("%s has %v, want %v", last.Run, last.Env, want)
	}
	check := all["rollback"].Jobs["check"].Steps
	want = map[string]any{"STAGE": "${{ inputs.stage }}", "COMMIT": "${{ inputs.commit }}", "GH_TOKEN": "${{ github.token }}"}
	if !reflect.DeepEqual(check[1].Env, want) {
		t.Errorf("%s has %v, want %v", check[1].Run, check[1].Env, want)
	}
	if deploy.Steps[0].With["fetch-depth"] != 0.0 || check[0].With["fetch-depth"] != 0.0 {
		t.Error("without the history, no commit follows on another")
	}
	// The stages do not wait for each other, no deployment is cut off, and none of main's CI.
	if want := map[string]any{"group": "deploy-${{ inputs.stage }}", "cancel-in-progress": false}; !reflect.DeepEqual(deploy.Concurrency, want) {
		t.Errorf("%v, want %v", deploy.Concurrency, want)
	}
	if group := all["ci"].Concurrency["group"]; group != "ci-${{ github.event_name == 'pull_request' && github.ref || github.run_id }}" {
		t.Errorf("the runs of main may share the group %v", group)
	}
	for _, s := range slices.Concat(deploy.Steps, all["deploy-stage"].Jobs["tools"].Steps, check) {
		if strings.Contains(s.Run, "||") {
			t.Errorf("a failure is ignored: %s", s.Run)
		}
	}
	for _, s := range deploy.Steps {
		if regexp.MustCompile(`tools/install|apt-get|pip|npm`).MatchString(s.Run) {
			t.Errorf("a job with a token for AWS installs packages of third parties: %s", s.Run)
		}
		if strings.HasPrefix(s.Uses, "aws-actions/") && (s.With["mask-aws-account-id"] != true || s.With["aws-region"] != "${{ vars.AWS_REGION }}" || s.With["role-duration-seconds"] != 7200.0 || deploy.Timeout > 120) {
			t.Errorf("credentials: %v for a job of %d minutes", s.With, deploy.Timeout)
		}
	}
}

func TestWorkflowOfSmokeIsHourly(t *testing.T) {
	w := workflows(t)["smoke"]
	schedule, _ := w.On["schedule"].([]any)
	if cron, _ := schedule[0].(map[string]any)["cron"].(string); !regexp.MustCompile(`^([1-9]|[1-5][0-9]) \* \* \* \*$`).MatchString(cron) {
		t.Errorf("%q is not hourly, or on the hour, when runs come late", cron)
	}
	steps := w.Jobs["smoke"].Steps
	if last := steps[len(steps)-1]; last.Run != `make smoke URL="$SMOKE_URL"` || !reflect.DeepEqual(last.Env, map[string]any{"SMOKE_URL": "${{ vars.SMOKE_URL }}"}) {
		t.Errorf("%+v", last)
	}
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	paths, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]workflow{}
	for _, path := range paths {
		var w workflow
		templatetest.Read(t, path, &w)
		all[strings.TrimSuffix(filepath.Base(path), ".yml")] = w
	}
	return all
}

// TestMayRollBack: to a commit of main that knows RestoredTable, and that GitHub has deployed to the stage with success.
func TestMayRollBack(t *testing.T) {
	work, bin := t.TempDir(), t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, arguments...)...)
		cmd.Dir = work
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(path, content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	commits := func(template string) string {
		write(filepath.Join(work, "template.yaml"), template)
		git("add", ".")
		git("commit", "-qm", "x")
		return git("rev-parse", "HEAD")
	}
	// GitHub has one run for the commit that the request names.
	write(filepath.Join(bin, "gh"), `#!/bin/sh
case "$*" in
*/workflows/deploy.yml/runs?head_sha=*) echo 7 ;;
*/runs/7/jobs?filter=all*) echo "$JOBS" ;;
*) exit 1 ;;
esac
`)
	git("init", "-q")
	without := commits("Parameters:\n")
	known := commits("Parameters:\n  RestoredTable:\n")
	aside := git("commit-tree", "-m", "x", "HEAD^{tree}")
	script, err := filepath.Abs("../deploy/may-roll-back")
	if err != nil {
		t.Fatal(err)
	}
	deployed := "staging / deploy: failure\nstaging / deploy: success\nproduction / deploy: failure"
	for _, test := range []struct{ stage, commit, jobs, want string }{
		{"staging", known, deployed, ""},
		{"production", known, deployed, "no run of deploy.yml has deployed"},
		{"staging", known, "", "no run of deploy.yml has deployed"},
		{"staging", without, deployed, "does not know RestoredTable"},
		{"staging", aside, deployed, "is not in main"},
		{"staging", known[:12], deployed, "takes the 40 digits"},
		{"staging", "main", deployed, "takes the 40 digits"},
	} {
		cmd := exec.Command(script, test.stage, test.commit)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GITHUB_REPOSITORY=someone/turnout", "JOBS="+test.jobs)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (test.want == "") || !strings.Contains(string(out), test.want) {
			t.Errorf("%s %s: %v %s, want %q", test.stage, test.commit, err, out, test.want)
		}
	}
}
