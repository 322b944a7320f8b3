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

// reads is a store that counts its reads. Reads of some events take a given time.
type reads struct {
	storetest.Memory
	n     int
	takes map[event.Token]time.Duration
}

func (s *reads) GetEvent(ctx context.Context, token event.Token) (event.Event, error) {
	s.n++
	if s.takes[token] > 0 {
		select {
		case <-time.After(s.takes[token]):
		case <-ctx.Done():
			return event.Event{}, event.ErrUnavailable
		}
	}
	return s.Memory.GetEvent(ctx, token)
}

const movedOrigin = "https://turnout.example"

// add stores an event that begins at this instant.
func (s *reads) add(t *testing.T, title, place string, at time.Time) event.Token {
	t.Helper()
	e := event.Event{
		Token:     event.NewToken(),
		Title:     title,
		Location:  &place,
		DateTime:  at.UTC().Format(time.RFC3339),
		Timezone:  "UTC",
		ExpiresAt: at.Add(event.RSVPWindow),
	}
	if err := s.CreateEvent(t.Context(), e, event.Hash{1}); err != nil {
		t.Fatal(err)
	}
	return e.Token
}

func (s *reads) cancel(t *testing.T, from event.Token, reason string, movedTo *event.Token) {
	t.Helper()
	c := event.Cancellation{Reason: &reason, MovedTo: movedTo}
	if err := s.CancelEvent(t.Context(), from, event.Hash{1}, c, time.Now()); err != nil {
		t.Fatal(err)
	}
}

func (s *reads) move(t *testing.T, from, to event.Token) { s.cancel(t, from, "The roof is wet.", &to) }

// moveOn moves an event several times, and returns the last event.
func (s *reads) moveOn(t *testing.T, from event.Token, times int) event.Token {
	t.Helper()
	for range times {
		to := s.add(t, "Supper", "Park", time.Now().Add(30*24*time.Hour))
		s.move(t, from, to)
		from = to
	}
	return from
}

// TestMoved: in each state of the new event, the old event's page, preview, calendar entry and card say that the event
// has moved, or that it is cancelled. At most three moves are followed, within a second.
func TestMoved(t *testing.T) {
	const day = 24 * time.Hour
	type state struct {
		title, place string
		in           time.Duration // the time until the new event begins
		change       func(t *testing.T, s *reads, old, to event.Token) (last event.Token)
		says         string // the heading of the form or of the text in its place; "" if the event is only cancelled
		reads        int    // the number of reads of other events
		unread       bool   // whether the read of another event is late
	}
	open := func(_ *testing.T, _ *reads, _, to event.Token) event.Token { return to }
	on := func(times int) func(*testing.T, *reads, event.Token, event.Token) event.Token {
		return func(t *testing.T, s *reads, _, to event.Token) event.Token { return s.moveOn(t, to, times) }
	}
	const (
		form      = "Are you coming?"
		elsewhere = "It’s somewhere else now."
		unread    = "The new event can’t be loaded right now"
	)
	for name, c := range map[string]state{
		"new date":    {"Supper", "Roof", 20 * day, open, form, 1, false},
		"new place":   {"Supper\u3000", "Park", 10 * day, open, form, 1, false},
		"anew":        {"Supper", "Roof", 10 * day, open, form, 1, false},
		"started":     {"Supper", "Park", -time.Hour, open, form, 1, false},
		"over":        {"Supper", "Roof", -day, open, "This event is over", 1, false},
		"other title": {"Ben’s party", "Park", 10 * day, open, elsewhere, 1, false},
		"closed":      {"Supper", "Roof", -8 * day, open, "", 1, false},
		"cancelled": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) event.Token {
			s.cancel(t, to, "The roof is wet.", nil)
			return to
		}, "", 1, false},
		"two moves":   {"Supper", "Roof", 20 * day, on(1), form, 2, false},
		"three moves": {"Supper", "Roof", 20 * day, on(2), form, 3, false},
		"four moves":  {"Supper", "Roof", 20 * day, on(3), "", 3, false},
		"moved back": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, old, to event.Token) event.Token {
			s.move(t, to, old)
			return to
		}, "", 3, false},
		"missing": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) event.Token {
			if _, err := s.EraseEvent(t.Context(), to, time.Now()); err != nil {
				t.Fatal(err)
			}
			return to
		}, "", 1, false},
		"unread": {"Supper", "Roof", 20 * day, func(_ *testing.T, s *reads, _, to event.Token) event.Token {
			s.takes = map[event.Token]time.Duration{to: time.Hour}
			return to
		}, unread, 1, true},
		"unread later": {"Supper", "Roof", 20 * day, func(t *testing.T, s *reads, _, to event.Token) event.Token {
			last := s.moveOn(t, to, 1)
			s.takes = map[event.Token]time.Duration{to: 600 * time.Millisecond, last: 600 * time.Millisecond}
			return last
		}, unread, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, now := &reads{}, time.Now()
				old, to := s.add(t, "Supper", "Roof", now.Add(10*day)), s.add(t, c.title, c.place, now.Add(c.in))
				s.move(t, old, to)
				last := c.change(t, s, old, to)
				serve := func(below string) string { return s.serve(t, old, below, 1+c.reads, !c.unread) }

				page := serve("")
				var event struct{ EventToken string }
				var way []*struct{ EventToken string }
				if data(t, page, "event", &event); event.EventToken != old.String() {
					t.Errorf("the page holds %q", event.EventToken)
				}
				read := c.reads
				if c.unread {
					read--
				}
				data(t, page, "way", &way)
				if len(way) != read {
					t.Fatalf("the page holds %d of the events that it has moved to, want %d", len(way), read)
				}
				if read > 0 && (way[read-1] == nil) != (name == "missing") {
					t.Errorf("the page holds %v as the last event", way[read-1])
				}
				if c.says != "" && !c.unread && way[read-1].EventToken != last.String() {
					t.Errorf("the page holds %s as the last event, want %s", way[read-1].EventToken, last)
				}
				calendar := strings.ReplaceAll(serve("/event.ics?cancelled=1"), "\r\n ", "")
				entry, others, _ := strings.Cut(calendar, "END:VEVENT\r\n")
				// A calendar that subscribes to the event follows the event's way. If the moves form a circle, the
				// calendar has each event once.
				entries := map[string]bool{old.String(): true}
				for _, to := range way {
					if to != nil && !entries[to.EventToken] {
						entries[to.EventToken] = true
						if strings.Count(others, "UID:"+to.EventToken+"@turnout") != 1 {
							t.Errorf("the calendar lacks %s: %s", to.EventToken, calendar)
						}
					}
				}
				if n := strings.Count(calendar, "BEGIN:VEVENT"); n != len(entries) {
					t.Errorf("%d entries, want %d: %s", n, len(entries), calendar)
				}
				if c.says != "" && !c.unread && strings.Count(others, "STATUS:CONFIRMED") != 1 {
					t.Errorf("the new event is not confirmed: %s", others)
				}
				serve("/" + site.CardName)
				uid := "UID:" + old.String() + "@turnout"
				has := []string{uid, "SEQUENCE:1", "STATUS:CANCELLED", `>The roof is wet.</p>`}
				if c.says == "" {
					has = append(has,
						`<p class="kicker"><span id="phase">Cancelled<`,
						` data-off data-files`,
						`"og:title" content="❌ Supper"`)
				} else {
					link := site.EventPages + last.String()
					has = append(has,
						`<p class="kicker"><span id="phase">Moved<`,
						">"+c.says+"</h2>",
						`"og:title" content="`+c.title,
						`" href="`+link+`">`,
						">"+c.title+"</h1>",
						movedOrigin+link+`\n`)
				}
				for _, part := range has {
					if n := strings.Count(page+entry, part); n != 1 {
						t.Errorf("%q stands %d times", part, n)
					}
				}
				was := strings.Contains(page, "Before: </span><span>Supper</span></s>")
				if was != (name == "other title") || strings.Contains(page, "See \u2068“Ben’s party”") {
					t.Errorf("the old title is shown: %t", was)
				}
			})
		})
	}
}

// TestReasonIsWhole: the page shows the organizer's words unchanged, and a link to the new event. A cancelled event
// counts as moved only if it has movedTo.
func TestReasonIsWhole(t *testing.T) {
	s, now := &reads{}, time.Now()
	to := s.add(t, "Supper", "Park", now.Add(time.Hour))
	link := movedOrigin + site.EventPages + to.String()
	for kicker, c := range map[string]struct {
		movedTo *event.Token
		reads   int
	}{"Cancelled": {nil, 1}, "Moved": {&to, 2}} {
		old := s.add(t, "Supper", "Roof", now.Add(time.Hour))
		s.cancel(t, old, "The roof is wet:\n"+link, c.movedTo)
		page := s.serve(t, old, "", c.reads, true)
		linked := strings.Contains(page, "The roof is wet:\n<a href=\""+link+`"`)
		if !linked || !strings.Contains(page, `<p class="kicker"><span id="phase">`+kicker+"<") {
			t.Errorf("without %q or the link: %s", kicker, page)
		}
	}
}

// serve requests an event's page, or the file `below` the page, and returns the response's body. It fails the test if
// the number of reads or the caching is not as given, or if the response takes more than a second.
func (s *reads) serve(t *testing.T, token event.Token, below string, reads int, cached bool) string {
	t.Helper()
	s.n = 0
	start, w, service, log := time.Now(), httptest.NewRecorder(), event.NewService(s), slog.New(slog.DiscardHandler)
	r := httptest.NewRequest(http.MethodGet, site.EventPages+token.String()+below, nil)
	r.Header.Set(site.OriginHeader, movedOrigin)
	r.Header.Set(site.LanguageHeader, "en-GB")
	handler := eventpage.NewHandler(service, log, site.Config{})
	if below == "/"+site.CardName {
		handler = card.NewHandler(service, log)
	}
	handler.ServeHTTP(w, r)
	control := w.Header().Get("Cache-Control")
	took := time.Since(start)
	if w.Code != http.StatusOK || s.n != reads || took > time.Second || cached != (control != "no-store") {
		t.Errorf("%s: %d after %d reads and %v, want %d, %s", below, w.Code, s.n, took, reads, control)
	}
	return w.Body.String()
}

// data reads the JSON in an element of a page, if the page has the element.
func data(t *testing.T, page, id string, into any) {
	t.Helper()
	_, after, found := strings.Cut(page, `<script type="application/json" id="`+id+`"`)
	_, after, _ = strings.Cut(after, ">")
	content, _, _ := strings.Cut(after, "</script>")
	if err := json.Unmarshal([]byte(content), into); found && err != nil {
		t.Error(err)
	}
}
