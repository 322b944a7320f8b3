package bolt

import (
	"context"

	"turnout/internal/event"
)

// AddRSVP implements event.Store.
func (s *Store) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	return s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		if err != nil {
			return err
		}
		key := rsvpKey(token, r.Hash)
		stored, ok, err := rsvpOf(c.Tx, key)
		switch {
		case err != nil:
			return err
		case ok && !stored.removed() && string(stored.name) == r.Name:
			return nil
		case ok:
			return event.ErrTokenTaken
		}
		if err := d.AcceptsRSVP(r.CreatedAt); err != nil {
			return err
		}
		n, err := counterOf(c.Tx, token)
		if err != nil {
			return err
		}
		at := r.CreatedAt
		if !at.After(n.last) {
			at = n.last.Add(1) // the same instant, or the clock was set back
		}
		c.put(itemsBucket, counterKey(token), counter{n.rsvps + 1, at}.encode())
		c.put(itemsBucket, key, rsvp{[]byte(r.Name), at}.encode())
		return c.err
	})
}
