// Package dynamotest provides tests with a DynamoDB endpoint.
package dynamotest

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// server runs until its standard input closes, at the latest when this process exits.
var server *exec.Cmd

// shared starts the server that all tests of a process share, and returns its endpoint.
var shared = sync.OnceValues(func() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	path := filepath.Join(filepath.Dir(file), "../../..", script)
	server = exec.Command(path, "sh", "-c", `echo "$AWS_ENDPOINT_URL_DYNAMODB"; exec cat`)
	var failure bytes.Buffer
	server.Stderr = &failure
	_, stdinErr := server.StdinPipe()
	stdout, err := server.StdoutPipe()
	if err := errors.Join(stdinErr, err, server.Start()); err != nil {
		return "", err
	}
	endpoint, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = server.Wait() // an error here says less than the script's stderr
		err = errors.New(strings.TrimSpace(failure.String()))
	}
	return strings.TrimSpace(endpoint), err
})

const script = "infra/tools/dynamodb-local"

// Endpoint returns AWS_ENDPOINT_URL_DYNAMODB if it is set, or else the endpoint of a DynamoDB Local
// that all tests of this process share, so each test creates a table of its own. Without DynamoDB
// Local the test is skipped, or fails with CI=true.
func Endpoint(t testing.TB) string {
	t.Helper()
	endpoint, err := shared()
	switch {
	case err != nil && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return endpoint
}
