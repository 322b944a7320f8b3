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
	there := event.NewToken()
	for _, first := range []event.Cancellation{{}, {Reason: new("")}, {Reason: new("rain")}, {Reason: new("rain"), MovedTo: &there}} {
		f := newFixture(t, s)
		first.Key = randomHash()
		f.wantNil("CancelEvent", f.cancelWith(f.organizer, first, answered))
		f.wantUnchanged(func() {
			for _, now := range []time.Time{answered, over} {
				f.wantNil("CancelEvent again", f.cancelWith(f.organizer, first, now))
				f.wantError("by another organizer", f.cancelWith(randomHash(), first, now), event.ErrOrganizerToken)
				snow, elsewhere, unmoved := first, first, first
				snow.Reason, elsewhere.MovedTo, unmoved.MovedTo = new("snow"), new(event.NewToken()), nil
				for _, again := range []event.Cancellation{first, snow, elsewhere, unmoved} {
					if again != first {
						f.wantError("with other content", f.cancelWith(f.organizer, again, now), event.ErrTokenTaken)
					}
					for _, again.Key = range []event.Hash{{}, randomHash()} {
						f.wantError("with another key, or none", f.cancelWith(f.organizer, again, now), event.ErrAlreadyCancelled)
					}
				}
			}
		})
	}
	f := newFixture(t, s)
	f.wantNil("CancelEvent without a key", f.cancel(f.organizer, nil, answered))
	f.wantError("CancelEvent with a key", f.cancelWith(f.organizer, event.Cancellation{Key: randomHash()}, answered), event.ErrAlreadyCancelled)
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
	anna, ben, cancel := rsvp(0, "Anna"), rsvp(1, "Ben"), event.Cancellation{Reason: new("rain"), MovedTo: new(event.NewToken()), Key: randomHash()}
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
	repeat("CancelEvent", func() error { return f.cancelWith(f.organizer, cancel, answered) })
	f.event.Cancelled, f.event.CancellationReason, f.event.MovedTo, f.event.AttendeeCount = true, cancel.Reason, cancel.MovedTo, 1
	f.wantEvent(f.event)
}
