//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"turnout/internal/dynamo/dynamotest"
)

// TestServesOneCommand: the command has a server at the port of the folder, which ends after the
// command, with its exit code. Ctrl-C is the command's.
func TestServesOneCommand(t *testing.T) {
	dynamotest.Endpoint(t) // without DynamoDB Local, skip
	t.Setenv(variable, "")
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	address, printed := "127.0.0.1:"+portOf(folder), filepath.Join(t.TempDir(), "endpoint")
	listens := func() bool {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	}
	if code, err := run([]string{"sh", "-c", "kill -INT $PPID; printf %s $" + variable + " >" + printed + "; exit 3"}); code != 3 || err != nil {
		t.Errorf("it ended with %d, %v", code, err)
	}
	if endpoint, err := os.ReadFile(printed); string(endpoint) != "http://"+address || listens() {
		t.Errorf("the server was at %q, %v, and listens: %t; want %s", endpoint, err, listens(), address)
	}
}
