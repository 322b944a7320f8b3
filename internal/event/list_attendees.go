package event

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sort"
	"time"
)

// Attendees returns an event's RSVPs as Store.AttendeesByEvent does.
func (s *Service) Attendees(ctx context.Context, eventToken, organizerToken string, after Position, maxBytes int) (rsvps []RSVP, more bool, err error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return nil, false, ErrEventNotFound
	}
	return s.Store.AttendeesByEvent(ctx, token, hashOf(organizerToken), after, maxBytes)
}

// A Position is the place of an RSVP in the list of an event's guests, ordered by
// RSVP.CreatedAt, then by the first 16 bytes of RSVP.Hash. The zero Position comes first.
type Position struct {
	CreatedAt time.Time
	Hash      Hash
}

// Position returns the position of r.
func (r RSVP) Position() Position { return Position{r.CreatedAt, r.Hash} }

// Compare returns a negative number if p comes before other, zero if they are equal, and a
// positive one otherwise.
func (p Position) Compare(other Position) int {
	const compared = 16 // bytes: more would never decide
	return cmp.Or(
		p.CreatedAt.Compare(other.CreatedAt),
		bytes.Compare(p.Hash[:compared], other.Hash[:compared]))
}

// Page sorts all RSVPs of an event, and returns the page of Store.AttendeesByEvent.
func Page(rsvps []RSVP, after Position, maxBytes int) (page []RSVP, more bool) {
	slices.SortFunc(rsvps, func(a, b RSVP) int { return a.Position().Compare(b.Position()) })
	first := 0
	if after != (Position{}) {
		first = sort.Search(len(rsvps), func(i int) bool { return rsvps[i].Position().Compare(after) > 0 })
	}
	size := 0
	for i, r := range rsvps[first:] {
		if size += len(r.Name); size > maxBytes && i > 0 {
			return rsvps[first : first+i], true
		}
	}
	return rsvps[first:], false
}
