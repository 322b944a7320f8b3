package bolt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// This file is for operators (turnout erase); the service does not use it.

// ErrErased is an ErrEventNotFound: the event was erased.
var ErrErased = fmt.Errorf("%w: it was erased", event.ErrEventNotFound)

// EachEvent calls do for each of the tokens, with the event or the error of GetEvent, in one transaction. It stops at
// the first error of do, and returns it. Meanwhile do must not call the store.
func (s *Store) EachEvent(
	ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error,
) error {
	return s.read(ctx, func(tx *bbolt.Tx) error {
		for _, token := range tokens {
			e, err := eventOf(tx, token)
			if err := do(token, e, err); err != nil {
				return err
			}
		}
		return nil
	})
}

// EraseEvent deletes an event and its RSVPs for good, in one commit, and returns the number
// of deleted items, or ErrEventNotFound. Wipe overwrites their bytes. An empty
// record keeps the token taken for at least a year, so that a repeated request does not create the event
// again.
func (s *Store) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	return s.erase(ctx, token, func(c *change, d details) (int, error) {
		rsvps, err := rsvpsOf(c.Tx, token, math.MaxInt)
		for _, r := range rsvps {
			c.delete(itemsBucket, rsvpKey(token, r.ID))
		}
		c.delete(expiryBucket, expiryKey(d.ExpiresAt, token))
		expires := now.AddDate(1, 0, 0)
		if expires.Before(d.ExpiresAt) {
			expires = d.ExpiresAt
		}
		c.add(details{event.Record{Event: event.Event{Token: token, CreatedAt: now, ExpiresAt: expires}}})
		return 1 + len(rsvps), errors.Join(err, c.err)
	})
}

// EraseRSVPs erases the RSVP with exactly this name. If all is true, it erases every such RSVP. It returns the number
// of erased RSVPs. Errors: ErrEventNotFound, and the errors of event.Named.
func (s *Store) EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, _ time.Time) (int, error) {
	return s.erase(ctx, token, func(c *change, _ details) (int, error) {
		rsvps, err := rsvpsOf(c.Tx, token, math.MaxInt)
		if err == nil {
			rsvps, err = event.Named(rsvps, name, all)
		}
		for _, r := range rsvps {
			err = cmp.Or(err, c.cancelRSVP(token, rsvpKey(token, r.ID)))
		}
		return len(rsvps), err
	})
}

// erase runs do for an event that exists, and returns its result once it is durable.
func (s *Store) erase(ctx context.Context, token event.Token, do func(*change, details) (int, error)) (int, error) {
	erased := 0
	err := s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		if err == nil {
			erased, err = do(c, d)
		}
		return err
	})
	if err != nil { // after an error, the value of erased may be wrong
		return 0, err
	}
	return erased, nil
}
