package validate

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
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

const (
	fromMain = "github.ref == 'refs/heads/main'"
	toStage  = "./.github/workflows/deploy-stage.yml"
)

var (
	reads = permissions{"contents": "read"}
	token = permissions{"contents": "read", "id-token": "write"}
)

// TestWorkflowJobs: a token for AWS is for jobs of a stage's environment, which start from main: after CI and staging,
// or as a rollback after its check alone. A release has none, and one job of it may publish. names.txt has the rest of
// the workflows.
func TestWorkflowJobs(t *testing.T) {
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
	paths, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]job{}
	for _, path := range paths {
		var w struct {
			Permissions permissions
			Jobs        map[string]job
		}
		templatetest.Read(t, path, &w)
		for id, j := range w.Jobs {
			if j.Permissions == nil {
				j.Permissions = w.Permissions
			}
			got[strings.TrimSuffix(filepath.Base(path), ".yml")+" "+id] = j
		}
	}
	if !reflect.DeepEqual(got, jobs) {
		t.Errorf("the jobs are\n%+v\nwant\n%+v", got, jobs)
	}
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
