package bolt

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

const (
	sweepInterval = time.Hour
	clockDrift    = time.Minute // by which two sweeps may seem to be closer

	// sweepsUntilGone is the number of sweeps in a row that must find an event expired before
	// it is deleted. Two days are about as long as DynamoDB's TTL takes, and leave time to
	// correct a wrong clock.
	sweepsUntilGone = 48

	// sweepBatch bounds a sweep's commits, for which other writes wait.
	sweepBatch = 1000 // items
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

// sweep deletes the events that had expired, with their RSVPs, by the time of each of the last
// sweeps. Within an hour after a sweep it does nothing: many starts count as one sweep, so that
// restarting under a wrong clock does not shorten the time to notice it. A sweep whose time is in
// the future does not count: its clock was wrong, or this one is.
func (s *Store) sweep(ctx context.Context, now time.Time) error {
	var before []byte // the first key of expiry that stays
	err := s.write(ctx, func(c *change) error {
		sweeps, err := sweepsOf(c.Tx)
		if err != nil {
			return err
		}
		isRecent := func(at time.Time) bool { return !at.After(now) && now.Sub(at) < sweepInterval-clockDrift }
		if slices.ContainsFunc(sweeps, isRecent) {
			return nil
		}
		sweeps = append(sweeps, now)
		sweeps = sweeps[max(0, len(sweeps)-sweepsUntilGone):]
		if len(sweeps) == sweepsUntilGone {
			before = appendTime(nil, slices.MinFunc(sweeps, time.Time.Compare))
		}
		var content []byte
		for _, at := range sweeps {
			content = appendTime(content, at)
		}
		c.put(stateBucket, sweepsKey, content)
		return c.err
	})
	for more := before != nil; err == nil && more; {
		err = s.write(ctx, func(c *change) (err error) {
			more, err = c.sweepBefore(before)
			return err
		})
	}
	return err
}

// sweepBefore deletes items of events that expired before a moment, up to the limit of a commit.
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

// sweepEvent deletes an event, given its key in expiry, or as many of its RSVPs as the limit
// allows. It returns the number of deleted items.
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

// sweepsOf reads the times of the last sweeps.
func sweepsOf(tx *bbolt.Tx) (sweeps []time.Time, err error) {
	value := tx.Bucket(stateBucket).Get(sweepsKey)
	if value == nil {
		return nil, nil
	}
	content, err := verifyChecksum(sweepsKey, value)
	for len(content) >= timeSize {
		sweeps = append(sweeps, timeFrom(content))
		content = content[timeSize:]
	}
	return sweeps, err
}
