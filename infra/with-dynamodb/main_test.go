//go:build unix

package main

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"turnout/internal/dynamo/dynamotest"
)

// TestMain is also the program under test, in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_WITH_DYNAMODB") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestServesUntilCtrlC: the command has a server at the port of the folder, which has ended when
// the program has, with the exit code of the command.
func TestServesUntilCtrlC(t *testing.T) {
	dynamotest.Endpoint(t) // without DynamoDB Local, skip
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:" + portOf(folder)
	cmd := exec.Command(os.Args[0], "sh", "-c", "trap 'exit 3' INT; echo $"+variable+"; read forever")
	cmd.Env = append(os.Environ(), "TEST_WITH_DYNAMODB=1", variable+"=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is for a process group
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if endpoint, _ := bufio.NewReader(stdout).ReadString('\n'); strings.TrimSpace(endpoint) != "http://"+address {
		t.Errorf("the server is at %q, want %s", endpoint, address)
	}
	if !listens(address) {
		t.Error("nothing listens")
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("it ended with %v", err)
	}
	if listens(address) {
		t.Error("the server outlived the program")
	}
}

func listens(address string) bool {
	connection, err := net.Dial("tcp", address)
	if err == nil {
		_ = connection.Close()
	}
	return err == nil
}
