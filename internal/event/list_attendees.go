package event

import (
	"bytes"
	"cmp"
	"context"
)

// ListAttendees calls add with each RSVP of an event, as Store.ListAttendees does. The list of the event is in the
// order of RSVP.Compare.
func (s *Service) ListAttendees(ctx context.Context, eventToken, organizerToken string, add func(RSVP) error) error {
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	return s.Store.ListAttendees(ctx, token, hashOf(organizerToken), add)
}

// Compare orders RSVPs by CreatedAt, then by ID. It returns a negative number if r comes before other, zero if they are
// equal, and a positive one otherwise.
func (r RSVP) Compare(other RSVP) int {
	return cmp.Or(r.CreatedAt.Compare(other.CreatedAt), bytes.Compare(r.ID[:], other.ID[:]))
}
