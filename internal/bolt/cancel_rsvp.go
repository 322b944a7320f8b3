package bolt

import (
	"context"
	"time"

	"turnout/internal/event"
)

// CancelRSVP implements event.Store.
func (s *Store) CancelRSVP(ctx context.Context, token event.Token, id event.RSVPID, _ time.Time) error {
	return s.write(ctx, func(c *change) error { return c.cancelRSVP(token, rsvpKey(token, id)) })
}

// cancelRSVP leaves an empty record, so that the token stays taken.
func (c *change) cancelRSVP(token event.Token, key []byte) error {
	stored, _, err := rsvpOf(c.Tx, key)
	if err != nil || stored.Name == "" {
		return err
	}
	n, err := counterOf(c.Tx, token)
	if err != nil {
		return err
	}
	n.rsvps--
	c.put(itemsBucket, counterKey(token), n.encode())
	c.put(itemsBucket, key, nil)
	return c.err
}
