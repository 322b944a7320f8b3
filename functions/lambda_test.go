package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/gateway/lambdatest"
)

// mostInstances is the largest number of processes per function. Calls beyond it
// wait; Lambda would start more or throttle.
const mostInstances = 4

// lambda runs the functions as Lambda does: each instance behind a Runtime API, one
// invocation at a time, more instances when calls overlap.
type lambda struct {
	t       *testing.T
	bin     string
	env     func(function string) []string
	stdout  *syncBuffer
	mu      sync.Mutex
	started map[string]int
	idle    map[string]chan *lambdatest.Instance
}

func newLambda(t *testing.T, bin string, env func(function string) []string) *lambda {
	return &lambda{t: t, bin: bin, env: env, stdout: newSyncBuffer(),
		started: map[string]int{}, idle: map[string]chan *lambdatest.Instance{}}
}

// invoke sends event to an instance of function. The error is what the function or
// its runtime reported instead of an answer.
func (l *lambda) invoke(function string, event any) (json.RawMessage, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	i, idle := l.instance(function)
	if i == nil {
		return nil, fmt.Errorf("%s does not start", function)
	}
	response, err := i.Invoke(payload)
	if err != nil { // Lambda, too, replaces an instance that failed
		i.Stop()
		i = l.start(function)
	}
	idle <- i
	return response, err
}

func (l *lambda) instance(function string) (*lambdatest.Instance, chan *lambdatest.Instance) {
	l.mu.Lock()
	if l.idle[function] == nil {
		l.idle[function] = make(chan *lambdatest.Instance, mostInstances)
	}
	idle := l.idle[function]
	select {
	case i := <-idle:
		l.mu.Unlock()
		return i, idle
	default:
	}
	if l.started[function] == mostInstances {
		l.mu.Unlock()
		return <-idle, idle
	}
	l.started[function]++
	l.mu.Unlock()
	return l.start(function), idle
}

func (l *lambda) start(function string) *lambdatest.Instance {
	i, err := lambdatest.Start(filepath.Join(l.bin, function), l.env(function), l.stdout)
	if err != nil {
		l.t.Error(err)
		return nil
	}
	l.t.Cleanup(i.Stop)
	return i
}

// build compiles the functions for this machine, as template.yaml's makefile
// builds them for Lambda; with the race detector where this test has it.
func build(t *testing.T) (folder string) {
	t.Helper()
	touchSources(t)
	folder = t.TempDir()
	arguments := []string{"build", "-tags", "lambda.norpc", "-trimpath", "-o", folder + string(os.PathSeparator)}
	if racing() {
		arguments = append(arguments, "-race")
	}
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

func racing() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
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
