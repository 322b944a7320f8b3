package bolt

import (
	"bytes"
	"context"
	"errors"
	"time"

	"turnout/internal/event"
)

const (
	sweepInterval = time.Hour

	// keptFor is how long an expired event is kept. Two days are about as long as DynamoDB's TTL
	// takes, and leave time to correct a clock that is ahead.
	keptFor = 48 * time.Hour

	// sweepBatch bounds a sweep's commits, for which other writes wait.
	sweepBatch = 1000 // the number of items that a commit deletes
)

// SweepHourly sweeps every hour until ctx ends, and passes errors to failed.
func (s *Store) SweepHourly(ctx context.Context, failed func(error)) {
	for {
		if err := s.sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
	}
}

// sweep deletes the events that expired more than keptFor ago, with their RSVPs.
func (s *Store) sweep(ctx context.Context, now time.Time) error {
	before := appendTime(nil, now.Add(-keptFor)) // keys of expiry from this key on stay
	for more := true; more; {
		err := s.write(ctx, func(c *change) (err error) {
			more, err = c.sweepBefore(before)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepBefore deletes items of events that expired before a time, up to the limit of a commit.
// It reports whether there may be more.
func (c *change) sweepBefore(before []byte) (more bool, err error) {
	for left := sweepBatch; err == nil && left > 0; {
		expiry, _ := c.Bucket(expiryBucket).Cursor().First()
		if expiry == nil || bytes.Compare(expiry, before) >= 0 {
			return false, nil
		}
		var gone int
		gone, err = c.sweepEvent(bytes.Clone(expiry), left)
		left -= gone
	}
	return true, err
}

// sweepEvent deletes the event with a key in expiry. If the event has more RSVPs than the limit, it deletes
// only so many of them. It returns the number of deleted items.
func (c *change) sweepEvent(expiry []byte, limit int) (gone int, err error) {
	token := event.Token(expiry[timeSize:])
	rsvps, err := rsvpsOf(c.Tx, token, limit)
	n, damaged := counterOf(c.Tx, token)
	for _, r := range rsvps {
		if r.Name != "" {
			n.rsvps--
		}
		c.delete(itemsBucket, rsvpKey(token, r.ID))
	}
	if len(rsvps) == limit {
		c.put(itemsBucket, counterKey(token), n.encode())
		return limit, errors.Join(err, damaged, c.err)
	}
	c.delete(itemsBucket, detailsKey(token))
	c.delete(itemsBucket, counterKey(token))
	c.delete(expiryBucket, expiry)
	return len(rsvps) + 1, errors.Join(err, damaged, c.err)
}
