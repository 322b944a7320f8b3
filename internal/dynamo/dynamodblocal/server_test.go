//go:build unix

package dynamodblocal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStartAndStop(t *testing.T) {
	first, s := start(t), start(t)
	for range 2 {
		if err := first.Stop(); err != nil {
			t.Error(err)
		}
	}
	if first.Endpoint() == s.Endpoint() {
		t.Errorf("two servers at %s", s.Endpoint())
	}
	syscall.Kill(s.cmd.Process.Pid, syscall.SIGTERM)
	<-s.exited
	if err := s.Stop(); err == nil {
		t.Error("Stop did not report a server that had exited before")
	}
}

// TestMain is also the process that is killed before it can stop its server.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "start-and-wait" {
		s, err := Start(context.Background())
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(s.Endpoint())
		select {}
	}
	os.Exit(m.Run())
}

func TestServerEndsWithKilledParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "start-and-wait")
	parent.Stderr = os.Stderr
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	line = strings.TrimSpace(line)
	if (line == ErrNotFetched.Error() || line == ErrNoJava.Error()) && os.Getenv("CI") != "true" {
		t.Skip(line)
	}
	connection, err := net.Dial("tcp", strings.TrimPrefix(line, "http://"))
	if err := errors.Join(err, parent.Process.Kill()); err != nil {
		t.Fatalf("the other process started no server and printed %q: %v", line, err)
	}
	parent.Wait()
	defer connection.Close()
	// When the server exits its connections are closed; idle ones it closes after 30 s.
	connection.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := connection.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal("the server outlived its killed parent")
	}
}

// TestStartFails with an error that names the remedy or the cause, and that can be read
// where the output is long.
func TestStartFails(t *testing.T) {
	const fetched = ".local/dynamodb-local/pom.xml"
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer refusing.Close()
	_, port, _ := net.SplitHostPort(refusing.Listener.Addr().String())
	for name, test := range map[string]struct {
		java    string // a shell script
		prepare func(t *testing.T)
		is      error
		parts   []string
	}{
		"nothing fetched":   {"exit 1", func(*testing.T) { do(os.Remove(fetched)) }, ErrNotFetched, nil},
		"another release's": {"exit 1", func(*testing.T) { do(os.WriteFile(fetched, []byte("old"), 0o644)) }, ErrNotFetched, nil},
		"no module":         {"exit 1", func(t *testing.T) { t.Chdir("/") }, nil, []string{"no go.mod"}},
		"no java":           {"exit 1", func(t *testing.T) { t.Setenv("PATH", "") }, ErrNoJava, nil},
		"old java":          {"echo 'Exception java.lang.UnsupportedClassVersionError: …' >&2; exit 1", nil, ErrNoJava, nil},
		"it ended":          {"echo 'out of luck'; echo 'cause: none' >&2; exit 3", nil, nil, []string{"exit status 3", "out of luck", "cause: none"}},
		"long output":       {"yes warning | head -n 10000; echo 'cause: none'; exit 3", nil, nil, []string{"\nwarning\ncause: none"}},
		"first request":     {"echo warning; echo " + port + "; echo 17; exec cat", nil, nil, []string{"500 Internal Server Error"}}, // at the first port
		"out of time":       {"exec sleep 60", nil, context.DeadlineExceeded, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fakeModule(t, test.java)
			if test.prepare != nil {
				test.prepare(t)
			}
			ctx, cancel := t.Context(), func() {}
			if test.is == context.DeadlineExceeded {
				ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
			}
			defer cancel()
			_, err := Start(ctx)
			if err == nil || test.is != nil && !errors.Is(err, test.is) || len(err.Error()) > outputSize+200 {
				t.Fatalf("got %v", err)
			}
			for _, part := range test.parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
			if name == "long output" && len(err.Error()) < outputSize {
				t.Errorf("only %d bytes are told", len(err.Error()))
			}
		})
	}
}

// start runs a real server and skips like package dynamotest, which this package
// cannot import.
func start(t *testing.T) *Server {
	t.Helper()
	s, err := Start(t.Context())
	if (errors.Is(err, ErrNotFetched) || errors.Is(err, ErrNoJava)) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s
}

// fakeModule makes the working directory a module with a finished fetch, and
// java a shell script.
func fakeModule(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":                                "module fake\n",
		"internal/dynamo/dynamodblocal/pom.xml": "pom",
		".local/dynamodb-local/pom.xml":         "pom",
		"bin/java":                              "#!/bin/sh\n" + script + "\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}
