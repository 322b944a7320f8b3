// Package httpapi is the HTTP interface of Turnout. It has the routes, one file per endpoint, and one place each for
// decoding, for responses and for problems.
package httpapi

import (
	"net/http"
	"strings"

	"turnout/internal/event"
)

// An Endpoint is one method of one path. Its folder in functions, its file here and its function in template.yaml have
// the same name.
type Endpoint struct {
	Name   string
	Method string
	Path   string // a segment in braces matches any segment except "", "." and ".."

	serve func(*event.Service, *http.Request) (reply, error)
}

// The endpoints are separate variables, so that a Lambda function links only its own endpoint.
var (
	CreateEvent = Endpoint{
		"create-event", http.MethodPost, "/api/events", createEvent,
	}
	GetEvent = Endpoint{
		"get-event", http.MethodGet, "/api/events/{eventToken}", getEvent,
	}
	CancelEvent = Endpoint{
		"cancel-event", http.MethodPatch, "/api/events/{eventToken}", cancelEvent,
	}
	ListAttendees = Endpoint{
		"list-attendees", http.MethodGet, "/api/events/{eventToken}/attendees", listAttendees,
	}
	CreateRSVP = Endpoint{
		"create-rsvp", http.MethodPost, "/api/events/{eventToken}/rsvps", createRSVP,
	}
	GetRSVP = Endpoint{
		"get-rsvp", http.MethodGet, "/api/events/{eventToken}/rsvps/{rsvpToken}", getRSVP,
	}
	CancelRSVP = Endpoint{
		"cancel-rsvp", http.MethodDelete, "/api/events/{eventToken}/rsvps/{rsvpToken}", cancelRSVP,
	}
	Health = Endpoint{
		"health", http.MethodGet, "/api/health", health,
	}
)

// Endpoints returns every endpoint of the API. NotFound responds to all other requests.
func Endpoints() []Endpoint {
	return []Endpoint{CreateEvent, GetEvent, CancelEvent, ListAttendees, CreateRSVP, GetRSVP, CancelRSVP, Health}
}

// matches reports whether the path of r matches the endpoint's, and if so sets the segments in
// braces as path values of r.
//
// http.ServeMux is not used because it answers by itself: with redirects for
// unclean paths, with HEAD for every GET, and with plain text for 404 and 405.
func (e Endpoint) matches(r *http.Request) bool {
	rest := r.URL.Path
	if strings.Count(rest, "/") != strings.Count(e.Path, "/") {
		return false
	}
	for want := range strings.SplitSeq(e.Path, "/") {
		var got string
		got, rest, _ = strings.Cut(rest, "/")
		name, wild := strings.CutPrefix(want, "{")
		if !wild {
			if got != want {
				return false
			}
			continue
		}
		if got == "" || got == "." || got == ".." {
			return false
		}
		r.SetPathValue(strings.TrimSuffix(name, "}"), got)
	}
	return true
}
