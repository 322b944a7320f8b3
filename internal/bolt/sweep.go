package bolt

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"turnout/internal/event"
)

const (
	sweepInterval = time.Hour

	// sweepsUntilGone is how many sweeps in a row must find an event expired before
	// it is deleted. Two days of a server that runs, about as long as DynamoDB's TTL
	// takes, are also the time in which a wrong clock can be noticed and corrected.
	sweepsUntilGone = 48

	// sweepBatch bounds how long other writes wait for a sweep.
	sweepBatch = 1000 // RSVPs
)

// SweepHourly sweeps every hour until ctx ends, and passes errors to failed. The
// first sweep is an hour after the start: only time in which the server ran
// counts, so that many starts under a wrong clock are not many sweeps.
func (s *Store) SweepHourly(ctx context.Context, failed func(error)) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
				failed(err)
			}
		}
	}
}

// sweep deletes the events that had expired, with their RSVPs, by the time of each
// of the last sweeps.
func (s *Store) sweep(ctx context.Context, now time.Time) error {
	var before []byte // the first key of expiry that stays
	err := s.write(ctx, func(c *change) error {
		sweeps, err := sweepsOf(c)
		if err != nil {
			return err
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
	if err != nil || before == nil {
		return err
	}
	for more := true; err == nil && more; {
		err = s.write(ctx, func(c *change) (err error) {
			more, err = c.sweepFirst(before)
			return err
		})
	}
	return err
}

// sweepFirst sweeps part of the event that expired first, if that was before the
// moment. It reports whether there may be more.
func (c *change) sweepFirst(before []byte) (more bool, err error) {
	first, _ := c.Bucket(expiryBucket).Cursor().First()
	if first == nil || bytes.Compare(first, before) >= 0 {
		return false, nil
	}
	return true, c.sweepPart(bytes.Clone(first))
}

// sweepPart deletes as many of an event's RSVPs as fit into a commit or, where it has
// none, the event, given its key in expiry.
func (c *change) sweepPart(expiry []byte) error {
	token := event.Token(expiry[timeSize:])
	prefix := rsvpKey(token, event.Hash{})[:len(token)+1]
	var rsvps [][]byte
	cursor := c.Bucket(itemsBucket).Cursor()
	for key, _ := cursor.Seek(prefix); bytes.HasPrefix(key, prefix) && len(rsvps) < sweepBatch; key, _ = cursor.Next() {
		rsvps = append(rsvps, bytes.Clone(key))
	}
	if len(rsvps) > 0 {
		return c.deleteRSVPs(token, rsvps...)
	}
	c.delete(itemsBucket, detailsKey(token))
	c.delete(itemsBucket, counterKey(token))
	c.delete(expiryBucket, expiry)
	return c.err
}

// deleteRSVPs deletes records of RSVPs, and counts down those that had not been removed.
func (c *change) deleteRSVPs(token event.Token, keys ...[]byte) error {
	n, err := counterOf(c.Tx, token)
	for _, key := range keys {
		r, _, damaged := rsvpOf(c.Tx, key)
		if !r.removed() {
			n.rsvps--
		}
		err = errors.Join(err, damaged)
		c.delete(itemsBucket, key)
	}
	c.put(itemsBucket, counterKey(token), n.encode())
	return errors.Join(err, c.err)
}

// sweepsOf reads the times of the last sweeps.
func sweepsOf(c *change) (sweeps []time.Time, err error) {
	value := c.Bucket(stateBucket).Get(sweepsKey)
	if value == nil {
		return nil, nil
	}
	content, err := unseal(sweepsKey, value, 0)
	for ; len(content) >= timeSize; content = content[timeSize:] {
		sweeps = append(sweeps, timeFrom(content))
	}
	return sweeps, err
}
