package dynamotest

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"turnout/internal/dynamo/dynamodblocal"
)

func TestGivenEndpoint(t *testing.T) {
	const given = "http://127.0.0.1:8000"
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", given)
	got := endpoint(t, func() (*dynamodblocal.Server, error) {
		t.Error("started a server although an endpoint was given")
		return nil, errors.ErrUnsupported
	})
	if got != given {
		t.Errorf("got %s", got)
	}
}

func TestSharedServer(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "")
	first := Endpoint(t)
	resp, err := http.Get(first)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if second := Endpoint(t); second != first {
		t.Errorf("first %s, then %s", first, second)
	}
}

func TestMissingSkipsExceptInCI(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "")
	for _, c := range []struct {
		err      error
		ci, want string
	}{
		{dynamodblocal.ErrNotFetched, "", "skip"},
		{fmt.Errorf("start: %w", dynamodblocal.ErrNoJava), "", "skip"},
		{dynamodblocal.ErrNotFetched, "true", "fatal"},
		{dynamodblocal.ErrNoJava, "true", "fatal"},
		{errors.New("broken"), "", "fatal"},
	} {
		t.Setenv("CI", c.ci)
		r := &recorder{TB: t}
		func() {
			defer func() { recover() }()
			endpoint(r, func() (*dynamodblocal.Server, error) { return nil, c.err })
		}()
		if want := c.want + ": " + c.err.Error(); r.said != want {
			t.Errorf("CI=%q: said %q, want %q", c.ci, r.said, want)
		}
	}
}

// recorder records how a test would have ended instead of ending this one.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Skip(args ...any)  { r.end("skip", args) }
func (r *recorder) Fatal(args ...any) { r.end("fatal", args) }

func (r *recorder) end(how string, args []any) {
	r.said = how + ": " + fmt.Sprint(args...)
	panic("the test ends here")
}
