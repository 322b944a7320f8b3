package event_test

import (
	"reflect"
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

// TestSameContent goes through all fields, so that a new one cannot be forgotten.
func TestSameContent(t *testing.T) {
	issued := []string{"Token", "Cancelled", "CancellationReason", "AttendeeCount", "CreatedAt", "ExpiresAt"}
	sample := event.Event{Title: "t", Description: new("d"), DateTime: "dt", Timezone: "tz", Location: new("l")}
	other := event.Event{
		event.NewToken(), "x", new("x"), "x", "x", new("x"), true, new("x"), 1, now, now, // all fields
	}
	equal := sample
	equal.Description, equal.Location = new("d"), new("l")
	if !sample.SameContent(equal) {
		t.Error("equal texts are taken for other content")
	}
	for field := range reflect.TypeFor[event.Event]().Fields() {
		isContent := !slices.Contains(issued, field.Name)
		if isContent && reflect.ValueOf(sample).FieldByIndex(field.Index).IsZero() {
			t.Errorf("the sample has no %s: nobody would notice that it is not compared", field.Name)
		}
		for _, from := range []event.Event{other, {}} {
			changed := sample
			reflect.ValueOf(&changed).Elem().FieldByIndex(field.Index).Set(reflect.ValueOf(from).FieldByIndex(field.Index))
			if sample.SameContent(changed) == isContent || changed.SameContent(sample) == isContent {
				t.Errorf("another %s: same content is %v", field.Name, isContent)
			}
		}
	}
}
