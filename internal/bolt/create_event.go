package bolt

import (
	"context"
	"errors"

	"turnout/internal/event"
)

// AddEvent implements event.Store.
func (s *Store) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	return s.write(ctx, func(c *change) error {
		stored, err := detailsOf(c.Tx, e.Token)
		switch {
		case err == nil && stored.organizer.Equal(organizer) && stored.SameContent(e):
			return nil
		case err == nil:
			return event.ErrTokenTaken
		case !errors.Is(err, event.ErrEventNotFound):
			return err
		}
		c.put(itemsBucket, detailsKey(e.Token), details{Event: e, organizer: organizer}.encode())
		c.put(itemsBucket, counterKey(e.Token), counter{}.encode())
		c.put(expiryBucket, expiryKey(e.ExpiresAt, e.Token), nil)
		return c.err
	})
}
