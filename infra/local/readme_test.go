package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs the commands of the README's section about the life of an event, and
// compares their output with that in the README.
func TestReadme(t *testing.T) {
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("CI") == "true" {
			t.Fatal(err)
		} else if err != nil {
			t.Skipf("%s is missing: install it from your system's packages", tool)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	must(t, err)
	_, section, _ := strings.Cut(string(readme), "## The life of an event")
	_, section, _ = strings.Cut(section, "```sh\napi=http://127.0.0.1:3000/api\n")
	walk, _, found := strings.Cut(section, "```")
	if !found {
		t.Fatal("the README has no such section")
	}
	var commands, want strings.Builder
	for line := range strings.Lines(walk) {
		if answer, ok := strings.CutPrefix(line, "#> "); ok {
			want.WriteString(answer)
		} else {
			commands.WriteString(line)
		}
	}
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	got, err := exec.Command("sh", "-euc", "api="+s.url+"/api\n"+commands.String()).Output()
	must(t, err)
	token := regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	anyToken := func(s string) string { return token.ReplaceAllLiteralString(s, "<token>") }
	if anyToken(string(got)) != anyToken(want.String()) || want.Len() == 0 {
		t.Errorf("it prints\n%s\nbut says\n%s", got, want.String())
	}
}

// TestCaddyfile: the container of compose.yaml has the README's settings of Caddy.
func TestCaddyfile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	compose, err := os.ReadFile("compose.yaml")
	must(t, err)
	_, block, _ := strings.Cut(string(readme), "```\n{\n")
	block, _, _ = strings.Cut(block, "```")
	_, config, _ := strings.Cut(string(compose), "      {\n")
	config, _, _ = strings.Cut(config, "\nvolumes:")
	config = strings.NewReplacer("\n      ", "\n", "${DOMAIN}", "turnout.example.org", "turnout:3000", "127.0.0.1:3000").Replace("\n" + config)
	if block == "" || strings.TrimSpace(config) != strings.TrimSpace(block) {
		t.Errorf("compose.yaml has\n%s\nREADME.md\n%s", config, block)
	}
}
