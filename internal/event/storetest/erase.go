package storetest

import (
	"context"
	"testing"
	"time"

	"turnout/internal/event"
)

// An Eraser is a store from which operators can erase events and guests.
type Eraser interface {
	// EraseEvent deletes an event with its RSVPs for good, in whatever state it is. Its
	// token stays taken, for at least a year and until the event would have expired. It
	// returns how many items it deleted, the details included, or ErrEventNotFound.
	EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error)

	// EraseRSVPs removes the RSVP with exactly that name, or with all every such RSVP, as
	// RemoveRSVP does, and returns their number. Errors: ErrEventNotFound, and those of
	// event.CheckNamed, which change nothing.
	EraseRSVPs(ctx context.Context, token event.Token, name string, all bool) (int, error)
}

func erases(t *testing.T, s Store) {
	other := newFixture(t, s)
	other.admit("Anna")
	for name, prepare := range map[string]func(f fixture){
		"active":    func(fixture) {},
		"cancelled": func(f fixture) { f.wantNil("CancelEvent", f.cancel(f.organizer, new("rain"), answered)) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, s)
			rsvps := f.admit("Anna", "Ben", "Cleo")
			f.wantNil("RemoveRSVP", f.remove(rsvps[2].Hash))
			prepare(f)
			f.guests() // a cache holds the event by now

			n, err := f.store.EraseEvent(f.ctx(), f.event.Token, answered)
			f.wantNil("EraseEvent", err)
			if n != 1+len(rsvps) { // the removed one leaves an item, too
				t.Errorf("%d items were erased, want %d", n, 1+len(rsvps))
			}
			f.wantErased(rsvps)
		})
	}
	other.event.AttendeeCount = 1
	other.wantEvent(other.event)
	other.wantGuests("Anna")
	unknown := fixture{t, s, event.Event{Token: event.NewToken()}, other.organizer}
	unknown.wantNothingToErase(answered)
	if pieces := unknown.pieces(); len(pieces) > 0 {
		t.Errorf("stored are %v", pieces)
	}
}

// wantErased asserts that the event does not exist and is not created again, and that its RSVPs
// are deleted.
func (f fixture) wantErased(rsvps []event.RSVP) {
	f.t.Helper()
	before := f.pieces()
	for _, now := range []time.Time{answered, over} {
		_, err := f.read()
		f.wantError("EventByToken", err, event.ErrEventNotFound)
		_, err = f.list(f.organizer)
		f.wantError("AttendeesByEvent", err, event.ErrEventNotFound)
		for _, organizer := range []event.Hash{f.organizer, randomHash(), {}} {
			f.wantError("CancelEvent", f.cancel(organizer, nil, now), event.ErrEventNotFound)
		}
		for _, r := range append(rsvps, rsvp(9, "Dora")) {
			r.CreatedAt = now
			f.wantError("AddRSVP", f.add(r), event.ErrEventNotFound)
			f.wantNil("RemoveRSVP", f.remove(r.Hash))
		}
		// A key makes the same token: it does not create the event again.
		f.wantError("AddEvent", f.create(f.event, f.organizer), event.ErrTokenTaken)
		f.wantError("AddEvent of another organizer", f.create(f.event, randomHash()), event.ErrTokenTaken)
		f.wantNothingToErase(now)
	}
	if now := f.pieces(); len(difference(now, before))+len(difference(before, now)) > 0 {
		f.t.Errorf("stored are %v, want %v", now, before)
	}
	for _, p := range before {
		if p.Part == RSVPs {
			f.t.Errorf("%v is left", p)
		}
	}
}

func (f fixture) wantNothingToErase(now time.Time) {
	f.t.Helper()
	items, err := f.store.EraseEvent(f.ctx(), f.event.Token, now)
	f.wantError("EraseEvent", err, event.ErrEventNotFound)
	rsvps, err := f.store.EraseRSVPs(f.ctx(), f.event.Token, "Anna", true)
	f.wantError("EraseRSVPs", err, event.ErrEventNotFound)
	if items+rsvps > 0 {
		f.t.Errorf("%d items and %d RSVPs were erased", items, rsvps)
	}
}

func erasesByName(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben", "Anna", "anna", "Anna ")
	for _, step := range []struct {
		name string
		all  bool
		n    int
		left []string
	}{
		{"Dora", true, 0, []string{"Anna", "Ben", "Anna", "anna", "Anna "}},
		{"", true, 0, []string{"Anna", "Ben", "Anna", "anna", "Anna "}},
		{"Anna", false, 0, []string{"Anna", "Ben", "Anna", "anna", "Anna "}},
		{"Anna", true, 2, []string{"Ben", "anna", "Anna "}},
		{"Anna", true, 0, []string{"Ben", "anna", "Anna "}},
		{"", true, 0, []string{"Ben", "anna", "Anna "}}, // nor those that were removed
		{"Ben", false, 1, []string{"anna", "Anna "}},
	} {
		n, err := f.store.EraseRSVPs(f.ctx(), f.event.Token, step.name, step.all)
		if n != step.n || (err == nil) != (n > 0) {
			t.Errorf("%d RSVPs of %q are erased, want %d: %v", n, step.name, step.n, err)
		}
		f.wantGuests(step.left...)
	}
	f.wantError("AddRSVP again", f.add(rsvps[0]), event.ErrTokenTaken)
}
