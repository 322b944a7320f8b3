// Package dynamotest provides tests with a DynamoDB endpoint.
package dynamotest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"turnout/internal/dynamo/dynamodblocal"
)

// shared is the one server of all tests of a process. It exits with the process.
var shared = sync.OnceValues(func() (*dynamodblocal.Server, error) {
	return dynamodblocal.Start(context.Background())
})

// Endpoint returns AWS_ENDPOINT_URL_DYNAMODB if it is set, or else the endpoint of a DynamoDB Local
// that all tests of this process share, so each test creates a table of its own. Without DynamoDB
// Local the test is skipped, or fails with CI=true.
func Endpoint(t testing.TB) string {
	t.Helper()
	if given := os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"); given != "" {
		return given
	}
	server, err := shared()
	missing := errors.Is(err, dynamodblocal.ErrNotFetched) || errors.Is(err, dynamodblocal.ErrNoJava)
	switch {
	case missing && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return server.Endpoint()
}
