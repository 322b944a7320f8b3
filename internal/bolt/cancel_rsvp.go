package bolt

import (
	"context"

	"turnout/internal/event"
)

// RemoveRSVP implements event.Store.
func (s *Store) RemoveRSVP(ctx context.Context, token event.Token, hash event.Hash) error {
	return s.write(ctx, func(c *change) error {
		if c.Bucket(itemsBucket).Get(rsvpKey(token, hash)) == nil {
			return nil
		}
		return c.removeRSVPs(token, rsvpKey(token, hash))
	})
}

// removeRSVPs deletes RSVPs that are there, and counts them down.
func (c *change) removeRSVPs(token event.Token, keys ...[]byte) error {
	n, err := counterOf(c.Tx, token)
	if err != nil {
		return err
	}
	n.rsvps -= uint64(len(keys))
	c.put(itemsBucket, counterKey(token), n.encode())
	for _, key := range keys {
		c.delete(itemsBucket, key)
	}
	return c.err
}
