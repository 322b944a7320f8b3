package apitest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// A client calls the service on behalf of one test.
type client struct {
	*testing.T
	baseURL string // with the prefix /api
	http    *http.Client
}

func newClient(t *testing.T, baseURL string, transport http.RoundTripper) client {
	return client{t, strings.TrimSuffix(baseURL, "/") + "/api", &http.Client{
		Transport: transport,
		Timeout:   30 * time.Second,
		// A redirect is an answer, and not one of this service.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// test runs a subtest with a client of its own.
func (c client) test(name string, body func(client)) {
	c.Helper()
	c.Run(name, func(t *testing.T) {
		c.T = t
		body(c)
	})
}

// object is a JSON object.
type object = map[string]any

// raw is a body that goes over the wire as it is.
type raw string

// A call is a request. What a test leaves out is as a well-behaved client has it.
type call struct {
	method      string
	path        string // below /api; goes over the wire as it is
	query       string // without the question mark; goes over the wire as it is
	body        any    // raw, or a value to send as JSON, or nil for none
	contentType string // "" for application/json where there is a body, noContentType for none
	chunked     bool   // without a Content-Length
}

const noContentType = "none"

// try makes a call. It can be used from any goroutine.
func (c client) try(k call) (answer, error) {
	var body io.Reader
	switch b := k.body.(type) {
	case nil:
	case raw:
		body = strings.NewReader(string(b))
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(text)
	}
	if k.chunked {
		body = io.MultiReader(body) // hides the length
	}
	target := c.baseURL + k.path
	if k.query != "" {
		target += "?" + k.query
	}
	// Neither url.Parse nor the transport cleans a path: it is sent as written here.
	r, err := http.NewRequest(k.method, target, body)
	if err != nil {
		return answer{}, err
	}
	if k.contentType == noContentType {
		k.contentType = ""
	} else if body != nil {
		k.contentType = cmp.Or(k.contentType, "application/json")
	}
	if k.contentType != "" {
		r.Header.Set("Content-Type", k.contentType)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{
		t:      c.T,
		call:   fmt.Sprintf("%s %.200s", k.method, target),
		status: response.StatusCode,
		header: response.Header,
		body:   text,
	}, err
}

// send makes a call and ends the test if it has no proper answer.
func (c client) send(k call) answer {
	c.Helper()
	a, err := c.try(k)
	if err != nil {
		c.Fatal(err)
	}
	return a
}

// An answer is what a call got. Its methods end the test where it is not as it
// should be, and return what a test may want to look at next.
type answer struct {
	t      *testing.T
	call   string
	status int
	header http.Header
	body   []byte
}

func (a answer) fatalf(format string, args ...any) {
	a.t.Helper()
	a.t.Fatalf("%s\n%s\nanswer: %d %.2000s", a.call, fmt.Sprintf(format, args...), a.status, a.body)
}

func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.fatalf("want status %d", status)
	}
	return a
}

func (a answer) object() object {
	a.t.Helper()
	var o object
	if err := json.Unmarshal(a.body, &o); err != nil {
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

// equals wants these members and no others.
func (a answer) equals(want object) {
	a.t.Helper()
	if diff := difference(want, a.object()); diff != "" {
		a.fatalf("%s", diff)
	}
}

// isProblem wants the problem of a code, or without a code the one that says no
// more than its status.
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

// isInvalid wants a validation problem with exactly these field errors, each a
// field and its message.
func (a answer) isInvalid(want ...[2]string) {
	a.t.Helper()
	a.isProblem(http.StatusBadRequest, "validation-failed")
	errors := make([]object, len(want))
	for i, e := range want {
		errors[i] = object{"field": e[0], "message": e[1]}
	}
	if diff := difference(errors, a.object()["fieldErrors"]); diff != "" {
		a.fatalf("field errors: %s", diff)
	}
}

// blames wants a validation problem with one field error, for that field.
func (a answer) blames(field string) {
	a.t.Helper()
	a.isProblem(http.StatusBadRequest, "validation-failed")
	errors := a.object()["fieldErrors"].([]any) // as the description says
	if len(errors) != 1 || errors[0].(object)["field"] != field {
		a.fatalf("want one field error, for %s", field)
	}
}

// difference compares two values as JSON and says how they differ. The tests
// compare nothing that JSON cannot hold.
func difference(want, got any) string {
	if want, got := normal(want), normal(got); want != got {
		return fmt.Sprintf("want %.2000s\n got %.2000s", want, got)
	}
	return ""
}

// normal returns v as JSON in which the order of members says nothing.
func normal(v any) string {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err == nil {
		text, err = json.Marshal(v) // maps are sorted by name
	}
	if err != nil {
		panic(err)
	}
	return string(text)
}

// The operations, as someone calls them who has tokens and a body.

func (c client) createEvent(body any) answer {
	c.Helper()
	return c.send(call{method: "POST", path: "/events", body: body})
}

func (c client) getEvent(event string) answer {
	c.Helper()
	return c.send(call{method: "GET", path: "/events/" + event})
}

func (c client) cancelEvent(event, organizer string, body any) answer {
	c.Helper()
	return c.send(cancelEventCall(event, organizer, body))
}

func (c client) createRSVP(event string, body any) answer {
	c.Helper()
	return c.send(createRSVPCall(event, body))
}

func (c client) cancelRSVP(event, rsvp string) answer {
	c.Helper()
	return c.send(cancelRSVPCall(event, rsvp))
}

func (c client) listAttendees(event, organizer string) answer {
	c.Helper()
	return c.send(listAttendeesCall(event, organizer))
}

func cancelEventCall(event, organizer string, body any) call {
	return call{method: "PATCH", path: "/events/" + event, query: organizerQuery(organizer), body: body}
}

func createRSVPCall(event string, body any) call {
	return call{method: "POST", path: "/events/" + event + "/rsvps", body: body}
}

func cancelRSVPCall(event, rsvp string) call {
	return call{method: "DELETE", path: "/events/" + event + "/rsvps/" + rsvp}
}

func listAttendeesCall(event, organizer string) call {
	return call{method: "GET", path: "/events/" + event + "/attendees", query: organizerQuery(organizer)}
}

func organizerQuery(token string) string {
	return "organizerToken=" + url.QueryEscape(token)
}

// unissued returns a token that the service has never issued.
func unissued() string { return uuid.NewString() }

// together calls f with 0 to n-1, all at once, and waits for the last to return.
func together(n int, f func(int)) {
	start := make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	group.Wait()
}
