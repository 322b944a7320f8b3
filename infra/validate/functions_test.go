// Package validate tests that template.yaml fits the code. Its tests in Python check that the template can be deployed.
package validate

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/environment"
)

// TestStackTakesTheLinksOfEventPage: with another value than environment.Link takes, event-page would not start.
func TestStackTakesTheLinksOfEventPage(t *testing.T) {
	var template struct {
		Parameters map[string]struct{ AllowedPattern string }
	}
	templatetest.Read(t, templateFile, &template)
	if form := template.Parameters["AboutUrl"].AllowedPattern; form != environment.LinkForm+"|" {
		t.Errorf("AboutUrl may be %q, want %q", form, environment.LinkForm+"|")
	}
}

// TestSiteHasOneConfiguration: each program that makes pages reads the same settings of the site as the server, so that
// no page lacks a setting. Only the server reads the origin: on AWS, pages have the origin that the visitor uses.
func TestSiteHasOneConfiguration(t *testing.T) {
	texts := map[string]string{}
	for _, name := range []string{
		"infra/turnout/config.go", "infra/turnout/compose.yaml", "infra/deploy/main.go", "infra/deploy/upload.py",
		"functions/event-page/main.go",
	} {
		content, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(content)
	}
	server := regexp.MustCompile(`site\.Config\{.*`).FindString(texts["infra/turnout/config.go"])
	settings := regexp.MustCompile(`(\w+): +env\.\w+\("(\w+)"\)`).FindAllStringSubmatch(server, -1)
	if len(settings) == 0 {
		t.Fatal("infra/turnout/config.go reads no settings of the site")
	}
	for _, setting := range settings {
		for name, text := range texts {
			isOfServer := strings.HasPrefix(name, "infra/turnout/")
			if (isOfServer || setting[1] != "Origin") && !regexp.MustCompile(`\b`+setting[2]+`\b`).MatchString(text) {
				t.Errorf("%s does not pass on %s", name, setting[2])
			}
		}
	}
}
