package apitest

import (
	"os"
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
	var description yaml.Node
	if err := yaml.Unmarshal(content, &description); err != nil {
		t.Fatal(err)
	}
	found := 0
	var check func(node *yaml.Node)
	check = func(node *yaml.Node) {
		for i, child := range node.Content {
			if node.Kind == yaml.MappingNode && i%2 == 1 && node.Content[i-1].Value == "pattern" {
				found++
				for _, flags := range []string{"", "u"} {
					vm := goja.New()
					if _, err := vm.New(vm.Get("RegExp"), vm.ToValue(child.Value), vm.ToValue(flags)); err != nil {
						t.Errorf("line %d, flags %q: %v", child.Line, flags, err)
					}
				}
			}
			check(child)
		}
	}
	check(&description)
	if found == 0 {
		t.Error("no patterns found")
	}
}
