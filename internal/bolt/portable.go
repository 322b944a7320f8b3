package bolt

import (
	"cmp"
	"context"
	"math"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// EachToken implements portable.Store, in the order of tokens.
func (s *Store) EachToken(ctx context.Context, do func(event.Token) error) error {
	return s.read(ctx, func(tx *bbolt.Tx) error {
		items := tx.Bucket(itemsBucket).Cursor()
		for key, _ := items.First(); key != nil; {
			token := event.Token(key)
			if err := do(token); err != nil {
				return err
			}
			key, _ = items.Seek(append(token[:], rsvpKind+1))
		}
		return nil
	})
}

// Record implements portable.Store.
func (s *Store) Record(ctx context.Context, token event.Token) (r event.Record, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := storedDetails(tx, token)
		switch {
		case err != nil:
			return err
		case d.Erased:
			r.Token, r.Erased = token, true
			r.ExpiresAt = event.ErasedUntil(d.ExpiresAt)
			return nil
		}
		r = d.Record
		r.RSVPs, err = rsvpsOf(tx, token, math.MaxInt)
		return err
	})
	return r, err
}

// AddRecord implements portable.Store, in one commit.
func (s *Store) AddRecord(ctx context.Context, r event.Record) error {
	return s.write(ctx, func(c *change) error {
		if _, err := storedDetails(c.Tx, r.Token); err != event.ErrEventNotFound {
			return cmp.Or(err, event.ErrTokenTaken)
		}
		c.add(details{r}) // an erased event has only the token and the expiry
		var n counter
		for _, rsvp := range r.RSVPs {
			if rsvp.Name != "" {
				n.rsvps++
			}
			if rsvp.CreatedAt.After(n.last) {
				n.last = rsvp.CreatedAt
			}
			c.put(itemsBucket, rsvpKey(r.Token, rsvp.ID), encodeRSVP(rsvp))
		}
		c.put(itemsBucket, counterKey(r.Token), n.encode())
		return c.err
	})
}
