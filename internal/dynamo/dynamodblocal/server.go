// Package dynamodblocal starts AWS's own DynamoDB Local on this machine, in
// memory, for tests and for running the service on it. `make dynamodb-local`
// fetches it (pom.xml); server.xml configures it.
package dynamodblocal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

var (
	// ErrNotFetched also means that a fetch was interrupted, or fetched another release
	// than pom.xml names.
	ErrNotFetched = errors.New("DynamoDB Local is missing: run `make dynamodb-local` (needs Java 17 or newer and Maven)")

	// ErrNoJava is wrapped in the error of Start if Java is missing or too old.
	ErrNoJava = errors.New("DynamoDB Local needs Java 17 or newer on the PATH: install a JDK, for example OpenJDK from your system's packages")
)

// A start takes about a second, a stop far less; the limits allow for a busy machine.
const (
	startLimit = 2 * time.Minute
	stopLimit  = 15 * time.Second
)

// Server is one running DynamoDB Local with a database of its own.
type Server struct {
	endpoint string
	cmd      *exec.Cmd
	stdin    io.Closer
	output   output

	exited  chan struct{} // closed when the process has exited
	exitErr error         // valid after exited is closed
}

// Start returns a server at a free port of this machine, which has already answered a request.
// The context bounds only the start; the server runs until Stop, or until this process exits or
// is killed.
func Start(ctx context.Context) (*Server, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	source := filepath.Join(root, "internal", "dynamo", "dynamodblocal")
	fetched := filepath.Join(root, ".local", "dynamodb-local")
	if !sameContent(filepath.Join(source, "pom.xml"), filepath.Join(fetched, "pom.xml")) {
		return nil, ErrNotFetched
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, ErrNoJava
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("not ready after %s", startLimit))
	defer cancel()
	s, err := launch(java, filepath.Join(source, "server.xml"), fetched)
	if err != nil {
		return nil, fmt.Errorf("start DynamoDB Local: %w", err)
	}
	if err := s.ready(ctx); err != nil {
		s.kill()
		if out := s.output.end(); strings.Contains(out, "UnsupportedClassVersionError") ||
			strings.Contains(out, "Unable to locate a Java Runtime") { // macOS has a java that only prints this
			err = ErrNoJava
		} else if out != "" {
			err = fmt.Errorf("%w; its output:\n%s", err, out)
		}
		return nil, fmt.Errorf("start DynamoDB Local: %w", err)
	}
	return s, nil
}

// Endpoint is the server's address, as AWS_ENDPOINT_URL_DYNAMODB takes it.
func (s *Server) Endpoint() string { return s.endpoint }

// Stop ends the server and waits for its process to exit. The error reports a
// server that had failed before or that had to be killed. Later calls do nothing.
func (s *Server) Stop() error {
	s.stdin.Close() // server.xml: the end of standard input is the end of the server
	select {
	case <-s.exited:
	case <-time.After(stopLimit):
		s.kill()
	}
	if s.exitErr != nil {
		return fmt.Errorf("stop DynamoDB Local: %w; its output:\n%s", s.exitErr, s.output.end())
	}
	return nil
}

func (s *Server) kill() {
	s.cmd.Process.Kill()
	<-s.exited
}

// launch runs java.
func launch(java, config, fetched string) (*Server, error) {
	cmd := exec.Command(java,
		// A machine that runs tests is busy: no second compiler, no parallel collector, no statistics.
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData",
		"-Xmx256m", "-XX:+ExitOnOutOfMemoryError", // the data itself is not on this heap
		"-Dorg.sqlite.tmpdir=.", // the system's may forbid loading SQLite from it
		"-Dslf4j.internal.verbosity=ERROR",
		"-cp", filepath.Join("lib", "*"),
		"org.eclipse.jetty.xml.XmlConfiguration", config)
	cmd.Dir = fetched
	detach(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s := &Server{cmd: cmd, stdin: stdin, output: output{port: make(chan string, 1)}, exited: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &s.output, &s.output // the same: they are not written to at once
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.exitErr = cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

// ready waits for the port, then for the response to a first request. Only a
// request loads SQLite, so a machine that cannot run it fails here, with a reason.
func (s *Server) ready(ctx context.Context) error {
	select {
	case port := <-s.output.port:
		s.endpoint = "http://127.0.0.1:" + port
	case <-s.exited:
		return fmt.Errorf("java exited at once: %v", s.cmd.ProcessState)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	// Its signature is parsed and not verified.
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy: this is loopback
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the first request was answered with %s", resp.Status)
	}
	return nil
}

// moduleRoot is the nearest folder with a go.mod, from the working directory
// upwards: a test runs in the folder of its package, `make` at the top.
func moduleRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("start DynamoDB Local: no go.mod in %s or above it", start)
		}
	}
}

func sameContent(a, b string) bool {
	x, errX := os.ReadFile(a)
	y, errY := os.ReadFile(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// output finds the port that the server prints, maybe after warnings of the JVM, and keeps the
// end for error messages. It can be read when the process has exited.
type output struct {
	text []byte
	port chan string
}

const outputSize = 8 << 10

var number = regexp.MustCompile(`(?m)^(\d+)\r?\n`)

func (o *output) Write(p []byte) (int, error) {
	o.text = append(o.text, p...)
	if printed := number.FindSubmatch(o.text); printed != nil {
		select {
		case o.port <- string(printed[1]):
		default: // it was printed before
		}
	}
	o.text = o.text[max(0, len(o.text)-outputSize):]
	return len(p), nil
}

func (o *output) end() string { return strings.TrimSpace(string(o.text)) }
