package functions_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	_ "turnout/internal/boot" // this import lets go test see changes of a package that only the functions import
	"turnout/internal/gateway/lambdatest"
)

// lambda runs the functions as Lambda does, behind a Runtime API, with one invocation at a time. Each function has one
// instance.
type lambda struct {
	t         *testing.T
	bin       string
	env       func(function string) []string
	printed   *os.File
	mu        sync.Mutex
	instances map[string]*lambdatest.Instance
}

func newLambda(t *testing.T, bin string, env func(function string) []string) *lambda {
	t.Helper()
	printed, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	return &lambda{t: t, bin: bin, env: env, printed: printed, instances: map[string]*lambdatest.Instance{}}
}

// invoke sends event to the function's instance. The error is the report of the function or of its runtime in place of
// a response.
func (l *lambda) invoke(function string, event any) (json.RawMessage, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.instances[function] == nil {
		i, err := lambdatest.Start(filepath.Join(l.bin, function), l.env(function), l.printed)
		if err != nil {
			return nil, err
		}
		l.t.Cleanup(i.Stop)
		l.instances[function] = i
	}
	return l.instances[function].Invoke(payload)
}

// build compiles the functions for this machine. All other options are as in the Makefile.
func build(t *testing.T) (folder string) {
	t.Helper()
	// Read the sources here: go test reuses a cached result unless an imported package, or a file that the test reads,
	// has changed.
	if mains, err := filepath.Glob("*/main.go"); err != nil || len(mains) == 0 {
		t.Fatal(mains, err)
	}
	folder = t.TempDir()
	arguments := []string{"build", "-tags", "lambda.norpc", "-trimpath", "-o", folder + string(os.PathSeparator)}
	if out, err := exec.Command("go", append(arguments, "./...")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return folder
}

// stop ends all instances, and returns their output.
func (l *lambda) stop() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range l.instances {
		i.Stop()
	}
	printed, err := os.ReadFile(l.printed.Name())
	if err != nil {
		l.t.Error(err)
	}
	return string(printed)
}
