package event

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"
)

// ListAttendees returns an event's RSVPs as Store.ListAttendees does.
func (s *Service) ListAttendees(
	ctx context.Context, eventToken, organizerToken string, after Position,
) ([]RSVP, error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return nil, ErrEventNotFound
	}
	return s.Store.ListAttendees(ctx, token, hashOf(organizerToken), after)
}

// A Position is the place of an RSVP in the list of an event's guests, ordered by
// RSVP.CreatedAt, then by RSVP.ID. The zero Position comes first.
type Position struct {
	CreatedAt time.Time
	ID        RSVPID
}

// Position returns the position of r.
func (r RSVP) Position() Position { return Position{r.CreatedAt, r.ID} }

// Compare returns a negative number if p comes before other, zero if they are equal, and a
// positive one otherwise.
func (p Position) Compare(other Position) int {
	return cmp.Or(p.CreatedAt.Compare(other.CreatedAt), bytes.Compare(p.ID[:], other.ID[:]))
}

// After returns those of an event's RSVPs that follow a position, in the order of positions.
func After(rsvps []RSVP, after Position) []RSVP {
	rsvps = slices.DeleteFunc(rsvps, func(r RSVP) bool { return r.Position().Compare(after) <= 0 })
	slices.SortFunc(rsvps, func(a, b RSVP) int { return a.Position().Compare(b.Position()) })
	return rsvps
}
