package bolt

import (
	"context"

	"turnout/internal/event"
)

// CreateRSVP implements event.Store.
func (s *Store) CreateRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	return s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		if err != nil {
			return err
		}
		key := rsvpKey(token, r.ID)
		stored, taken, err := rsvpOf(c.Tx, key)
		switch {
		case err != nil:
			return err
		case taken && stored.Name == r.Name:
			return nil
		case taken:
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
			at = n.last.Add(1) // the last RSVP has the same instant, or the clock was set back
		}
		c.put(itemsBucket, counterKey(token), counter{n.rsvps + 1, at}.encode())
		c.put(itemsBucket, key, encodeRSVP(event.RSVP{Name: r.Name, CreatedAt: at}))
		return c.err
	})
}
