//go:build unix

package dynamotest

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// must ends the test at an error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// TestServerLivesAsLongAsItsCommand: the server ends with the command, even if the command is killed. A Ctrl-C in the
// terminal of both does not end the server before the command.
func TestServerLivesAsLongAsItsCommand(t *testing.T) {
	Endpoint(t)
	const inShell = `trap "" INT; echo "$AWS_ENDPOINT_URL_DYNAMODB"; exec sleep 60`
	command := exec.Command(filepath.Join("../../..", script), "sh", "-c", inShell)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := command.StdoutPipe()
	must(t, err, command.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	endpoint := strings.TrimSpace(line)
	if must(t, err); endpoint == Endpoint(t) {
		t.Errorf("two servers at %s", endpoint)
	}
	must(t, syscall.Kill(-command.Process.Pid, syscall.SIGINT))
	response, err := http.Get(endpoint)
	must(t, err)
	_ = response.Body.Close()

	connection, err := net.Dial("tcp", strings.TrimPrefix(endpoint, "http://"))
	must(t, err, command.Process.Kill())
	_ = command.Wait()
	defer connection.Close()
	// A server that exits closes its connections. Otherwise it closes an idle connection after 30 s.
	must(t, connection.SetReadDeadline(time.Now().Add(20*time.Second)))
	if _, err := connection.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the server outlived its killed command")
	}
}

// TestStart: the port may come after other output. The last line of a failure names the remedy.
func TestStart(t *testing.T) {
	for name, test := range map[string]struct{ fetched, java, want string }{
		"nothing fetched": {"", "exit 1", "run `make dynamodb-local` (needs Java 17 or newer and Maven)"},
		"another release": {"old", "exit 1", "run `make dynamodb-local` (needs Java 17 or newer and Maven)"},
		"no java": {"pom", "",
			"DynamoDB Local needs Java: install Java 17 or newer, for example OpenJDK from your system's packages"},
		"java fails": {"pom", "exit 1",
			"DynamoDB Local has failed. It needs Java 17 or newer: see java -version"},
		"warnings":         {"pom", "echo 1 warning; echo 4321; exec cat", "http://127.0.0.1:4321"},
		"another endpoint": {"", "exit 1", "http://there"},
	} {
		module := t.TempDir()
		content, err := os.ReadFile(filepath.Join("../../..", script))
		must(t, err)
		for path, content := range map[string]string{
			script:                                  string(content),
			"internal/dynamo/dynamodblocal/pom.xml": "pom",
			".local/dynamodb-local/pom.xml":         test.fetched,
			"bin/java":                              "#!/bin/sh\n" + test.java + "\n",
		} {
			path = filepath.Join(module, path)
			must(t, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755))
		}
		bin := filepath.Join(module, "bin")
		for _, name := range []string{"bash", "cat", "dirname", "mkfifo", "mktemp", "rm", "sh"} {
			found, err := exec.LookPath(name)
			must(t, err, os.Symlink(found, filepath.Join(bin, name)))
		}
		if test.java == "" {
			must(t, os.Remove(filepath.Join(bin, "java")))
		}
		command := exec.Command(filepath.Join(module, script), "sh", "-c", `echo "$AWS_ENDPOINT_URL_DYNAMODB"`)
		command.Env = append(os.Environ(), "PATH="+bin, "AWS_ENDPOINT_URL_DYNAMODB=")
		if name == "another endpoint" {
			command.Env = append(command.Env, "AWS_ENDPOINT_URL_DYNAMODB="+test.want)
		}
		output, err := command.CombinedOutput()
		starts := strings.HasPrefix(test.want, "http")
		if (err == nil) != starts || !strings.HasSuffix(string(output), test.want+"\n") {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}
