// Package templatetest reads template.yaml for the tests that compare it with the code.
package templatetest

import (
	"encoding/json"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Read fills a struct with what it names of the template at that path. Functions
// such as !Sub are what they are applied to: !Ref X is X.
func Read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := yaml.Unmarshal(content, &tree); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(tree) // whose names need no tags
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(asJSON, into); err != nil {
		t.Fatal(err)
	}
}
