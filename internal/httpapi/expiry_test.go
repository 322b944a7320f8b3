package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
)

// TestExpiry: the last moment of an event takes RSVPs, the next one does not; an
// RSVP that was made in time is answered again with its key, whenever that is.
func TestExpiry(t *testing.T) {
	expires := time.Date(2027, time.May, 8, 17, 0, 0, 900_000_001, time.UTC)
	now := expires.AddDate(0, -1, 0)
	service := event.NewService(new(storetest.Memory))
	service.Now = func() time.Time { return now }
	api := httpapi.New(service, slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
	post := func(path, key, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Idempotency-Key", key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		return w
	}
	key := uuid.NewString()
	const party = `{"title":"Party","dateTime":"2027-05-01T19:00:00.900000001+02:00","timezone":"Europe/Berlin"}`
	created := post("/api/events", key, party)
	if created.Code != http.StatusCreated {
		t.Fatal(created.Code, created.Body)
	}
	rsvps := created.Header().Get("Location") + "/rsvps"

	now = expires
	first := post(rsvps, key, `{"name":"Ada"}`)
	if first.Code != http.StatusCreated {
		t.Fatal(first.Code, first.Body)
	}
	now = expires.Add(time.Nanosecond)
	for name, test := range map[string]struct {
		key, body string
		status    int
		answer    string
	}{
		"again":        {key, `{"name":"Ada"}`, http.StatusCreated, first.Body.String()},
		"another name": {key, `{"name":"Ben"}`, http.StatusUnprocessableEntity, "idempotency-key-reused"},
		"too late":     {uuid.NewString(), `{"name":"Ada"}`, http.StatusConflict, "event-expired"},
	} {
		if w := post(rsvps, test.key, test.body); w.Code != test.status || !strings.Contains(w.Body.String(), test.answer) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := post("/api/events", key, party); w.Code != http.StatusCreated || w.Body.String() != created.Body.String() {
		t.Errorf("the event again: %d %s", w.Code, w.Body)
	}
}
