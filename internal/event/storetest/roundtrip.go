package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

func keepsEvents(t *testing.T, s Store) {
	// The fields that only cancels and counters set.
	wantAllFields(t, sampleEvent(), "Cancelled", "CancellationReason", "MovedTo", "AttendeeCount")
	wantAllFields(t, rsvp(1, "Anna"))
	for name, change := range map[string]func(*event.Event){
		"every field":                        func(*event.Event) {},
		"the organizer's spelling of a date": func(e *event.Event) { e.DateTime = "2100-06-15t17:00:00.120-00:00" },
		"the last expiry": func(e *event.Event) {
			e.DateTime = "9999-12-31T23:59:59-23:59"
			e.ExpiresAt = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
		},
		"created in the year 0":            func(e *event.Event) { e.CreatedAt = time.Date(0, 1, 1, 0, 0, 0, 1, time.UTC) },
		"created before 1970":              func(e *event.Event) { e.CreatedAt = time.Unix(-1, 500_000_000).UTC() },
		"created with 1970":                func(e *event.Event) { e.CreatedAt = time.Unix(0, 0).UTC() },
		"created half a second after that": func(e *event.Event) { e.CreatedAt = time.Unix(0, 500_000_000).UTC() },
		"an end before the beginning":      func(e *event.Event) { e.ExpiresAt = over },
		"moments of another zone": func(e *event.Event) {
			zone := time.FixedZone("", -9*3600-1800)
			e.CreatedAt, e.ExpiresAt = e.CreatedAt.In(zone), e.ExpiresAt.In(zone)
		},
	} {
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
}

// wantAllFields fails if a field of a sample has its zero value, because a store that does not keep the field returns
// the same value.
func wantAllFields(t *testing.T, sample any, but ...string) {
	t.Helper()
	for field, value := range reflect.ValueOf(sample).Fields() {
		if value.IsZero() && !slices.Contains(but, field.Name) {
			t.Errorf("the sample %T has no %s: set it, so that a store which loses it fails", sample, field.Name)
		}
	}
}

// keepsEventsApart uses adjacent tokens, also across a carry. So a range of keys that is one key too long finds the
// next event.
func keepsEventsApart(t *testing.T, s Store) {
	random := event.NewToken()
	var fixtures []fixture
	for _, end := range []string{"\xfd\xff", "\xfe\x00", "\xfe\x01", "\xfe\xff", "\xff\x00", "\xff\xff"} {
		e := sampleEvent()
		e.Token = random
		copy(e.Token[len(e.Token)-2:], end)
		fixtures = append(fixtures, newFixtureOf(t, s, e))
	}
	// The smallest and the largest id, which all events have.
	var low, high event.RSVPID
	low[len(low)-1] = 1
	for i := range high {
		high[i] = 0xff
	}
	for i, f := range fixtures {
		for n, id := range []event.RSVPID{high, low} {
			f.wantNil("CreateRSVP", f.createRSVP(event.RSVP{
				ID: id, Name: fmt.Sprint("guest ", i, n), CreatedAt: answered.Add(time.Duration(n)),
			}))
		}
	}
	for i, f := range fixtures {
		f.wantGuests(fmt.Sprint("guest ", i, 0), fmt.Sprint("guest ", i, 1))
	}
}
