package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// ListAttendees implements event.Store.
func (s *Store) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, add func(event.RSVP) error,
) error {
	return s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := detailsOf(tx, token)
		if err != nil {
			return err
		}
		if !d.Organizer.Equal(organizer) {
			return event.ErrOrganizerToken
		}
		for r, err := range rsvps(tx, token) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return unavailable(ctx.Err())
			}
			if r.Name == "" {
				continue
			}
			if err := add(r); err != nil {
				return err
			}
		}
		return nil
	})
}
