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

// TestTargetsSayWhatIsMissing: if a tool of a target is missing, make first says so, and how to get the tool.
func TestTargetsSayWhatIsMissing(t *testing.T) {
	needs := map[string]string{}
	for tools, targets := range map[string]string{
		"":                  "help types clean",
		"go":                "run test bench explore build dist third-party lint smoke",
		"go chromium npm":   "test-browser screenshots picture",
		"go java mvn":       "run-dynamodb mutate",
		"go python3":        "validate rehearse deploy",
		"go python3 docker": "run-sam",
		"java mvn":          "dynamodb-local",
		"npm":               "node-tools old-chromium",
	} {
		for target := range strings.FieldsSeq(targets) {
			needs[target] = tools
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllSubmatch(makefile, -1) {
		if _, known := needs[string(target[1])]; !known {
			t.Errorf("this test does not know what make %s needs", target[1])
		}
	}
	for target, tools := range needs {
		for missing := range strings.FieldsSeq(tools) {
			out, err := makeWithout(t, missing, tools, target, "URL=http://127.0.0.1:1")
			if err == nil || !strings.HasPrefix(out, missing+" is missing: install ") {
				t.Errorf("make %s without %s: %v\n%s", target, missing, err, out)
			}
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
		out, err := makeWithout(t, "", "go="+path, "smoke", "URL=http://127.0.0.1:1")
		says := strings.HasPrefix(out, installed+" is too old: install Go 1.26")
		if says != old || (err != nil) != old {
			t.Errorf("%s: %v\n%s", version, err, out)
		}
	}
}

// makeWithout runs make in a tree without fetched tools. Every tool except the missing tool is a stand-in, which does
// nothing or runs another program: TOOL=PROGRAM.
func makeWithout(t *testing.T, missing, tools string, arguments ...string) (string, error) {
	t.Helper()
	work, path := t.TempDir(), t.TempDir()
	for _, name := range []string{"Makefile", "infra", "internal"} {
		link(t, filepath.Join("../..", name), filepath.Join(work, name))
	}
	programs := map[string]string{"sh": "sh", "make": "make", "uname": "uname"} // names of the programs, by tool
	for tool := range strings.FieldsSeq(tools) {
		name, standIn, _ := strings.Cut(tool, "=")
		programs[name] = cmp.Or(standIn, "true")
	}
	delete(programs, missing)
	for tool, program := range programs {
		found, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		link(t, found, filepath.Join(path, tool))
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
