package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A client calls the service on behalf of one test of the suite.
type client struct {
	*testing.T
	description *description
	service     Client
}

func newClient(t *testing.T, baseURL string, transport *checker) client {
	return client{t, transport.description, Client{strings.TrimSuffix(baseURL, "/") + "/api", &http.Client{
		Transport: transport,
		Timeout:   30 * time.Second,
		// Do not follow redirects, because the service sends none.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}}
}

// SetsEvery asserts that o has a value for every member of a schema in the description. So a test that uses o fails if
// the service loses a member, such as a new one.
func SetsEvery(t *testing.T, schema string, o Object) {
	t.Helper()
	for member := range schemaOf(schema).Value.Properties {
		if o[member] == nil {
			t.Errorf("the test has no %s of %s", member, schema)
		}
	}
}

// test runs a subtest with its own client.
func (c client) test(name string, body func(client)) {
	c.Helper()
	c.Run(name, func(t *testing.T) {
		c.T = t
		body(c)
	})
}

// send makes a call, and ends the test unless the response is complete and conforms to the description.
func (c client) send(k Call) answer {
	c.Helper()
	a, err := c.service.Do(c.Context(), k)
	if err != nil {
		c.Fatal(err)
	}
	return answer{c.T, a}
}

// An answer is the response to a call. Each method fails the test if the response is not as expected, and returns a
// value for further checks.
type answer struct {
	t *testing.T
	Answer
}

func (a answer) fatalf(format string, args ...any) {
	a.t.Helper()
	a.t.Fatalf("%s\n%s\nanswer: %d %.2000s", a.Call, fmt.Sprintf(format, args...), a.Status, a.Body)
}

func (a answer) is(status int) answer {
	a.t.Helper()
	if a.Status != status {
		a.fatalf("want status %d", status)
	}
	return a
}

func (a answer) object() Object {
	a.t.Helper()
	var o Object
	if err := json.Unmarshal(a.Body, &o); err != nil {
		a.fatalf("want a JSON object: %v", err)
	}
	return o
}

// text returns a member that must be a string.
func (a answer) text(member string) string {
	a.t.Helper()
	text, ok := a.object()[member].(string)
	if !ok {
		a.fatalf("want a string in %s", member)
	}
	return text
}

// equals asserts that the body has exactly these members.
func (a answer) equals(want Object) {
	a.t.Helper()
	if diff := difference(want, a.object()); diff != "" {
		a.fatalf("%s", diff)
	}
}

// isProblem asserts a problem with this code, or without a code a problem of the type about:blank.
func (a answer) isProblem(status int, code string) {
	a.t.Helper()
	a.is(status)
	kind := "about:blank"
	if code != "" {
		kind = "urn:turnout:problem:" + code
	}
	if got := a.text("type"); got != kind {
		a.fatalf("want a problem of type %s", kind)
	}
}

// isInvalid asserts a validation problem with exactly these field errors. Each is a field and its message.
func (a answer) isInvalid(want ...[2]string) {
	a.t.Helper()
	a.isProblem(http.StatusBadRequest, "validation-failed")
	errors := make([]Object, len(want))
	for i, e := range want {
		errors[i] = Object{"field": e[0], "message": e[1]}
	}
	if diff := difference(errors, a.object()["fieldErrors"]); diff != "" {
		a.fatalf("field errors: %s", diff)
	}
}

// difference compares two values as JSON with sorted members, and returns the difference.
func difference(want, got any) string {
	if want, got := asJSON(want), asJSON(got); want != got {
		return fmt.Sprintf("want %.2000s\n got %.2000s", want, got)
	}
	return ""
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // tests compare only values that JSON can hold
	}
	return string(text)
}

// unissued returns a token that the service has never issued.
func unissued() string { return uuid.NewString() }
