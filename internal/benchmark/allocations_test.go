package benchmark

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
)

// TestAllocations: no endpoint allocates more per request than was recorded. The
// numbers may only be lowered, except for a newer Go or library that allocates more.
func TestAllocations(t *testing.T) {
	if !*measure {
		t.Skip("make bench measures")
	}
	token, organizer, rsvp := event.NewToken(), event.NewToken(), event.NewToken()
	text, store := "A garden party with games and cake", new(storetest.Memory)
	e := event.Event{
		Token:       token,
		Title:       text,
		Description: &text,
		DateTime:    "2099-05-01T19:00:00+02:00",
		Timezone:    "Europe/Berlin",
		ExpiresAt:   time.Date(2099, 5, 8, 17, 0, 0, 0, time.UTC),
	}
	err := store.CreateEvent(t.Context(), e, organizer.Hash())
	for _, guest := range []event.Token{rsvp, event.NewToken()} {
		err = errors.Join(err, store.CreateRSVP(t.Context(), token, event.RSVP{ID: guest.RSVPID(), Name: "A guest"}))
	}
	if err != nil {
		t.Fatal(err)
	}
	h := httpapi.New(event.NewService(store), slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
	path := "/api/events/" + token.String()
	query := "?organizerToken=" + organizer.String()
	for _, row := range []struct {
		endpoint   httpapi.Endpoint
		path, body string
		most       float64
	}{
		{httpapi.CreateEvent, "/api/events", `{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`, 55},
		{httpapi.GetEvent, path, "", 17},
		{httpapi.ListAttendees, path + "/attendees" + query, "", 22},
		{httpapi.CreateRSVP, path + "/rsvps", `{"name":"A guest"}`, 36},
		{httpapi.GetRSVP, path + "/rsvps/" + rsvp.String(), "", 16},
		{httpapi.CancelRSVP, path + "/rsvps/" + event.NewToken().String(), "", 13},
		{httpapi.Health, "/api/health", "", 15},
		{httpapi.CancelEvent, path + query, `{"cancelled":true}`, 33},
	} {
		r := httptest.NewRequest(row.endpoint.Method, row.path, nil)
		r.Header.Set("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9324") // each call after the first is a repeat
		w := httptest.NewRecorder()
		w.Body = nil // the recorder does not store the body
		got := testing.AllocsPerRun(200, func() {
			r.Body = io.NopCloser(bytes.NewReader([]byte(row.body)))
			h.ServeHTTP(w, r)
		})
		if w.Code >= 300 || got > row.most {
			t.Errorf("%s: status %d, %v allocations, at most %v were recorded",
				row.endpoint.Name, w.Code, got, row.most)
		}
	}
}
