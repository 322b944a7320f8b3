package bolt

import (
	"context"
	"time"

	"turnout/internal/event"
)

// CancelEvent implements event.Store.
func (s *Store) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, _ time.Time) error {
	return s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		switch {
		case err != nil:
			return err
		case !d.organizer.Equal(organizer):
			return event.ErrOrganizerToken
		case d.Cancelled:
			return event.ErrAlreadyCancelled
		}
		d.Cancelled, d.CancellationReason = true, reason
		c.put(itemsBucket, detailsKey(token), d.encode())
		return c.err
	})
}
