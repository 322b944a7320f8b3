// Package testtools skips tests whose programs are not installed.
package testtools

import (
	"os"
	"os/exec"
	"testing"
)

// Need skips the test if one of the programs is missing. With CI=true the test fails instead.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing", program)
		}
		t.Skipf("%s is missing: install it from your system's packages", program)
	}
}
