package functions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// timeout is the functions' own in template.yaml.
const timeout = 10 * time.Second

// mostInstances bounds how many processes one function gets. Calls beyond wait,
// where Lambda would start more or throttle.
const mostInstances = 4

// lambda runs the programs of the functions as Lambda does: each behind a
// Runtime API, one invocation at a time, more instances as calls overlap.
type lambda struct {
	t       *testing.T
	bin     string
	env     func(function string) []string
	stdout  *syncBuffer
	mu      sync.Mutex
	started map[string]int
	idle    map[string]chan *instance
}

func newLambda(t *testing.T, bin string, env func(function string) []string) *lambda {
	return &lambda{t: t, bin: bin, env: env, stdout: new(syncBuffer),
		started: map[string]int{}, idle: map[string]chan *instance{}}
}

// invoke hands event to an instance of function. The error is what the function,
// or its runtime, reported instead of an answer.
func (l *lambda) invoke(function string, event any) (json.RawMessage, error) {
	payload, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	i, idle := l.instance(function)
	defer func() { idle <- i }()
	i.events <- payload
	select {
	case answer := <-i.answers:
		return answer.payload, answer.err
	case <-i.exited:
		return nil, fmt.Errorf("%s exited", function)
	}
}

func (l *lambda) instance(function string) (*instance, chan *instance) {
	l.mu.Lock()
	if l.idle[function] == nil {
		l.idle[function] = make(chan *instance, mostInstances)
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

// instance is one process and the Runtime API that it polls.
type instance struct {
	events  chan []byte
	answers chan answer
	exited  chan struct{}
}

type answer struct {
	payload json.RawMessage
	err     error
}

func (l *lambda) start(function string) *instance {
	i := &instance{make(chan []byte), make(chan answer, 1), make(chan struct{})}
	stopped := make(chan struct{})
	api := httptest.NewServer(i.runtimeAPI(stopped))
	process := exec.Command(filepath.Join(l.bin, function))
	process.Env = append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + api.Listener.Addr().String(),
		"AWS_LAMBDA_FUNCTION_NAME=" + function,
	}, l.env(function)...)
	process.Stdout, process.Stderr = l.stdout, l.stdout
	if err := process.Start(); err != nil {
		l.t.Error(err)
	}
	go func() {
		_ = process.Wait()
		close(i.exited)
	}()
	l.t.Cleanup(func() {
		_ = process.Process.Kill()
		<-i.exited
		close(stopped)
		api.Close()
	})
	return i
}

// runtimeAPI serves the part of Lambda's Runtime API that a function needs.
func (i *instance) runtimeAPI(stopped <-chan struct{}) http.Handler {
	const root = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"invocation/next", func(w http.ResponseWriter, r *http.Request) {
		select {
		case event := <-i.events:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", uuid.NewString())
			w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(timeout).UnixMilli(), 10))
			w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-central-1:123456789012:function:turnout")
			_, _ = w.Write(event)
		case <-r.Context().Done():
		case <-stopped:
		}
	})
	report := func(failed bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			payload, err := io.ReadAll(r.Body)
			if err == nil && failed {
				err = fmt.Errorf("function reported %s", payload)
			}
			w.WriteHeader(http.StatusAccepted)
			i.answers <- answer{payload, err}
		}
	}
	mux.HandleFunc("POST "+root+"invocation/{id}/response", report(false))
	mux.HandleFunc("POST "+root+"invocation/{id}/error", report(true))
	mux.HandleFunc("POST "+root+"init/error", report(true))
	return mux
}

// build compiles the functions for this machine, as template.yaml's makefile
// builds them for Lambda.
func build(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	command := exec.Command("go", "build", "-tags", "lambda.norpc", "-trimpath", "-o", folder+string(os.PathSeparator), "./...")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return folder
}

// syncBuffer collects what several processes print.
type syncBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
