package storetest

import (
	"testing"
	"time"

	"turnout/internal/event"
)

// A store may delete the counters of an expired event before the rest. Only a cancel makes them
// again, from zero, and removing earlier RSVPs does not bring them below it. A store that never
// deletes a part alone is not tested here; anySequence deletes any items.
func withoutCounters(t *testing.T, s Store) {
	f := newFixture(t, s)
	rsvps := f.admit("Anna", "Ben", "Cleo")
	if f.deletePart(Counters) == 0 {
		t.Skip("has no counters that can be deleted")
	}
	f.wantEvent(f.event) // it counts no guests
	late := event.RSVP{Hash: randomHash(), Name: "Dora", CreatedAt: over}
	f.wantNothingRecreated(func() {
		f.wantError("AddRSVP", f.add(late), event.ErrEventExpired)
		f.wantNil("RemoveRSVP", f.remove(rsvps[0].Hash))
		f.wantNil("RemoveRSVP again", f.remove(rsvps[0].Hash))
		f.wantEvent(f.event)
	})
	f.wantNil("CancelEvent", f.cancel(f.organizer, new("rain"), expires.Add(time.Nanosecond)))
	f.wantError("CancelEvent again", f.cancel(f.organizer, nil, over), event.ErrAlreadyCancelled)
	f.wantError("AddRSVP", f.add(late), event.ErrEventCancelled)
	f.event.Cancelled, f.event.CancellationReason = true, new("rain")
	for _, r := range rsvps[1:] {
		f.wantNil("RemoveRSVP", f.remove(r.Hash))
		f.wantEvent(f.event)
	}
	f.wantGuests()
}
