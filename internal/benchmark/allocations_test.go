package benchmark

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/httpapi"
	"turnout/internal/robustness"
)

// A constant store gives constant answers at once, so that only the code between the
// request and the store is measured.
type constant struct {
	event.Store
	event event.Event
	rsvps []event.RSVP
}

func (c constant) AddEvent(context.Context, event.Event, event.Hash) error { return nil }

func (c constant) EventByToken(context.Context, event.Token) (event.Event, error) {
	return c.event, nil
}

func (c constant) CancelEvent(context.Context, event.Token, event.Hash, *string, time.Time) error {
	return nil
}

func (c constant) AddRSVP(context.Context, event.Token, event.RSVP) error { return nil }

func (c constant) RemoveRSVP(context.Context, event.Token, event.Hash) error { return nil }

func (c constant) AttendeesByEvent(context.Context, event.Token, event.Hash, event.Position, int) ([]event.RSVP, bool, error) {
	return c.rsvps, false, nil
}

func (c constant) Ready(context.Context) error { return nil }

// allocationsOf measures the allocations of each endpoint per request, next to the
// recorded maximum, which may only be lowered.
func allocationsOf(t *testing.T) (rows []allocated) {
	token := event.NewToken()
	text := "A garden party with games and cake"
	store := constant{
		event: event.Event{Token: token, Title: text, Description: &text, DateTime: "2099-05-01T19:00:00+02:00", Timezone: "Europe/Berlin",
			ExpiresAt: time.Date(2099, 5, 8, 17, 0, 0, 0, time.UTC)},
		rsvps: slices.Repeat([]event.RSVP{{Name: "A guest"}}, 10),
	}
	h := robustness.Handler(event.NewService(store))
	path := "/api/events/" + token.String()
	query := "?organizerToken=" + event.NewToken().String()
	for _, row := range []struct {
		endpoint   httpapi.Endpoint
		path, body string
		most       float64
	}{
		{httpapi.CreateEvent, "/api/events", `{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`, 54},
		{httpapi.GetEvent, path, "", 17},
		{httpapi.CancelEvent, path + query, `{"cancelled":true}`, 31},
		{httpapi.ListAttendees, path + "/attendees" + query, "", 20},
		{httpapi.CreateRSVP, path + "/rsvps", `{"name":"A guest"}`, 36},
		{httpapi.CancelRSVP, path + "/rsvps/" + event.NewToken().String(), "", 13},
		{httpapi.Health, "/api/health", "", 15},
	} {
		r := httptest.NewRequest(row.endpoint.Method, row.path, nil)
		w := &discard{header: http.Header{}}
		got := testing.AllocsPerRun(200, func() {
			r.Body = io.NopCloser(bytes.NewReader([]byte(row.body)))
			h.ServeHTTP(w, r)
		})
		if w.status >= 300 {
			t.Error(row.endpoint.Name, w.status)
		}
		rows = append(rows, allocated{row.endpoint.Name, got, row.most})
	}
	return rows
}

type allocated struct {
	endpoint  string
	got, most float64
}

func allocations(r *report) {
	for _, row := range allocationsOf(r.t) {
		r.must("allocations: "+row.endpoint, fmt.Sprint(row.got), fmt.Sprint("at most ", row.most), row.got <= row.most)
	}
}

// TestAllocations: no endpoint allocates more than was recorded.
func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates, too")
	}
	for _, row := range allocationsOf(t) {
		if row.got > row.most {
			t.Errorf("%s allocates %v times, at most %v were recorded", row.endpoint, row.got, row.most)
		}
	}
}

// discard is an http.ResponseWriter that keeps the status only.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

func (d *discard) WriteHeader(status int) { d.status = status }
