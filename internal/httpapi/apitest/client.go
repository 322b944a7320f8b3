package apitest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// A Client calls the service. Any number of goroutines may use it.
type Client struct {
	URL  string // the service's URL with the prefix /api
	HTTP *http.Client
}

// A Call is a request. Its zero values make a well-behaved client.
type Call struct {
	Method      string
	Path        string // path below /api; sent unchanged
	Query       string // query without the question mark; sent unchanged
	Header      http.Header
	Body        any    // Raw, a value that is sent as JSON, or nil for no body
	ContentType string // "" sends application/json with a body; NoContentType sends no header
	Chunked     bool   // whether to send the body without a Content-Length
}

// NoContentType omits the header Content-Type.
const NoContentType = "none"

// Raw is a body that is sent unchanged.
type Raw string

// Object is a JSON object.
type Object = map[string]any

// An Answer is the response to a call.
type Answer struct {
	Call   string // method and URL of the call
	Status int
	Header http.Header
	Body   []byte
	Content
}

// request makes the request of a call.
func (c Client) request(ctx context.Context, k Call) (*http.Request, error) {
	var body io.Reader
	switch b := k.Body.(type) {
	case nil:
	case Raw:
		body = strings.NewReader(string(b))
	default:
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	if k.Chunked {
		body = io.MultiReader(body) // hides the length from the transport
	}
	target := c.URL + k.Path
	if k.Query != "" {
		target += "?" + k.Query
	}
	// Neither url.Parse nor the transport cleans the path, so the service gets the path unchanged.
	r, err := http.NewRequestWithContext(ctx, k.Method, target, body)
	if err != nil {
		return nil, err
	}
	for name, values := range k.Header {
		r.Header[name] = values
	}
	if k.ContentType == NoContentType {
		k.ContentType = ""
	} else if body != nil {
		k.ContentType = cmp.Or(k.ContentType, "application/json")
	}
	if k.ContentType != "" {
		r.Header.Set("Content-Type", k.ContentType)
	}
	return r, nil
}

// Do makes a call. An error means that no complete response arrived. Then Answer holds the part that arrived.
func (c Client) Do(ctx context.Context, k Call) (Answer, error) {
	r, err := c.request(ctx, k)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Call: fmt.Sprintf("%s %.200s", k.Method, r.URL)}
	response, err := c.HTTP.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.Status, a.Header = response.StatusCode, response.Header
	a.Body, err = io.ReadAll(response.Body)
	_ = json.Unmarshal(a.Body, &a.Content)
	return a, err
}

// Send makes a call to a server, and ends the test if no complete response arrives.
func Send(t *testing.T, url string, k Call) Answer {
	t.Helper()
	a, err := Client{url, http.DefaultClient}.Do(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Ask makes a call to the service at baseURL, a URL without the prefix /api, and ends the test unless the call
// succeeds.
func Ask(t *testing.T, baseURL string, k Call) Answer {
	t.Helper()
	a := Send(t, baseURL+"/api", k)
	if a.Status >= http.StatusMultipleChoices {
		t.Fatalf("%s: %d %s", a.Call, a.Status, a.Body)
	}
	return a
}

// Headers returns headers from alternating names and values.
func Headers(pairs ...string) http.Header {
	header := http.Header{}
	for pair := range slices.Chunk(pairs, 2) {
		header.Set(pair[0], pair[1])
	}
	return header
}

// Content holds the members of response bodies that tests read.
type Content struct {
	EventToken, OrganizerToken string
	Title, DateTime, Timezone  string
	Language                   string
	RSVPToken                  string
	AttendeeCount              int
	Cancelled                  bool
	CancellationReason         *string
	MovedTo                    string
	Attendees                  []struct{ Name string }
}

// The operations with their tokens and bodies.

func CreateEvent(body any) Call { return Call{Method: "POST", Path: "/events", Body: body} }

func GetEvent(event string) Call { return Call{Method: "GET", Path: "/events/" + event} }

func CancelEvent(event, organizer string, body any) Call {
	return Call{Method: "PATCH", Path: "/events/" + event, Query: organizerQuery(organizer), Body: body}
}

func CreateRSVP(event string, body any) Call {
	return Call{Method: "POST", Path: "/events/" + event + "/rsvps", Body: body}
}

func GetRSVP(event, rsvp string) Call {
	return Call{Method: "GET", Path: "/events/" + event + "/rsvps/" + rsvp}
}

func CancelRSVP(event, rsvp string) Call {
	return Call{Method: "DELETE", Path: "/events/" + event + "/rsvps/" + rsvp}
}

func ListAttendees(event, organizer string) Call {
	return Call{Method: "GET", Path: "/events/" + event + "/attendees", Query: organizerQuery(organizer)}
}

func Health() Call { return Call{Method: "GET", Path: "/health"} }

func organizerQuery(token string) string {
	return "organizerToken=" + url.QueryEscape(token)
}
