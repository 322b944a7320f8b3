package httpapi

import (
	"strings"
	"testing"
)

// TestNamesFit: CloudFormation names a function for the stack, the endpoint and the word Function, with a suffix of 12
// characters. If a name has more than 64 characters, CloudFormation shortens it. The permissions in infra/deployer.yaml
// do not cover a shortened name.
func TestNamesFit(t *testing.T) {
	longest := 64 - len("turnout-") - 12 - len("-") - len("Function-") - 12
	for _, e := range Endpoints() {
		if got := len(strings.ReplaceAll(e.Name, "-", "")); got > longest {
			t.Errorf("the endpoint %s has %d letters, want at most %d: choose a shorter name", e.Name, got, longest)
		}
	}
}
