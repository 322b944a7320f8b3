package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// ListAttendees implements event.Store. It reads all RSVPs of the event for each page. An
// index by time would add a key to every RSVP, and the disk already limits their rate.
func (s *Store) ListAttendees(ctx context.Context, token event.Token, organizer event.Hash, page *event.Page) error {
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
			if r.Name != "" {
				page.Add(r)
			}
		}
		return nil
	})
}
