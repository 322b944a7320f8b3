package lambdatest_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"

	"turnout/internal/gateway/lambdatest"
)

// TestMain is also the function that the tests run: it answers a string of so
// many bytes, quotes included, as the event says.
func TestMain(m *testing.M) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") == "" {
		os.Exit(m.Run())
	}
	lambda.Start(func(_ context.Context, size int) (string, error) {
		if size < 2 {
			return "", errors.New("too small")
		}
		return strings.Repeat("x", size-2), nil
	})
}

func start(t *testing.T) *lambdatest.Instance {
	t.Helper()
	i, err := lambdatest.Start(os.Args[0], nil, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Stop)
	return i
}

func TestInvoke(t *testing.T) {
	i := start(t)
	<-i.Polled()
	for range 2 {
		if response, err := i.Invoke([]byte("5")); err != nil || string(response) != `"xxx"` {
			t.Errorf("%s, %v", response, err)
		}
		if response, err := i.Invoke([]byte("0")); err == nil || !strings.Contains(err.Error(), "too small") {
			t.Errorf("%s, %v", response, err)
		}
	}
}

// TestResponseSize: one byte more than MaxResponse ends the process.
func TestResponseSize(t *testing.T) {
	i := start(t)
	if response, err := i.Invoke([]byte("6291556")); err != nil || len(response) != lambdatest.MaxResponse {
		t.Errorf("%d bytes, %v", len(response), err)
	}
	if response, err := i.Invoke([]byte("6291557")); err == nil || !strings.Contains(err.Error(), "ResponseSizeTooLarge") {
		t.Errorf("%d bytes, %v", len(response), err)
	}
	<-i.Exited()
	if _, err := i.Invoke([]byte("5")); err == nil {
		t.Error("the process goes on")
	}
}
