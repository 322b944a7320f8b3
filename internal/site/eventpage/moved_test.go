package eventpage_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/site"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
)

// reads is a store that counts its reads. The event that is unread does not answer until the deadline.
type reads struct {
	storetest.Memory
	n      int
	unread event.Token
}

func (s *reads) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	s.n++
	if token == s.unread {
		<-ctx.Done()
		return event.Event{}, event.ErrUnavailable
	}
	return s.Memory.EventByToken(ctx, token)
}

const movedOrigin = "https://turnout.example"

// add stores an event that begins at this moment.
func (s *reads) add(t *testing.T, title, place string, at time.Time) event.Token {
	t.Helper()
	e := event.Event{
		Token: event.NewToken(), Title: title, Location: &place, DateTime: at.UTC().Format(time.RFC3339), Timezone: "UTC",
		ExpiresAt: at.Add(event.RSVPWindow),
	}
	if err := s.AddEvent(t.Context(), e, event.Hash{1}); err != nil {
		t.Fatal(err)
	}
	return e.Token
}

// move cancels an event with the link to another one.
func (s *reads) move(t *testing.T, from, to event.Token) {
	t.Helper()
	reason := "The roof is wet.\n\nNew date: soon\n" + movedOrigin + site.EventPages + to.String()
	if err := s.CancelEvent(t.Context(), from, event.Hash{1}, event.Cancellation{Reason: &reason}, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// TestMoved: in each state of the new event, the page, the preview, the calendar's entry and the picture of
// the old one say that it has moved, or that it is cancelled. They take one read more, and a second at most.
func TestMoved(t *testing.T) {
	const day = 24 * time.Hour
	type state struct {
		title, place string
		in           time.Duration // until it begins
		change       func(t *testing.T, s *reads, old, to event.Token)
		asks         string // "" if the old event is cancelled
	}
	open := func(*testing.T, *reads, event.Token, event.Token) {}
	const elsewhere = "It’s somewhere else now. Still coming?"
	for name, c := range map[string]state{
		"new date":    {"Supper", "Roof", 20 * day, open, "There’s a new date. Still coming?"},
		"new place":   {"Supper\u3000", "Park", 10 * day, open, elsewhere},
		"anew":        {"Supper", "Roof", 10 * day, open, "It’s announced anew. Still coming?"},
		"started":     {"Supper", "Park", -time.Hour, open, "There’s a new date. Still coming?"},
		"over":        {"Supper", "Roof", -day, open, "This event is over"},
		"other title": {"Ben’s party", "Park", 10 * day, open, elsewhere},
		"closed":      {"Supper", "Roof", -8 * day, open, ""},
		"cancelled": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) {
			if err := s.CancelEvent(t.Context(), to, event.Hash{1}, event.Cancellation{}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"moved on": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) {
			s.move(t, to, s.add(t, "Supper", "Park", time.Now().Add(30*day)))
		}, ""},
		"moved back": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, old, to event.Token) { s.move(t, to, old) }, ""},
		"missing": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) {
			if _, err := s.EraseEvent(t.Context(), to, time.Now()); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"unread": {"Supper", "Roof", 20 * day, func(_ *testing.T, s *reads, _, to event.Token) { s.unread = to }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, now := &reads{}, time.Now()
				old, to := s.add(t, "Supper", "Roof", now.Add(10*day)), s.add(t, c.title, c.place, now.Add(c.in))
				s.move(t, old, to)
				c.change(t, s, old, to)
				link := movedOrigin + site.EventPages + to.String()

				page := s.serve(t, old, "")
				var event, target struct{ EventToken string }
				if data(t, page, "event", &event); event.EventToken != old.String() {
					t.Errorf("the page holds %q", event.EventToken)
				}
				if data(t, page, "moved-to", &target); (target.EventToken == to.String()) != (c.asks != "") {
					t.Errorf("the page holds the new event %q", target.EventToken)
				}
				entry := strings.ReplaceAll(s.serve(t, old, "/event.ics"), "\r\n ", "")
				s.serve(t, old, "/"+site.CardName)
				has := []string{"UID:" + old.String() + "@turnout", "SEQUENCE:1", "STATUS:CANCELLED"}
				if c.asks == "" {
					has = append(has, "<p class=\"kicker\">Cancelled<", "<h2 tabindex=\"-1\">This event is cancelled<", `"og:title" content="Cancelled: Supper"`, "New date: soon\n<a href=\""+link+"\"")
				} else {
					has = append(has, "<p class=\"kicker\">Moved<", ">"+c.asks+"</h2>", `dir="auto">The roof is wet.</p>`, `"og:title" content="Moved: `+c.title,
						`<a class="primary" href="`+site.EventPages+to.String()+`">`, ">"+c.title+"</h1>", `\n`+link+`\n`)
				}
				for _, part := range has {
					if n := strings.Count(page+entry, part); n != 1 {
						t.Errorf("%q stands %d times", part, n)
					}
				}
				if was := strings.Contains(page, "Before: </span>Supper</s>"); was != (name == "other title") || strings.Contains(page, "See \u2068“Ben’s party”") {
					t.Errorf("the old title is shown: %t", was)
				}
			})
		})
	}
}

// serve returns the file served for an event, within a second and two reads. It is cached only if both events
// were read.
func (s *reads) serve(t *testing.T, token event.Token, below string) string {
	t.Helper()
	s.n = 0
	start, w, service, log := time.Now(), httptest.NewRecorder(), event.NewService(s), slog.New(slog.DiscardHandler)
	r := httptest.NewRequest(http.MethodGet, site.EventPages+token.String()+below, nil)
	r.Header.Set(site.OriginHeader, movedOrigin)
	r.Header.Set(site.LanguageHeader, "en-GB")
	handler := eventpage.NewHandler(service, log)
	if below == "/"+site.CardName {
		handler = card.NewHandler(service, log)
	}
	handler.ServeHTTP(w, r)
	cached := w.Header().Get("Cache-Control") != "no-store"
	if took := time.Since(start); w.Code != http.StatusOK || s.n != 2 || took > time.Second || cached != (s.unread == event.Token{}) {
		t.Errorf("%s: %d after %d reads and %v, cached: %t", below, w.Code, s.n, took, cached)
	}
	return w.Body.String()
}

// data reads the JSON that a page holds in an element, if there is one.
func data(t *testing.T, page, id string, into any) {
	t.Helper()
	_, after, found := strings.Cut(page, `<script type="application/json" id="`+id+`"`)
	_, after, _ = strings.Cut(after, ">")
	content, _, _ := strings.Cut(after, "</script>")
	if err := json.Unmarshal([]byte(content), into); found && err != nil {
		t.Error(err)
	}
}
