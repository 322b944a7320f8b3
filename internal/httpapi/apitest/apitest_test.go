package apitest

import (
	"os"
	"regexp"
	"testing"

	"github.com/dop251/goja"
	"go.yaml.in/yaml/v3"
)

func TestDescriptionVersion(t *testing.T) {
	d, err := loadDescription()
	if err != nil {
		t.Fatal(err)
	}
	if d.Info.Version != "0.1.0" { // promise P33
		t.Errorf("the description has version %s", d.Info.Version)
	}
}

// TestPatternsAreThoseOfJavaScript, with the flag u and without it: tools use either.
func TestPatternsAreThoseOfJavaScript(t *testing.T) {
	content, err := os.ReadFile("../../../infra/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	patterns := regexp.MustCompile(`(?m)^ *pattern: (.+)$`).FindAllSubmatch(content, -1)
	if len(patterns) == 0 {
		t.Error("no patterns found")
	}
	for _, match := range patterns {
		var pattern string
		if err := yaml.Unmarshal(match[1], &pattern); err != nil {
			t.Fatal(err)
		}
		for _, flags := range []string{"", "u"} {
			vm := goja.New()
			if _, err := vm.New(vm.Get("RegExp"), vm.ToValue(pattern), vm.ToValue(flags)); err != nil {
				t.Errorf("%.60q, flags %q: %v", pattern, flags, err)
			}
		}
	}
}
