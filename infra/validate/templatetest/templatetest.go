// Package templatetest reads template.yaml for the tests that compare it with the code.
package templatetest

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"go.yaml.in/yaml/v4"
)

// Read decodes the template at a path into a struct, without resolving anything: a function such as !Sub becomes its
// argument, so !Ref X is X, and !If is a list. The tests in Python resolve templates (templates.py).
func Read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	var tree any
	err = errors.Join(err, yaml.Unmarshal(content, &tree))
	asJSON, unfit := json.Marshal(tree) // with JSON, the fields of into need no tags
	if err := errors.Join(err, unfit, json.Unmarshal(asJSON, into)); err != nil {
		t.Fatal(err)
	}
}
