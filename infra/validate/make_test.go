package validate

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTargetsSayWhatIsMissing: on a machine without tools, each target of the list first says what is missing, and how
// to get it. So do the checks for tools that no target checks first.
func TestTargetsSayWhatIsMissing(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{} // the tool that a target must name, or "" for any
	for _, target := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllSubmatch(makefile, -1) {
		wanted[string(target[1])] = ""
	}
	delete(wanted, "help")
	delete(wanted, "clean")
	for _, tool := range regexp.MustCompile(`\bneed-([a-z0-9]+)`).FindAllSubmatch(makefile, -1) {
		wanted["need-"+string(tool[1])] = string(tool[1])
	}
	if len(wanted) < 20 {
		t.Errorf("found only the targets %v", wanted)
	}
	for target, tool := range wanted {
		out, err := makeWith(t, "", target)
		says := regexp.MustCompile("^" + cmp.Or(tool, `\w+`) + " is missing: install \\w")
		if err == nil || !says.MatchString(out) {
			t.Errorf("make %s without tools: %v\n%s", target, err, out)
		}
	}
}

func TestTargetsSayThatGoIsTooOld(t *testing.T) {
	for version, old := range map[string]bool{
		"go1.9.7": true, "go1.19.8": true, "go1.20": true, "go1.21.0": false, "go1.26.8": false, "go1.100": false,
	} {
		path := filepath.Join(t.TempDir(), "go")
		installed := "go version " + version + " linux/amd64"
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+installed+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		out, err := makeWith(t, path, "smoke", "URL=http://127.0.0.1:1")
		says := strings.HasPrefix(out, installed+" is too old: install Go 1.26")
		if says != old || (err != nil) != old {
			t.Errorf("%s: %v\n%s", version, err, out)
		}
	}
}

// makeWith runs make in a tree without fetched tools, on a machine whose only tool is a program as go, if it is given.
func makeWith(t *testing.T, goTool string, arguments ...string) (string, error) {
	t.Helper()
	work, path := t.TempDir(), t.TempDir()
	for _, name := range []string{"Makefile", "infra", "internal"} {
		link(t, filepath.Join("../..", name), filepath.Join(work, name))
	}
	for _, tool := range []string{"sh", "make", "uname"} {
		found, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		link(t, found, filepath.Join(path, tool))
	}
	if goTool != "" {
		link(t, goTool, filepath.Join(path, "go"))
	}
	cmd := exec.Command("make", append([]string{"-s"}, arguments...)...)
	cmd.Dir, cmd.Env = work, []string{"PATH=" + path}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func link(t *testing.T, from, to string) {
	t.Helper()
	from, err := filepath.Abs(from)
	if err == nil {
		err = os.Symlink(from, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
