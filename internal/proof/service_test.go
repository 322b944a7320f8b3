// Package proof_test holds the service to its promises while everything happens
// at once and while things break: all of it over HTTP, on the real stores.
package proof_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/dynamotest"
	"turnout/internal/event"
	"turnout/internal/faulttest"
	"turnout/internal/httpapi"
)

// newBolt returns an embedded store in a new file.
func newBolt(t *testing.T) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(filepath.Join(t.TempDir(), "turnout.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// newTable returns where a new table of DynamoDB Local is.
func newTable(t *testing.T) dynamo.Config {
	t.Helper()
	config := dynamo.Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "proof-" + uuid.NewString(),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return config
}

// behind returns the store in a table that is reached through a proxy.
func behind(t *testing.T, table dynamo.Config, f faulttest.Fault) (*dynamo.Store, *faulttest.Proxy) {
	t.Helper()
	proxy := faulttest.NewProxy(table.Endpoint)
	t.Cleanup(proxy.Close)
	proxy.Inject(f)
	table.Endpoint = proxy.Endpoint()
	return dynamo.Open(table), proxy
}

// api is the service, served over HTTP on a store.
type api struct {
	t      *testing.T
	url    string
	client *http.Client
}

// troubled returns the service twice on one table: behind a proxy that makes
// trouble when it is told to, and beside it, to see what became of it.
func troubled(t *testing.T) (a, observer api, proxy *faulttest.Proxy) {
	t.Helper()
	table := newTable(t)
	store, proxy := behind(t, table, faulttest.NoFault)
	direct, _ := behind(t, table, faulttest.NoFault)
	return serve(t, store), serve(t, direct), proxy
}

func serve(t *testing.T, store event.Store) api {
	t.Helper()
	return serveService(t, event.NewService(store))
}

func serveService(t *testing.T, s *event.Service) api {
	t.Helper()
	server := httptest.NewServer(handler(s))
	t.Cleanup(server.Close)
	return api{t, server.URL + "/api", &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
}

func handler(s *event.Service) http.Handler {
	return httpapi.New(s, slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
}

// inProcess is a way to a handler without a network, for bubbles of synctest.
type inProcess struct{ http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	p.ServeHTTP(w, r)
	return w.Result(), nil
}

// An answer is what a call got: the members of all bodies that these tests read.
type answer struct {
	status int

	EventToken, OrganizerToken string
	Title, DateTime, Timezone  string
	Description, Location      *string
	RSVPToken                  string
	AttendeeCount              int
	Cancelled                  bool
	CancellationReason         *string
	Attendees                  []struct{ Name string }

	Type        string
	FieldErrors []struct{ Field, Message string }
}

func (a answer) names() []string {
	names := make([]string, len(a.Attendees))
	for i, each := range a.Attendees {
		names[i] = each.Name
	}
	return names
}

// send makes a call. Whatever a test is about: a service that has failed says so
// with 503 and when to come again, and never with 500, which stands for a defect.
func (a api) send(ctx context.Context, method, path string, body any) answer {
	a.t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			a.t.Error(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, a.url+path, content)
	if err != nil {
		a.t.Error(err)
		return answer{}
	}
	response, err := a.client.Do(request)
	if err != nil {
		a.t.Errorf("%s: %v", method, err)
		return answer{}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	got := answer{status: response.StatusCode}
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &got)
	}
	if err != nil {
		a.t.Errorf("%s: %v in %q", method, err, text)
	}
	unavailable := got.status == http.StatusServiceUnavailable
	if got.status >= 500 && !unavailable || unavailable != (response.Header.Get("Retry-After") != "") {
		a.t.Errorf("%s answered %d with Retry-After %q: %s", method, got.status, response.Header.Get("Retry-After"), text)
	}
	return got
}

type object = map[string]any

// A party is an event, known to its organizer.
type party struct{ token, organizer string }

func (a api) createEvent() (party, answer) {
	a.t.Helper()
	got := a.send(a.t.Context(), "POST", "/events",
		object{"title": "Garden party", "dateTime": "2099-05-01T19:00:00+02:00", "timezone": "Europe/Berlin"})
	return party{got.EventToken, got.OrganizerToken}, got
}

// newEvent creates an event where nothing stands in the way.
func (a api) newEvent() party {
	a.t.Helper()
	p, got := a.createEvent()
	if got.status != http.StatusCreated {
		a.t.Fatalf("create event: %d", got.status)
	}
	return p
}

func (a api) getEvent(token string) answer {
	a.t.Helper()
	return a.send(a.t.Context(), "GET", "/events/"+token, nil)
}

func (a api) createRSVP(token, name string) answer {
	a.t.Helper()
	return a.send(a.t.Context(), "POST", "/events/"+token+"/rsvps", object{"name": name})
}

func (a api) cancelRSVP(token, rsvp string) answer {
	a.t.Helper()
	return a.send(a.t.Context(), "DELETE", "/events/"+token+"/rsvps/"+rsvp, nil)
}

func (a api) listAttendees(p party) answer {
	a.t.Helper()
	return a.send(a.t.Context(), "GET", fmt.Sprintf("/events/%s/attendees?organizerToken=%s", p.token, p.organizer), nil)
}

func (a api) cancelEvent(ctx context.Context, p party, reason string) answer {
	a.t.Helper()
	return a.send(ctx, "PATCH", fmt.Sprintf("/events/%s?organizerToken=%s", p.token, p.organizer),
		object{"cancelled": true, "cancellationReason": reason})
}
