package storetest

import (
	"testing"

	"turnout/internal/event"
)

// A store forgets only what has expired, so these tests look at events that are over.

func withoutCounters(t *testing.T, s Store) {
	p := newParty(t, s)
	hashes := p.admit("Anna", "Ben")
	s.Forget(t, p.event.Token, Counters)
	p.wantPieces("1 details, 0 counters, 2 RSVPs")

	p.wantEvent(p.event) // it counts no guests
	r := event.RSVP{Hash: randomHash(), Name: "Cleo", CreatedAt: over}
	p.wantError("AddRSVP", p.add(r), event.ErrEventExpired)
	p.wantNil("RemoveRSVP", p.remove(hashes[0]))
	p.wantNil("RemoveRSVP again", p.remove(hashes[0]))
	p.wantPieces("1 details, 0 counters, 1 RSVPs")

	p.wantNil("CancelEvent", p.cancel(p.organizer, new("rain"), over))
	p.wantError("CancelEvent again", p.cancel(p.organizer, nil, over), event.ErrAlreadyCancelled)
	p.wantNil("RemoveRSVP", p.remove(hashes[1]))
	p.wantError("AddRSVP", p.add(r), event.ErrEventCancelled)
	p.wantPieces("1 details, 0 counters, 0 RSVPs")

	p.event.Cancelled, p.event.CancellationReason = true, new("rain")
	p.wantEvent(p.event)
	p.wantGuests()
}

func withoutDetails(t *testing.T, s Store) {
	p := newParty(t, s)
	hashes := p.admit("Anna", "Ben")
	s.Forget(t, p.event.Token, Details)
	unknown := func() {
		t.Helper()
		_, err := p.read()
		p.wantError("EventByToken", err, event.ErrEventNotFound)
		_, err = p.list(p.organizer)
		p.wantError("AttendeesByEvent", err, event.ErrEventNotFound)
		p.wantError("CancelEvent", p.cancel(p.organizer, nil, over), event.ErrEventNotFound)
		p.wantError("AddRSVP", p.add(rsvp(2, "Cleo")), event.ErrEventNotFound)
		p.wantError("AddRSVP", p.add(event.RSVP{Hash: randomHash(), Name: "Cleo", CreatedAt: over}), event.ErrEventNotFound)
		p.wantNil("RemoveRSVP", p.remove(randomHash()))
	}
	unknown()
	p.wantNil("RemoveRSVP", p.remove(hashes[0]))
	if n := s.Pieces(t, p.event.Token, RSVPs); n != 1 {
		t.Errorf("stored are %d RSVPs, want 1", n)
	}

	s.Forget(t, p.event.Token, Counters)
	unknown()
	p.wantNil("RemoveRSVP", p.remove(hashes[1]))
	p.wantNil("RemoveRSVP again", p.remove(hashes[1]))
	unknown()
	p.wantPieces("0 details, 0 counters, 0 RSVPs")
}

// Whoever removes what the store has forgotten already removes nothing.
func withoutRSVPs(t *testing.T, s Store) {
	p := newParty(t, s)
	hashes := p.admit("Anna", "Ben")
	s.Forget(t, p.event.Token, RSVPs)
	names, err := p.list(p.organizer)
	p.wantNil("AttendeesByEvent", err)
	if len(names) > 0 {
		t.Errorf("attendees are %q, want none", names)
	}
	before, err := p.read()
	p.wantNil("EventByToken", err)
	for range 2 {
		p.wantNil("RemoveRSVP", p.remove(hashes[0]))
		p.wantEvent(before)
	}
}
