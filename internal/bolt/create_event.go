package bolt

import (
	"context"
	"errors"

	"turnout/internal/event"
)

// CreateEvent implements event.Store.
func (s *Store) CreateEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	return s.write(ctx, func(c *change) error {
		stored, err := storedDetails(c.Tx, e.Token)
		switch {
		case err == nil && stored.Organizer.Equal(organizer) && stored.SameContent(e):
			return nil
		case err == nil:
			return event.ErrTokenTaken
		case !errors.Is(err, event.ErrEventNotFound):
			return err
		}
		c.add(details{event.Record{Event: e, Organizer: organizer}})
		return c.err
	})
}

// add stores a new event with a zero counter and its expiry key.
func (c *change) add(d details) {
	stored, err := versionOf(c.Tx)
	c.err = errors.Join(c.err, err)
	if v := d.version(); v > stored {
		c.put(stateBucket, versionKey, []byte{v})
	}
	c.put(itemsBucket, detailsKey(d.Token), d.encode())
	c.put(itemsBucket, counterKey(d.Token), counter{}.encode())
	c.put(expiryBucket, expiryKey(d.ExpiresAt, d.Token), nil)
}
