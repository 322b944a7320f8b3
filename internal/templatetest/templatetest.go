// Package templatetest reads template.yaml for the tests that compare it with the code.
package templatetest

import (
	"encoding/json"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Read decodes the template at that path into a struct. A function such as !Sub
// becomes its argument: !Ref X is X. Conditions are true: !If [C, a, b] is a.
func Read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		t.Fatal(err)
	}
	takeFirst(&document)
	var tree any
	if err := document.Decode(&tree); err != nil {
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

// takeFirst replaces each !If by its value for a true condition.
func takeFirst(node *yaml.Node) {
	if node.Tag == "!If" {
		*node = *node.Content[1]
	}
	for _, part := range node.Content {
		takeFirst(part)
	}
}
