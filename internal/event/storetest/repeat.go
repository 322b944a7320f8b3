package storetest

import (
	"errors"
	"testing"
	"time"

	"turnout/internal/event"
)

// A call is repeated if its answer was lost, or if its idempotency key is used again. anySequence
// repeats calls to create and to withdraw.

// A repeated cancel succeeds again; any other one does not.
func repeatsCancelEvent(t *testing.T, s Store) {
	for _, reason := range []*string{nil, new(""), new("rain")} {
		f, key := newFixture(t, s), randomHash()
		f.wantNil("CancelEvent", f.cancelWith(key, f.organizer, reason, answered))
		f.wantUnchanged(func() {
			for _, now := range []time.Time{answered, over} {
				f.wantNil("CancelEvent again", f.cancelWith(key, f.organizer, reason, now))
				f.wantError("for another reason", f.cancelWith(key, f.organizer, new("snow"), now), event.ErrTokenTaken)
				f.wantError("with another key", f.cancelWith(randomHash(), f.organizer, reason, now), event.ErrAlreadyCancelled)
				for _, second := range []*string{reason, new("snow")} {
					f.wantError("without a key", f.cancel(f.organizer, second, now), event.ErrAlreadyCancelled)
				}
				f.wantError("by another organizer", f.cancelWith(key, randomHash(), reason, now), event.ErrOrganizerToken)
			}
		})
	}
	f := newFixture(t, s)
	f.wantNil("CancelEvent without a key", f.cancel(f.organizer, nil, answered))
	f.wantError("CancelEvent with a key", f.cancelWith(randomHash(), f.organizer, nil, answered), event.ErrAlreadyCancelled)
}

// repeatsAtOnce: all calls repeat one, and have its effect once.
func repeatsAtOnce(t *testing.T, s Store) {
	f := fixture{t, s, sampleEvent(), randomHash()}
	repeat := func(call string, do func() error) {
		t.Helper()
		f.wantNil(call, errors.Join(together(16, func(int) error { return do() })...))
	}
	repeat("AddEvent", func() error { return f.create(f.event, f.organizer) })
	f.wantEvent(f.event)
	anna, ben, key := rsvp(0, "Anna"), rsvp(1, "Ben"), randomHash()
	repeat("AddRSVP", func() error { return f.add(anna) })
	other := anna
	other.Name = "anna"
	f.wantError("AddRSVP under another name", f.add(other), event.ErrTokenTaken)
	f.wantNil("AddRSVP", f.add(ben))
	f.wantGuests("Anna", "Ben")
	cleo := rsvp(2, "Cleo")
	repeat("RemoveRSVP of one guest, AddRSVP of another", func() error { return errors.Join(f.remove(anna.Hash), f.add(cleo)) })
	f.wantGuests("Ben", "Cleo")
	repeat("RemoveRSVP", func() error { return f.remove(cleo.Hash) })
	f.wantGuests("Ben")
	repeat("CancelEvent", func() error { return f.cancelWith(key, f.organizer, new("rain"), answered) })
	f.event.Cancelled, f.event.CancellationReason, f.event.AttendeeCount = true, new("rain"), 1
	f.wantEvent(f.event)
}
