package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

const (
	sweepInterval = time.Hour

	// horizonStep is how far the horizon moves with a sweep at most. So a clock that is a year ahead for
	// some hours deletes the events of some days, and a month without a server is made up for in 30 hours.
	horizonStep = 24 * time.Hour

	// keptFor is how long an expired event is kept. Two days are about as long as DynamoDB's TTL takes.
	keptFor = 48 * time.Hour

	// sweepBatch bounds a sweep's commits, for which other writes wait.
	sweepBatch = 1000 // the number of items that a commit deletes
)

// epoch is before the first horizon of any file. A clock before it is wrong.
var epoch = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// SweepHourly sweeps every hour until ctx ends, and passes errors to failed. The first sweep is an hour after the
// start, which leaves time to correct the clock.
func (s *Store) SweepHourly(ctx context.Context, failed func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
		if err := s.sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// sweep moves the horizon, and deletes the events that expired more than keptFor before it, with their RSVPs.
func (s *Store) sweep(ctx context.Context, now time.Time) error {
	if now.Before(epoch) {
		return nil
	}
	var horizon time.Time
	err := s.write(ctx, func(c *change) (err error) {
		horizon, err = c.moveHorizon(now)
		return err
	})
	if horizon.After(now) { // the clock was ahead before
		horizon = now
	}
	before := appendTime(nil, horizon.Add(-keptFor)) // keys of expiry from this key on stay
	for more := true; more && err == nil; {
		err = s.write(ctx, func(c *change) (err error) {
			more, err = c.sweepBefore(before)
			return err
		})
	}
	return errors.Join(err, dropOldReplaced(s.path, horizon))
}

// moveHorizon moves the horizon by at most horizonStep towards now, and returns it. It moves back as slowly as ahead:
// otherwise, after a clock that was years behind for an hour, events would be kept for weeks too long.
func (c *change) moveHorizon(now time.Time) (time.Time, error) {
	horizon, err := horizonOf(c.Tx)
	if horizon.IsZero() && err == nil {
		horizon = firstHorizon(c.Tx, now)
	}
	if horizon.IsZero() || err != nil {
		return horizon, err
	}
	switch way := now.Sub(horizon); {
	case way > horizonStep:
		horizon = horizon.Add(horizonStep)
	case way < -horizonStep:
		horizon = horizon.Add(-horizonStep)
	default:
		horizon = now
	}
	c.put(stateBucket, horizonKey, appendTime(nil, horizon))
	return horizon, c.err
}

// horizonOf returns the horizon of a file, or the zero Time if it has none.
func horizonOf(tx *bbolt.Tx) (time.Time, error) {
	value := tx.Bucket(stateBucket).Get(horizonKey)
	if value == nil {
		return time.Time{}, nil
	}
	content, err := verifyChecksum(horizonKey, value)
	if err != nil || len(content) != timeSize {
		return time.Time{}, cmp.Or(err, errDamaged)
	}
	return timeFrom(content), nil
}

// firstHorizon returns the begin of the horizon in a file that has none: the date of the event that expires first,
// unless this date is after now. It does not begin at now, because the clock could be wrong from the first start on.
// Anybody may create an event of a past century, so the horizon begins no earlier than epoch. Without events there is
// no begin, and the result is the zero Time.
func firstHorizon(tx *bbolt.Tx, now time.Time) time.Time {
	first, _ := tx.Bucket(expiryBucket).Cursor().First()
	if first == nil {
		return time.Time{}
	}
	begin := timeFrom(first).Add(-event.RSVPWindow)
	if begin.Before(epoch) {
		begin = epoch
	}
	if begin.After(now) {
		begin = now
	}
	return begin
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
