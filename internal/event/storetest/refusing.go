package storetest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

func refusesUnknown(t *testing.T, s Store) {
	known := newParty(t, s)
	known.admit("Anna")
	known.wantUnchanged(func() {
		unknown := party{t, s, sampleEvent(), known.organizer}
		_, err := unknown.read()
		unknown.wantError("EventByToken", err, event.ErrEventNotFound)
		for _, organizer := range []event.Hash{known.organizer, randomHash(), {}} {
			err := unknown.cancel(organizer, nil, over)
			unknown.wantError("CancelEvent", err, event.ErrEventNotFound)
			_, err = unknown.list(organizer)
			unknown.wantError("AttendeesByEvent", err, event.ErrEventNotFound)
		}
		for _, at := range []time.Time{answered, over} {
			err := unknown.add(event.RSVP{Hash: randomHash(), Name: "Ben", CreatedAt: at})
			unknown.wantError("AddRSVP", err, event.ErrEventNotFound)
		}
		unknown.wantNil("RemoveRSVP", unknown.remove(randomHash()))
		unknown.wantPieces("0 details, 0 counters, 0 RSVPs")
	})
}

// Whoever is not the organizer learns nothing of what state the event is in.
func refusesOrganizer(t *testing.T, s Store) {
	other := newParty(t, s)
	for name, p := range map[string]party{
		"active":    newParty(t, s),
		"cancelled": cancelledParty(t, s),
	} {
		t.Run(name, func(t *testing.T) {
			p.t = t
			near := p.organizer
			near[len(near)-1]++
			for who, hash := range map[string]event.Hash{
				"nobody":                {},
				"anyone":                randomHash(),
				"almost the organizer":  near,
				"the event's own token": p.event.Token.Hash(),
				"another organizer":     other.organizer,
			} {
				p.wantUnchanged(func() {
					for _, now := range []time.Time{answered, over} {
						err := p.cancel(hash, new("out of spite"), now)
						p.wantError("CancelEvent by "+who, err, event.ErrOrganizerToken)
					}
					names, err := p.list(hash)
					p.wantError("AttendeesByEvent by "+who, err, event.ErrOrganizerToken)
					if len(names) > 0 {
						t.Errorf("AttendeesByEvent by %s shows %q", who, names)
					}
				})
			}
		})
	}
}

func cancelledParty(t *testing.T, s Store) party {
	t.Helper()
	p := newParty(t, s)
	p.admit("Anna")
	p.wantNil("CancelEvent", p.cancel(p.organizer, new("rain"), answered))
	return p
}

func refusesGuests(t *testing.T, s Store) {
	for _, c := range []struct {
		name      string
		cancelled bool
		at        time.Time
		want      error
	}{
		{"active", false, answered.Add(1), nil},
		{"as it expires", false, expires, nil},
		{"that moment on another clock", false, expires.In(time.FixedZone("", 14*3600)), nil},
		{"a nanosecond after it has expired", false, expires.Add(1), event.ErrEventExpired},
		{"that nanosecond on another clock", false, expires.Add(1).In(time.FixedZone("", -12*3600)), event.ErrEventExpired},
		{"years after", false, expires.AddDate(100, 0, 0), event.ErrEventExpired},
		{"cancelled", true, answered, event.ErrEventCancelled},
		{"cancelled, then expired", true, over, event.ErrEventCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newParty(t, s)
			p.admit("Anna")
			if c.cancelled {
				p.wantNil("CancelEvent", p.cancel(p.organizer, nil, answered))
			}
			r := event.RSVP{Hash: randomHash(), Name: "Ben", CreatedAt: c.at}
			if c.want == nil {
				p.wantNil("AddRSVP", p.add(r))
				p.wantGuests("Anna", "Ben")
				return
			}
			p.wantUnchanged(func() {
				p.wantError("AddRSVP", p.add(r), c.want)
				p.wantError("AddRSVP again", p.add(r), c.want)
			})
		})
	}
}

func cancelsForGood(t *testing.T, s Store) {
	for _, reason := range []*string{nil, new(""), new("rain")} {
		p := newParty(t, s)
		p.admit("Anna")
		p.wantNil("CancelEvent", p.cancel(p.organizer, reason, answered))
		p.event.Cancelled, p.event.CancellationReason, p.event.AttendeeCount = true, reason, 1
		p.wantEvent(p.event)
		p.wantGuests("Anna")
		p.wantUnchanged(func() {
			for _, second := range []*string{new("snow"), nil} {
				for _, now := range []time.Time{answered, over} {
					err := p.cancel(p.organizer, second, now)
					p.wantError("CancelEvent again", err, event.ErrAlreadyCancelled)
				}
			}
		})
	}
}

func cancelsExpired(t *testing.T, s Store) {
	p := newParty(t, s)
	p.admit("Anna")
	p.wantNil("CancelEvent", p.cancel(p.organizer, new("rain"), over))
	p.event.Cancelled, p.event.CancellationReason, p.event.AttendeeCount = true, new("rain"), 1
	p.wantEvent(p.event)
	p.wantGuests("Anna")
}

func removes(t *testing.T, s Store) {
	p, other := newParty(t, s), newParty(t, s)
	hashes := p.admit("Anna", "Ben", "Cleo")
	foreign := other.admit("Dora")
	p.wantUnchanged(func() {
		for what, hash := range map[string]event.Hash{
			"never issued":    randomHash(),
			"of no token":     {},
			"another event's": foreign[0],
			"the organizer's": p.organizer,
			"the event's own": p.event.Token.Hash(),
		} {
			p.wantNil("RemoveRSVP "+what, p.remove(hash))
		}
	})
	other.wantGuests("Dora")

	p.wantNil("RemoveRSVP", p.remove(hashes[1]))
	p.wantGuests("Anna", "Cleo")
	p.wantUnchanged(func() { p.wantNil("RemoveRSVP again", p.remove(hashes[1])) })

	p.wantNil("RemoveRSVP", p.remove(hashes[2]))
	p.wantNil("RemoveRSVP", p.remove(hashes[0]))
	p.wantGuests()
	p.wantUnchanged(func() { p.wantNil("RemoveRSVP again", p.remove(hashes[0])) })
}

func removesAfterTheEnd(t *testing.T, s Store) {
	p := newParty(t, s)
	hashes := p.admit("Anna", "Ben", "Cleo")
	p.wantNil("CancelEvent", p.cancel(p.organizer, new("rain"), over))
	p.wantNil("RemoveRSVP", p.remove(hashes[1]))
	p.wantGuests("Anna", "Cleo")
	p.event.Cancelled, p.event.CancellationReason, p.event.AttendeeCount = true, new("rain"), 2
	p.wantEvent(p.event)

	// Nobody comes back to an event that is over.
	r := event.RSVP{Hash: hashes[1], Name: "Ben", CreatedAt: answered}
	p.wantError("AddRSVP after RemoveRSVP", p.add(r), event.ErrEventCancelled)
	p.wantGuests("Anna", "Cleo")
}

// With nothing in flight, a write that gives up has happened whole or not at all.
func givesUp(t *testing.T, s Store) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	for name, ctx := range map[string]context.Context{"cancelled": cancelled, "past its deadline": late} {
		t.Run(name, func(t *testing.T) {
			p := newParty(t, s)
			hashes := p.admit("Anna", "Ben")
			fresh := sampleEvent()

			p.wantError("Ready", s.Ready(ctx), event.ErrUnavailable)
			_, err := s.EventByToken(ctx, p.event.Token)
			p.wantError("EventByToken", err, event.ErrUnavailable)
			_, _, err = s.AttendeesByEvent(ctx, p.event.Token, p.organizer, event.Position{}, math.MaxInt)
			p.wantError("AttendeesByEvent", err, event.ErrUnavailable)
			p.wantError("AddEvent", s.AddEvent(ctx, fresh, p.organizer), event.ErrUnavailable)
			p.wantError("AddRSVP", s.AddRSVP(ctx, p.event.Token, rsvp(2, "Cleo")), event.ErrUnavailable)
			p.wantError("RemoveRSVP", s.RemoveRSVP(ctx, p.event.Token, hashes[1]), event.ErrUnavailable)
			p.wantError("CancelEvent", s.CancelEvent(ctx, p.event.Token, p.organizer, nil, answered), event.ErrUnavailable)

			p.wantWhole("Anna")
			if _, err := (party{t, s, fresh, p.organizer}).read(); !errors.Is(err, event.ErrEventNotFound) {
				p.wantNil("EventByToken", err)
				party{t, s, fresh, p.organizer}.wantWhole()
			}
		})
	}
}

// wantWhole wants details, counters and RSVPs that agree with each other, and
// these guests among those who come.
func (p party) wantWhole(names ...string) {
	p.t.Helper()
	if missing := difference(names, p.guests()); len(missing) > 0 {
		p.t.Errorf("attendees lack %q", missing)
	}
	e, err := p.read()
	p.wantNil("EventByToken", err)
	r := rsvp(9, "the last guest")
	if e.Cancelled {
		p.wantError("AddRSVP", p.add(r), event.ErrEventCancelled)
		return
	}
	p.wantNil("AddRSVP", p.add(r))
	if !slices.Contains(p.guests(), r.Name) {
		p.t.Errorf("attendees lack %q", r.Name)
	}
}
