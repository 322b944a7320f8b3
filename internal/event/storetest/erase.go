package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

// An Eraser is a store from which operators can erase events and guests.
type Eraser interface {
	// EachEvent calls do for each of the tokens, with the event or the error of GetEvent. It stops at the first error
	// of do, and returns it.
	EachEvent(ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error) error

	// EraseEvent deletes an event with its RSVPs for good, in any state. Its token stays
	// taken, for at least a year and until the event would have expired. It returns how many
	// items it deleted, the details included, or ErrEventNotFound.
	EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error)

	// EraseRSVPs removes the RSVP with exactly this name, as CancelRSVP does. If all is true, it removes every such
	// RSVP. It returns the number of removed RSVPs. After ErrEventNotFound or an error of event.Named, it has changed
	// nothing.
	EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, now time.Time) (int, error)
}

// erases: an erased event does not exist, and no call brings it back.
func erases(t *testing.T, s Store) {
	for name, cancelled := range map[string]bool{"active": false, "cancelled": true} {
		t.Run(name, func(t *testing.T) {
			f, other := newFixture(t, s), newFixture(t, s)
			rsvps, left := f.admit("Anna", "Ben", "Cleo"), other.admit("Anna")
			f.wantNil("CancelRSVP", f.cancelRSVP(rsvps[2].ID))
			if cancelled {
				f.wantNil("CancelEvent", f.cancelEvent(f.organizer, new("rain"), answered))
			}
			n, err := s.EraseEvent(f.ctx(), f.event.Token, answered)
			f.wantNil("EraseEvent", err)
			if n != 1+len(rsvps) { // the RSVP that was cancelled leaves an item, too
				t.Errorf("%d items were erased, want %d", n, 1+len(rsvps))
			}
			if slices.ContainsFunc(f.items(), func(p Item) bool { return p.Part == RSVPs }) {
				t.Errorf("left are %v", f.items())
			}
			f.wantNothingRecreated(func() {
				for _, now := range []time.Time{answered, over} {
					f.wantMissing(append(rsvps, rsvp(9, "Dora")), now)
					// A key makes the same token: it does not create the event again.
					f.wantError("CreateEvent", f.createEvent(f.event, f.organizer), event.ErrTokenTaken)
					another := f.createEvent(f.event, randomHash())
					f.wantError("CreateEvent of another organizer", another, event.ErrTokenTaken)
				}
			})
			other.wantGuests(namesOf(left)...)
			wantEach(t, s, other.event.Title, other.event.Token, f.event.Token, event.NewToken())
		})
	}
	unknown := fixture{t, s, sampleEvent(), randomHash()}
	unknown.wantNothingRecreated(func() { unknown.wantMissing([]event.RSVP{rsvp(0, "Dora")}, over) })
}

// wantEach asserts that EachEvent finds the first of the tokens alone, and that it stops at an error.
func wantEach(t *testing.T, s Store, title string, tokens ...event.Token) {
	t.Helper()
	var got []event.Token
	err := s.EachEvent(t.Context(), tokens, func(token event.Token, e event.Event, err error) error {
		got = append(got, token)
		if isFirst := len(got) == 1; e.Title == title != isFirst || errors.Is(err, event.ErrEventNotFound) == isFirst {
			t.Errorf("EachEvent, call %d: %q, %v", len(got), e.Title, err)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, tokens) {
		t.Errorf("EachEvent: %v of %v, %v", got, tokens, err)
	}
	stop, calls := errors.New("stop"), 0
	err = s.EachEvent(t.Context(), tokens, func(event.Token, event.Event, error) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("EachEvent: %v after %d calls", err, calls)
	}
}

// wantMissing asserts that every call finds no such event.
func (f fixture) wantMissing(rsvps []event.RSVP, now time.Time) {
	f.t.Helper()
	_, err := f.getEvent()
	f.wantError("GetEvent", err, event.ErrEventNotFound)
	_, err = f.listAttendees(f.organizer)
	f.wantError("ListAttendees", err, event.ErrEventNotFound)
	f.wantError("CancelEvent", f.cancelEvent(f.organizer, nil, now), event.ErrEventNotFound)
	for _, r := range rsvps {
		r.CreatedAt = now
		_, err := f.getRSVP(r.ID)
		f.wantError("GetRSVP", err, event.ErrEventNotFound)
		f.wantError("CreateRSVP", f.createRSVP(r), event.ErrEventNotFound)
		f.wantNil("CancelRSVP", f.cancelRSVP(r.ID))
	}
	items, err := f.store.EraseEvent(f.ctx(), f.event.Token, now)
	f.wantError("EraseEvent", err, event.ErrEventNotFound)
	erased, err := f.store.EraseRSVPs(f.ctx(), f.event.Token, "Anna", true, now)
	f.wantError("EraseRSVPs", err, event.ErrEventNotFound)
	if items+erased > 0 {
		f.t.Errorf("%d items and %d RSVPs were erased", items, erased)
	}
}

func erasesByName(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben", "Anna", "anna", "Anna ")
	all := namesOf(rsvps)
	for _, step := range []struct {
		name string
		all  bool
		left []string
	}{
		{"Dora", true, all},
		{"", true, all},
		{"Anna", false, all},
		{"Anna", true, []string{"Ben", "anna", "Anna "}},
		{"Anna", true, []string{"Ben", "anna", "Anna "}},
		{"", true, []string{"Ben", "anna", "Anna "}}, // no RSVP that was cancelled is erased either
		{"Ben", false, []string{"anna", "Anna "}},
	} {
		before := len(f.guests())
		n, err := s.EraseRSVPs(f.ctx(), f.event.Token, step.name, step.all, answered)
		if n != before-len(step.left) || (err == nil) != (n > 0) {
			t.Errorf("%d RSVPs of %q are erased: %v", n, step.name, err)
		}
		f.wantGuests(step.left...)
	}
	f.wantError("CreateRSVP again", f.createRSVP(rsvps[0]), event.ErrTokenTaken)
}
