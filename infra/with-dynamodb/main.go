// Command with-dynamodb runs a command, such as make test, with one DynamoDB Local for all of its
// processes. Its port depends on the folder alone, so that go test finds cached results again.
package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"os/signal"
	"strconv"

	"turnout/internal/dynamo/dynamodblocal"
)

const variable = "AWS_ENDPOINT_URL_DYNAMODB"

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "with-dynamodb:", err)
	}
	os.Exit(code)
}

// run returns the exit code of the command. Without DynamoDB Local the command runs as it is,
// and tests report that it is missing.
func run(command []string) (code int, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if os.Getenv(variable) == "" {
		server, err := start()
		switch {
		case err == nil:
			defer func() { _ = server.Stop() }()
			cmd.Env = append(os.Environ(), variable+"="+server.Endpoint())
		case !errors.Is(err, dynamodblocal.ErrNotFetched) && !errors.Is(err, dynamodblocal.ErrNoJava):
			return 1, err
		}
	}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // Ctrl-C ends the command, and then the server is stopped
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return max(1, exit.ExitCode()), nil // -1 after a signal
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// start uses any port if the folder's is taken, for example by another run in it.
func start() (*dynamodblocal.Server, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	server, err := dynamodblocal.Start(context.Background(), portOf(folder))
	if err != nil {
		server, err = dynamodblocal.Start(context.Background(), "0")
	}
	return server, err
}

func portOf(folder string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(folder))
	return strconv.Itoa(10_000 + int(hash.Sum32()%20_000)) // below those that the system gives away
}
