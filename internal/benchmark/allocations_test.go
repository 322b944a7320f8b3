package benchmark

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/httpapi"
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

func (c constant) CancelEvent(context.Context, event.Token, event.Hash, event.Cancellation, time.Time) error {
	return nil
}

func (c constant) AddRSVP(context.Context, event.Token, event.RSVP) error { return nil }

func (c constant) RSVPName(context.Context, event.Token, event.Hash) (string, error) {
	return "A guest", nil
}

func (c constant) RemoveRSVP(context.Context, event.Token, event.Hash, time.Time) error { return nil }

func (c constant) AttendeesByEvent(context.Context, event.Token, event.Hash, event.Position, int) ([]event.RSVP, bool, error) {
	return c.rsvps, false, nil
}

func (c constant) Ready(context.Context) error { return nil }

// TestAllocations: no endpoint allocates more per request than was recorded. The
// numbers may only be lowered.
func TestAllocations(t *testing.T) {
	if underRaceDetector() {
		t.Skip("the race detector allocates, too")
	}
	token := event.NewToken()
	text := "A garden party with games and cake"
	store := constant{
		event: event.Event{Token: token, Title: text, Description: &text, DateTime: "2099-05-01T19:00:00+02:00", Timezone: "Europe/Berlin",
			ExpiresAt: time.Date(2099, 5, 8, 17, 0, 0, 0, time.UTC)},
		rsvps: slices.Repeat([]event.RSVP{{Name: "A guest"}}, 10),
	}
	h := httpapi.New(event.NewService(store), slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
	path := "/api/events/" + token.String()
	query := "?organizerToken=" + event.NewToken().String()
	for _, row := range []struct {
		endpoint   httpapi.Endpoint
		path, body string
		most       float64
	}{
		{httpapi.CreateEvent, "/api/events", `{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`, 55},
		{httpapi.GetEvent, path, "", 17},
		{httpapi.CancelEvent, path + query, `{"cancelled":true}`, 32},
		{httpapi.ListAttendees, path + "/attendees" + query, "", 20},
		{httpapi.CreateRSVP, path + "/rsvps", `{"name":"A guest"}`, 36},
		{httpapi.GetRSVP, path + "/rsvps/" + event.NewToken().String(), "", 16},
		{httpapi.CancelRSVP, path + "/rsvps/" + event.NewToken().String(), "", 13},
		{httpapi.Health, "/api/health", "", 15},
	} {
		r := httptest.NewRequest(row.endpoint.Method, row.path, nil)
		w := httptest.NewRecorder()
		w.Body = nil // keeps none
		got := testing.AllocsPerRun(200, func() {
			r.Body = io.NopCloser(bytes.NewReader([]byte(row.body)))
			h.ServeHTTP(w, r)
		})
		if w.Code >= 300 || got > row.most {
			t.Errorf("%s: status %d, %v allocations, at most %v were recorded", row.endpoint.Name, w.Code, got, row.most)
		}
	}
}

func underRaceDetector() bool {
	build, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
