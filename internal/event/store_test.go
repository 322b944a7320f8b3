package event_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestPage: the pages contain every RSVP once and in order, and are as few as the
// bound allows.
func TestPage(t *testing.T) {
	at := func(n int) time.Time { return now.Add(time.Duration(n)) }
	rsvps := []event.RSVP{
		{Hash: event.Hash{3}, Name: "Dora", CreatedAt: at(2)},
		{Hash: event.Hash{2}, Name: "Cleo", CreatedAt: at(1)},
		{Hash: event.Hash{1}, Name: "Ben", CreatedAt: at(1)},
		{Hash: event.Hash{9}, Name: "Anna", CreatedAt: at(0)},
	}
	for maxBytes, want := range map[int]string{
		0:   "Anna|Ben|Cleo|Dora", // one at least
		7:   "Anna Ben|Cleo|Dora",
		8:   "Anna Ben|Cleo Dora",
		14:  "Anna Ben Cleo|Dora",
		15:  "Anna Ben Cleo Dora",
		100: "Anna Ben Cleo Dora",
	} {
		var pages []string
		var after event.Position
		for more := true; more && len(pages) < 9; {
			var page []event.RSVP
			page, more = event.Page(slices.Clone(rsvps), after, maxBytes)
			var names []string
			for _, r := range page {
				names = append(names, r.Name)
				after = r.Position()
			}
			pages = append(pages, strings.Join(names, " "))
		}
		if got := strings.Join(pages, "|"); got != want {
			t.Errorf("%d bytes: pages %s, want %s", maxBytes, got, want)
		}
		if rest, more := event.Page(slices.Clone(rsvps), after, maxBytes); len(rest) > 0 || more {
			t.Errorf("%d bytes: after the last RSVP there are %v, more: %v", maxBytes, rest, more)
		}
	}
	if page, more := event.Page(nil, event.Position{}, 0); len(page) > 0 || more {
		t.Errorf("a page of nothing has %v, more: %v", page, more)
	}
}

// TestPageGoesOnWhereTheLastRSVPWas, also if it has been cancelled, or only
// the first half of its hash is given.
func TestPageGoesOnWhereTheLastRSVPWas(t *testing.T) {
	last := event.Hash{5}
	last[15], last[16] = 1, 1
	after := last
	after[16] = 0
	next := last
	next[15]++
	rsvps := []event.RSVP{{Hash: last, Name: "Anna", CreatedAt: now}, {Hash: next, Name: "Ben", CreatedAt: now}}
	for _, stored := range [][]event.RSVP{rsvps, rsvps[1:]} {
		page, more := event.Page(stored, event.Position{CreatedAt: now, Hash: after}, 100)
		if len(page) != 1 || page[0].Name != "Ben" || more {
			t.Errorf("of %v follow %v, more: %v", stored, page, more)
		}
	}
}

func TestSameContent(t *testing.T) {
	e := event.Event{Title: "t", Description: new("d"), DateTime: "dt", Timezone: "tz", Location: new("l")}
	same := e
	same.Description, same.Location = new("d"), new("l")
	same.Token, same.Cancelled, same.AttendeeCount, same.ExpiresAt = event.NewToken(), true, 1, now
	if !e.SameContent(same) {
		t.Error("the same content is taken for another")
	}
	for name, change := range map[string]func(*event.Event){
		"title":          func(e *event.Event) { e.Title = "x" },
		"description":    func(e *event.Event) { e.Description = new("x") },
		"no description": func(e *event.Event) { e.Description = nil },
		"dateTime":       func(e *event.Event) { e.DateTime = "x" },
		"timezone":       func(e *event.Event) { e.Timezone = "x" },
		"location":       func(e *event.Event) { e.Location = new("") },
		"no location":    func(e *event.Event) { e.Location = nil },
	} {
		other := e
		change(&other)
		if e.SameContent(other) || other.SameContent(e) {
			t.Errorf("another %s is taken for the same", name)
		}
	}
}
