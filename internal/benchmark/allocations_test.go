package benchmark

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
)

var token, organizer, rsvp = event.NewToken(), event.NewToken(), event.NewToken()

// A row has the body of a request to an endpoint, and the most allocations that the request may need.
type row struct {
	body string
	most float64
}

var rows = map[string]row{
	httpapi.CreateEvent.Name: {
		`{"title":"Garden party","dateTime":"2099-05-01T19:00:00+02:00","timezone":"Europe/Berlin"}`, mostAllocations,
	},
	httpapi.GetEvent.Name:      {"", 17},
	httpapi.CancelEvent.Name:   {`{"cancelled":true}`, 33},
	httpapi.ListAttendees.Name: {"", 22},
	httpapi.CreateRSVP.Name:    {`{"name":"A guest"}`, 36},
	httpapi.GetRSVP.Name:       {"", 16},
	httpapi.CancelRSVP.Name:    {"", 13},
	httpapi.Health.Name:        {"", 15},
}

// mostAllocations is the largest number in rows. It bounds an endpoint without a row.
const mostAllocations = 55

// stored returns a store with an event and two RSVPs.
func stored(t *testing.T) event.Store {
	t.Helper()
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
	return store
}

// TestAllocations: no endpoint allocates more per request than was recorded. The
// numbers may only be lowered, except for a newer Go or library that allocates more.
func TestAllocations(t *testing.T) {
	if !*measure {
		t.Skip("make bench measures")
	}
	values := strings.NewReplacer("{eventToken}", token.String(), "{rsvpToken}", rsvp.String())
	for _, endpoint := range httpapi.Endpoints() {
		h := httpapi.New(event.NewService(stored(t)), slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
		path := values.Replace(endpoint.Path) + "?organizerToken=" + organizer.String()
		of := cmp.Or(rows[endpoint.Name], row{most: mostAllocations})
		r := httptest.NewRequest(endpoint.Method, path, nil)
		r.Header.Set("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9324") // each call after the first is a repeat
		w := httptest.NewRecorder()
		w.Body = nil // the recorder does not store the body
		got := testing.AllocsPerRun(200, func() {
			r.Body = io.NopCloser(bytes.NewReader([]byte(of.body)))
			h.ServeHTTP(w, r)
		})
		if w.Code >= 300 || got > of.most {
			t.Errorf("%s: status %d, %v allocations, at most %v were recorded", endpoint.Name, w.Code, got, of.most)
		}
	}
}
