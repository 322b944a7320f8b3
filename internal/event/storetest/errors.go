package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

// expiresExactly tries fractions of a second that rounding up or down would change, and clocks of other zones.
func expiresExactly(t *testing.T, s Store) {
	for _, fraction := range []time.Duration{0, 1, 499_999_999, 900 * time.Millisecond, 999_999_999} {
		t.Run(fraction.String(), func(t *testing.T) {
			e := sampleEvent()
			e.ExpiresAt = expires.Add(fraction)
			f := newFixtureOf(t, s, e)
			f.wantEvent(e)
			east, west := time.FixedZone("", 14*3600), time.FixedZone("", -12*3600)
			at := event.RSVP{ID: randomID(), Name: "Anna", CreatedAt: e.ExpiresAt.In(east)}
			f.wantNil("CreateRSVP as it expires", f.createRSVP(at))
			f.wantUnchanged(func() {
				after := event.RSVP{ID: randomID(), Name: "Ben", CreatedAt: e.ExpiresAt.Add(1).In(west)}
				f.wantError("CreateRSVP a nanosecond later", f.createRSVP(after), event.ErrEventExpired)
			})
			f.wantGuests("Anna")
		})
	}
}

// givesUp: every call whose context is done returns ErrUnavailable, and a write has happened whole or not at all.
func givesUp(t *testing.T, s Store) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for name, ctx := range map[string]context.Context{"cancelled": cancelled, "past its deadline": late} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, s)
			rsvps := f.admit("Anna", "Ben")
			fresh := sampleEvent()
			calls := Subject{f.event, f.organizer, rsvps[1], fresh, rsvp(2, "Cleo")}.Calls(s)
			for name, call := range calls {
				f.wantError(name, call(ctx), event.ErrUnavailable)
			}
			for _, method := range Methods() {
				if calls[method] == nil {
					t.Errorf("calls.go does not call %s: nobody tries it in an outage, or knows its cost", method)
				}
			}

			f.wantWhole("Anna")
			if _, err := (fixture{t, s, fresh, f.organizer}).getEvent(); !errors.Is(err, event.ErrEventNotFound) {
				f.wantNil("GetEvent", err)
				fixture{t, s, fresh, f.organizer}.wantWhole()
			}
		})
	}
}

// wantWhole asserts that details, counters and RSVPs agree, and that these guests are listed.
func (f fixture) wantWhole(names ...string) {
	f.t.Helper()
	if missing := difference(names, f.guests()); len(missing) > 0 {
		f.t.Errorf("attendees lack %q", missing)
	}
	e, err := f.getEvent()
	f.wantNil("GetEvent", err)
	r := rsvp(9, "the last guest")
	if e.Cancelled {
		f.wantError("CreateRSVP", f.createRSVP(r), event.ErrEventCancelled)
		return
	}
	f.wantNil("CreateRSVP", f.createRSVP(r))
	if !slices.Contains(f.guests(), r.Name) {
		f.t.Errorf("attendees lack %q", r.Name)
	}
}
