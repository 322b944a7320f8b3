package validate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"turnout/internal/testtools"
)

// TestMayRollBack: a stage is rolled back only to a commit of main that GitHub has deployed to it with success.
func TestMayRollBack(t *testing.T) {
	testtools.Need(t, "git")
	work, bin := t.TempDir(), t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		author := []string{"-c", "user.name=x", "-c", "user.email=x@example.org"}
		cmd := exec.Command("git", append(author, arguments...)...)
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
	// GitHub has one run for the commit that the request names.
	write(filepath.Join(bin, "gh"), `#!/bin/sh
case "$*" in
*/workflows/deploy.yml/runs?head_sha=*) echo 7 ;;
*/runs/7/jobs?filter=all*) echo "$JOBS" ;;
*) exit 1 ;;
esac
`)
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "x")
	known, aside := git("rev-parse", "HEAD"), git("commit-tree", "-m", "aside", "HEAD^{tree}")
	script, err := filepath.Abs("../deploy/may-roll-back")
	if err != nil {
		t.Fatal(err)
	}
	deployed := "staging / deploy: failure\nstaging / deploy: success\nproduction / deploy: failure"
	for _, test := range []struct{ stage, commit, jobs, want string }{
		{"staging", known, deployed, ""},
		{"production", known, deployed, "no run of deploy.yml has deployed"},
		{"staging", known, "", "no run of deploy.yml has deployed"},
		{"staging", aside, deployed, "is not in main"},
		{"staging", known[:12], deployed, "takes the 40 digits"},
		{"staging", "main", deployed, "takes the 40 digits"},
	} {
		cmd := exec.Command(script, test.stage, test.commit)
		cmd.Dir = work
		path := "PATH=" + bin + ":" + os.Getenv("PATH")
		cmd.Env = append(os.Environ(), path, "GITHUB_REPOSITORY=someone/turnout", "JOBS="+test.jobs)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (test.want == "") || !strings.Contains(string(out), test.want) {
			t.Errorf("%s %s: %v %s, want %q", test.stage, test.commit, err, out, test.want)
		}
	}
}
