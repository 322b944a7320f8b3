package storetest

import (
	"testing"
	"time"

	"turnout/internal/event"
)

// A store deletes only what has expired, so these tests use events that are over.
// A store that never deletes a part alone is not tested here.

func withoutCounters(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben")
	if f.deletePart(Counters) == 0 {
		t.Skip("has no counters that can be deleted")
	}
	f.wantEvent(f.event) // it counts no guests
	f.wantNothingRecreated(func() {
		r := event.RSVP{Hash: randomHash(), Name: "Cleo", CreatedAt: over}
		f.wantError("AddRSVP", f.add(r), event.ErrEventExpired)
		f.wantNil("RemoveRSVP", f.remove(rsvps[0].Hash))
		f.wantNil("RemoveRSVP again", f.remove(rsvps[0].Hash))
		f.wantEvent(f.event)
	})
	f.wantNil("CancelEvent", f.cancel(f.organizer, new("rain"), over))
	f.wantError("CancelEvent again", f.cancel(f.organizer, nil, over), event.ErrAlreadyCancelled)
	f.wantNil("RemoveRSVP", f.remove(rsvps[1].Hash))
	r := event.RSVP{Hash: randomHash(), Name: "Cleo", CreatedAt: over}
	f.wantError("AddRSVP", f.add(r), event.ErrEventCancelled)

	f.event.Cancelled, f.event.CancellationReason = true, new("rain")
	f.wantEvent(f.event)
	f.wantGuests()
}

func withoutDetails(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben")
	f.deletePart(Details)
	unknown := func() {
		t.Helper()
		f.wantNothingRecreated(func() {
			_, err := f.read()
			f.wantError("EventByToken", err, event.ErrEventNotFound)
			_, err = f.list(f.organizer)
			f.wantError("AttendeesByEvent", err, event.ErrEventNotFound)
			f.wantError("CancelEvent", f.cancel(f.organizer, nil, over), event.ErrEventNotFound)
			f.wantError("AddRSVP", f.add(rsvp(2, "Cleo")), event.ErrEventNotFound)
			f.wantError("AddRSVP", f.add(event.RSVP{Hash: randomHash(), Name: "Cleo", CreatedAt: over}), event.ErrEventNotFound)
			f.wantError("AddRSVP again", f.add(rsvps[1]), event.ErrEventNotFound)
			f.wantNil("RemoveRSVP", f.remove(randomHash()))
		})
	}
	unknown()
	f.wantNothingRecreated(func() { f.wantNil("RemoveRSVP", f.remove(rsvps[0].Hash)) })
	f.deletePart(Counters)
	unknown()
	f.wantNil("RemoveRSVP", f.remove(rsvps[1].Hash))
	f.wantNil("RemoveRSVP again", f.remove(rsvps[1].Hash))
	f.deletePart(RSVPs)
	if pieces := f.pieces(); len(pieces) > 0 {
		t.Errorf("stored are %v, want nothing", pieces)
	}
	unknown()
}

// A cancel that makes counters again makes none that RSVPs from before can bring
// below zero.
func countsFromZero(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben")
	if f.deletePart(Counters) == 0 {
		t.Skip("has no counters that can be deleted")
	}
	f.wantNil("CancelEvent", f.cancel(f.organizer, nil, expires.Add(time.Nanosecond)))
	f.event.Cancelled = true
	for _, r := range rsvps {
		f.wantNil("RemoveRSVP", f.remove(r.Hash))
		f.wantEvent(f.event)
	}
	f.wantGuests()
}

// Removing what the store has deleted already changes nothing.
func withoutRSVPs(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben")
	f.deletePart(RSVPs)
	listed, err := f.list(f.organizer)
	f.wantNil("AttendeesByEvent", err)
	if len(listed) > 0 {
		t.Errorf("attendees are %v, want none", listed)
	}
	before, err := f.read()
	f.wantNil("EventByToken", err)
	for range 2 {
		f.wantNil("RemoveRSVP", f.remove(rsvps[0].Hash))
		f.wantEvent(before)
	}
	again := rsvps[0]
	again.CreatedAt = over
	f.wantNothingRecreated(func() { f.wantError("AddRSVP of what is gone", f.add(again), event.ErrEventExpired) })
}
