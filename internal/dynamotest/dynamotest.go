// Package dynamotest gives tests a DynamoDB to talk to.
package dynamotest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"turnout/internal/dynamodblocal"
)

// shared is one server for all tests of a process; it ends with the process.
var shared = sync.OnceValues(func() (*dynamodblocal.Server, error) {
	return dynamodblocal.Start(context.Background())
})

// Endpoint is where the test finds DynamoDB: the address in
// AWS_ENDPOINT_URL_DYNAMODB where one is set, else a DynamoDB Local that all
// tests of this process share, so each makes a table of its own. Where DynamoDB
// Local cannot be had, the test is skipped, except in CI, where it fails.
func Endpoint(t testing.TB) string {
	t.Helper()
	return endpoint(t, shared)
}

func endpoint(t testing.TB, start func() (*dynamodblocal.Server, error)) string {
	t.Helper()
	if given := os.Getenv("AWS_ENDPOINT_URL_DYNAMODB"); given != "" {
		return given
	}
	server, err := start()
	missing := errors.Is(err, dynamodblocal.ErrNotFetched) || errors.Is(err, dynamodblocal.ErrNoJava)
	switch {
	case missing && os.Getenv("CI") != "true":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return server.Endpoint()
}
