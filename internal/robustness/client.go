package robustness

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"turnout/internal/httpapi/apitest"
)

// A Client calls the service for a test, from any goroutine. In every test it checks
// that a service that cannot answer in time answers 503 with Retry-After, and never
// 500 (promise P30).
type Client struct {
	T testing.TB
	apitest.Client

	// ServerMayExit: a call without an answer does not fail the test; its outcome is
	// unknown.
	ServerMayExit bool
}

// NewClient returns a client of the service at that URL, which has the prefix /api.
func NewClient(t testing.TB, url string) Client {
	const connections = 256
	return Client{T: t, Client: apitest.Client{
		URL:  url,
		HTTP: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}},
	}}
}

// inProcess returns a client of a handler without a network between, for bubbles
// of synctest.
func inProcess(t testing.TB, h http.Handler) Client {
	return Client{T: t, Client: apitest.Client{URL: "http://turnout/api", HTTP: &http.Client{Transport: direct{h}}}}
}

type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

// An Answer is the response to a call. Status is 0 if no complete response arrived.
type Answer struct {
	Status int
	apitest.Content
	next string // the query of the next page of a list
}

// known reports whether the answer determines the outcome of the call.
func (a Answer) known() bool {
	return a.Status != 0 && a.Status != http.StatusServiceUnavailable
}

func (a Answer) names() []string {
	names := make([]string, len(a.Attendees))
	for i, each := range a.Attendees {
		names[i] = each.Name
	}
	return names
}

// Call makes a call.
func (c Client) Call(k apitest.Call) Answer {
	c.T.Helper()
	got, err := c.Do(context.Background(), k)
	if err != nil {
		if !c.ServerMayExit {
			c.T.Errorf("%s: %v", k.Method, err)
		}
		return Answer{}
	}
	content, err := got.Content()
	if err != nil {
		c.T.Errorf("%s: %v in %q", k.Method, err, got.Body)
	}
	unavailable, retryAfter := got.Status == http.StatusServiceUnavailable, got.Header.Get("Retry-After")
	if got.Status >= http.StatusInternalServerError && !unavailable || unavailable != (retryAfter != "") {
		c.T.Errorf("%s answered %d with Retry-After %q: %s", k.Method, got.Status, retryAfter, got.Body)
	}
	answer := Answer{Status: got.Status, Content: content}
	if link := nextPage.FindStringSubmatch(got.Header.Get("Link")); link != nil {
		answer.next = link[1]
	}
	return answer
}

// The operations. An event is in the year 2099, so that it has not expired on any
// clock.

func (c Client) CreateEvent() (apitest.Event, Answer) {
	c.T.Helper()
	got := c.Call(apitest.CreateEvent(apitest.EventBody(apitest.Object{"dateTime": "2099-05-01T19:00:00+02:00"})))
	return apitest.Event{Token: got.EventToken, Organizer: got.OrganizerToken}, got
}

// NewEvent creates an event, and fails the test if it cannot.
func (c Client) NewEvent() apitest.Event {
	c.T.Helper()
	e, got := c.CreateEvent()
	if got.Status != http.StatusCreated {
		c.T.Fatalf("create event: %d", got.Status)
	}
	return e
}

func (c Client) GetEvent(e apitest.Event) Answer {
	c.T.Helper()
	return c.Call(apitest.GetEvent(e.Token))
}

func (c Client) CreateRSVP(e apitest.Event, name string) Answer {
	c.T.Helper()
	return c.Call(apitest.CreateRSVP(e.Token, apitest.Object{"name": name}))
}

func (c Client) CancelRSVP(e apitest.Event, rsvp string) Answer {
	c.T.Helper()
	return c.Call(apitest.CancelRSVP(e.Token, rsvp))
}

// ListAttendees returns the whole list: it follows the links to further pages and
// joins them.
func (c Client) ListAttendees(e apitest.Event) Answer {
	c.T.Helper()
	list := c.Call(apitest.ListAttendees(e.Token, e.Organizer))
	for page := list; page.next != ""; list.Attendees = append(list.Attendees, page.Attendees...) {
		next := apitest.ListAttendees(e.Token, e.Organizer)
		next.Query = page.next
		if page = c.Call(next); page.Status != http.StatusOK {
			return page
		}
	}
	return list
}

// nextPage returns the query of the next page from a header Link (RFC 8288).
var nextPage = regexp.MustCompile(`^<\?([^>]+)>; rel="next"$`)

func (c Client) CancelEvent(e apitest.Event, reason string) Answer {
	c.T.Helper()
	return c.Call(apitest.CancelEvent(e.Token, e.Organizer, apitest.Object{"cancelled": true, "cancellationReason": reason}))
}

func (c Client) Health() Answer {
	c.T.Helper()
	return c.Call(apitest.Health())
}
