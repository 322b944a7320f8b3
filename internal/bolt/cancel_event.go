package bolt

import (
	"context"
	"time"

	"turnout/internal/event"
)

// CancelEvent implements event.Store.
func (s *Store) CancelEvent(
	ctx context.Context, token event.Token, organizer event.Hash, cancellation event.Cancellation, _ time.Time,
) error {
	return s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		switch {
		case err != nil:
			return err
		case !d.Organizer.Equal(organizer):
			return event.ErrOrganizerToken
		case d.Cancelled:
			return d.RepeatedCancel(d.CancelKey, cancellation)
		}
		d.Cancelled = true
		d.CancellationReason = cancellation.Reason
		d.MovedTo = cancellation.MovedTo
		d.CancelKey = cancellation.Key
		c.put(itemsBucket, detailsKey(token), d.encode())
		return c.err
	})
}
