// Package lambdatest runs the program of a Lambda function on this machine, as
// Lambda does: behind a Runtime API, one invocation at a time.
package lambdatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
)

// timeout is the functions' Timeout in template.yaml.
const timeout = 10 * time.Second

const functionARN = "arn:aws:lambda:eu-central-1:123456789012:function:turnout"

// An Instance is one process of a function and the Runtime API that it polls.
type Instance struct {
	process *exec.Cmd
	kill    context.CancelFunc
	api     *httptest.Server

	events  chan []byte
	results chan result
	polled  chan struct{}
	exited  chan struct{}
}

// result is the outcome of an invocation.
type result struct {
	response json.RawMessage
	err      error
}

// Start runs a program with the variables in env and no others. The program's output goes to out.
func Start(program string, env []string, out io.Writer) (*Instance, error) {
	i := &Instance{
		events:  make(chan []byte),
		results: make(chan result, 1),
		polled:  make(chan struct{}),
		exited:  make(chan struct{}),
	}
	var running context.Context
	running, i.kill = context.WithCancel(context.Background())
	i.api = httptest.NewServer(i.runtimeAPI())
	i.process = exec.CommandContext(running, program)
	i.process.Env = append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + i.api.Listener.Addr().String(),
		"AWS_LAMBDA_FUNCTION_NAME=" + filepath.Base(program),
	}, env...)
	i.process.Stdout, i.process.Stderr = out, out
	if err := i.process.Start(); err != nil {
		i.api.Close()
		return nil, err
	}
	go func() {
		_ = i.process.Wait()
		close(i.exited)
	}()
	return i, nil
}

// Environment returns the variables that Lambda and template.yaml set for a table.
func Environment(table dynamo.Config) []string {
	return []string{
		"TABLE_NAME=" + table.Table,
		"AWS_REGION=" + table.Region,
		"AWS_ACCESS_KEY_ID=" + table.AccessKeyID,
		"AWS_SECRET_ACCESS_KEY=" + table.SecretAccessKey,
		"AWS_ENDPOINT_URL_DYNAMODB=" + table.Endpoint,
		"ORIGIN_SECRETS=none",
	}
}

// Polled is closed when the function asks for its first event.
func (i *Instance) Polled() <-chan struct{} { return i.polled }

// Invoke sends an event and returns the response. The error is the report of the function or
// its runtime instead, or the end of the process.
func (i *Instance) Invoke(event []byte) (json.RawMessage, error) {
	select {
	case i.events <- event:
	case <-i.exited:
		return nil, fmt.Errorf("%s exited", i.process.Path)
	}
	select {
	case result := <-i.results:
		return result.response, result.err
	case <-i.exited:
		return nil, fmt.Errorf("%s exited", i.process.Path)
	}
}

// Stop kills the process, if it still runs.
func (i *Instance) Stop() {
	i.kill()
	<-i.exited
	i.api.Close()
}

// runtimeAPI serves the part of Lambda's Runtime API that a function needs.
func (i *Instance) runtimeAPI() http.Handler {
	const root = "/2018-06-01/runtime/"
	var first sync.Once
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"invocation/next", func(w http.ResponseWriter, r *http.Request) {
		first.Do(func() { close(i.polled) })
		select {
		case event := <-i.events:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", uuid.NewString())
			w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(timeout).UnixMilli(), 10))
			w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", functionARN)
			_, _ = w.Write(event)
		case <-i.exited:
		}
	})
	mux.HandleFunc("POST "+root+"invocation/{id}/response", func(w http.ResponseWriter, r *http.Request) {
		response, err := io.ReadAll(r.Body)
		i.results <- result{response, err}
		w.WriteHeader(http.StatusAccepted)
	})
	failed := func(w http.ResponseWriter, r *http.Request) {
		report, err := io.ReadAll(r.Body)
		i.results <- result{nil, errors.Join(fmt.Errorf("function reported %s", report), err)}
		w.WriteHeader(http.StatusAccepted)
	}
	mux.HandleFunc("POST "+root+"invocation/{id}/error", failed)
	mux.HandleFunc("POST "+root+"init/error", failed)
	return mux
}
