package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/gateway/lambdatest"
)

// lambda runs the functions as Lambda does: behind a Runtime API, one invocation at a
// time. Each has one instance.
type lambda struct {
	t         *testing.T
	bin       string
	env       func(function string) []string
	stdout    *syncBuffer
	mu        sync.Mutex
	instances map[string]*lambdatest.Instance
}

func newLambda(t *testing.T, bin string, env func(function string) []string) *lambda {
	return &lambda{t: t, bin: bin, env: env, stdout: newSyncBuffer(), instances: map[string]*lambdatest.Instance{}}
}

// invoke sends event to the instance of function. The error is what the function or
// its runtime reported instead of an answer.
func (l *lambda) invoke(function string, event any) (json.RawMessage, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.instances[function] == nil {
		i, err := lambdatest.Start(filepath.Join(l.bin, function), l.env(function), l.stdout)
		if err != nil {
			return nil, err
		}
		l.t.Cleanup(i.Stop)
		l.instances[function] = i
	}
	return l.instances[function].Invoke(payload)
}

// build compiles the functions for this machine, otherwise as the Makefile does for
// Lambda.
func build(t *testing.T) (folder string) {
	t.Helper()
	touchSources(t)
	folder = t.TempDir()
	arguments := []string{"build", "-tags", "lambda.norpc", "-trimpath", "-o", folder + string(os.PathSeparator)}
	if out, err := exec.Command("go", append(arguments, "./...")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return folder
}

// touchSources opens the sources of the functions: go test reuses a cached result
// unless a file that the test has opened has changed.
func touchSources(t *testing.T) {
	t.Helper()
	for _, folder := range []string{".", "../internal", "../infra"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// logged reports whether a function prints text. Its output may arrive after its
// answer, so logged waits for it.
func (l *lambda) logged(text string) bool {
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	return l.stdout.await(ctx, text)
}

// syncBuffer collects the output of several processes.
type syncBuffer struct {
	mu      sync.Mutex
	buffer  bytes.Buffer
	printed chan struct{} // closed at the next write
}

func newSyncBuffer() *syncBuffer { return &syncBuffer{printed: make(chan struct{})} }

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.printed)
	b.printed = make(chan struct{})
	return b.buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// await reports whether the output contains text before the context ends.
func (b *syncBuffer) await(ctx context.Context, text string) bool {
	for {
		b.mu.Lock()
		found, printed := strings.Contains(b.buffer.String(), text), b.printed
		b.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-printed:
		case <-ctx.Done():
			return false
		}
	}
}
