package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// edgeCases are texts that databases, encodings and trimming are known to change.
var edgeCases = []string{
	" \t\r\n ",
	"\x00",
	"before\x00after",
	`"quoted", \escaped\, <b>&amp;</b>, {"$": null}, EVENT#DETAILS`,
	"e\u0301 is not \u00e9",
	"\ufeff\u200b\u202e\u2028\ufffd\uffff\U0010ffff",
	"👩‍👩‍👧‍👦🏳️‍🌈",
}

func keepsEvents(t *testing.T, s Store) {
	wantAllFields(t, sampleEvent(), "Cancelled", "CancellationReason", "MovedTo", "AttendeeCount") // these are set below
	keep := func(name string, change func(*event.Event)) {
		t.Run(name, func(t *testing.T) {
			e := sampleEvent()
			change(&e)
			f := newFixtureOf(t, s, e)
			f.wantEvent(e)
			f.admit("Anna", "Ben")
			e.AttendeeCount = 2
			f.wantEvent(e)
		})
	}
	keep("every field", func(*event.Event) {})
	keep("no optional text", func(e *event.Event) { e.Description, e.Location, e.Host = nil, nil, nil })
	keep("empty optional text", func(e *event.Event) { e.Description, e.Location = new(""), new("") })
	for _, text := range edgeCases {
		keep(fmt.Sprintf("%+q", text), func(e *event.Event) {
			e.Title, e.Description, e.Location, e.Host = text, &text, &text, &text
		})
	}
	keep("the longest texts", func(e *event.Event) {
		e.Title = strings.Repeat("😀", 200)
		e.Description = new(strings.Repeat("😀", 2000))
		e.Location = new(strings.Repeat("😀", 500))
		e.Host = new(strings.Repeat("😀", 100))
	})
	keep("the organizer's spelling of the date", func(e *event.Event) { e.DateTime = "2100-06-15t17:00:00.120-00:00" })
	keep("an end in the year 10000", func(e *event.Event) {
		e.DateTime = "9999-12-31T23:59:59-23:59"
		e.ExpiresAt = time.Date(10000, time.January, 8, 23, 58, 59, 0, time.UTC)
	})
	keep("an end within a second", func(e *event.Event) { e.ExpiresAt = expires.Add(900_000_001) })
	keep("an end before the beginning", func(e *event.Event) { e.ExpiresAt = over })
	keep("moments of another zone", func(e *event.Event) {
		zone := time.FixedZone("", -9*3600-1800)
		e.CreatedAt, e.ExpiresAt = e.CreatedAt.In(zone), e.ExpiresAt.In(zone)
	})

	for _, reason := range append([]string{"", strings.Repeat("😀", 2000)}, edgeCases...) {
		t.Run(fmt.Sprintf("reason %.20q", reason), func(t *testing.T) {
			f := newFixture(t, s)
			f.admit("Anna")
			f.wantNil("CancelEvent", f.cancel(f.organizer, &reason, answered))
			f.event.Cancelled, f.event.CancellationReason, f.event.AttendeeCount = true, &reason, 1
			f.wantEvent(f.event)
		})
	}
	for name, moved := range map[string]event.Cancellation{
		"moved": {MovedTo: new(event.NewToken())}, "moved for a reason": {Reason: new("rain"), MovedTo: new(event.NewToken())},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, s)
			f.wantNil("CancelEvent", f.cancelWith(f.organizer, moved, answered))
			f.event.Cancelled, f.event.CancellationReason, f.event.MovedTo = true, moved.Reason, moved.MovedTo
			f.wantEvent(f.event)
		})
	}
}

func keepsNames(t *testing.T, s Store) {
	wantAllFields(t, rsvp(1, "Anna"))
	f := newFixture(t, s)
	names := append([]string{strings.Repeat("😀", 100), "Anna", "Anna", " Anna "}, edgeCases...)
	rsvps := f.admit(names...)
	f.wantGuests(names...)
	f.wantRSVPs(f.pages(1, nil), rsvps)
	for _, r := range rsvps {
		name, err := f.name(r.Hash)
		f.wantNil("RSVPName", err)
		if name != r.Name {
			t.Errorf("RSVPName: %.200q, want %.200q", name, r.Name)
		}
	}
}

// wantAllFields fails where a sample leaves a field at its zero value, which a
// store that does not keep the field returns as well.
func wantAllFields(t *testing.T, sample any, but ...string) {
	t.Helper()
	for field, value := range reflect.ValueOf(sample).Fields() {
		if value.IsZero() && !slices.Contains(but, field.Name) {
			t.Errorf("the sample %T has no %s: set it, so that a store which loses it fails", sample, field.Name)
		}
	}
}

// The tokens are adjacent, also across a carry, so that a range which reaches
// too far by one finds the next event.
func keepsEventsApart(t *testing.T, s Store) {
	random := event.NewToken()
	var fixtures []fixture
	for _, end := range []string{"\xfd\xff", "\xfe\x00", "\xfe\x01", "\xfe\xff", "\xff\x00", "\xff\xff"} {
		e := sampleEvent()
		e.Token = random
		copy(e.Token[len(e.Token)-2:], end)
		fixtures = append(fixtures, newFixtureOf(t, s, e))
	}
	// Hashes at both ends of their range, the same ones in all events.
	var low, high event.Hash
	low[len(low)-1] = 1
	for i := range high {
		high[i] = 0xff
	}
	for i, f := range fixtures {
		for n, hash := range []event.Hash{high, low} {
			f.wantNil("AddRSVP", f.add(event.RSVP{
				Hash: hash, Name: fmt.Sprint("guest ", i, n), CreatedAt: answered.Add(time.Duration(n)),
			}))
		}
	}
	for i, f := range fixtures {
		f.wantGuests(fmt.Sprint("guest ", i, 0), fmt.Sprint("guest ", i, 1))
	}
}
