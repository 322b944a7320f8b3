package bolt

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"turnout/internal/event"
)

// Store is an event.Store in a file. Open opens one.
type Store struct {
	db      *bbolt.DB
	writes  chan *write
	close   sync.Once
	closing chan struct{}
	closed  chan struct{}

	cache cache

	// failing is set while the last commit has not reached the disk.
	failing atomic.Bool
}

var _ event.Store = (*Store)(nil)

// AddEvent implements event.Store.
func (s *Store) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	return s.write(ctx, func(c *change) error {
		stored, err := detailsOf(c.Tx, e.Token)
		switch {
		case err == nil && stored.organizer.Equal(organizer) && stored.SameContent(e):
			return nil
		case err == nil:
			return event.ErrTokenTaken
		case !errors.Is(err, event.ErrEventNotFound):
			return err
		}
		c.put(itemsBucket, detailsKey(e.Token), details{e, organizer}.encode())
		c.put(itemsBucket, counterKey(e.Token), counter{}.encode())
		c.put(expiryBucket, expiryKey(e.ExpiresAt, e.Token), nil)
		return c.err
	})
}

// EventByToken implements event.Store.
func (s *Store) EventByToken(ctx context.Context, token event.Token) (e event.Event, err error) {
	commits := s.cache.commits.Load()
	if e, ok := s.cache.get(token); ok && ctx.Err() == nil {
		return e, nil
	}
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(itemsBucket).Cursor()
		key := detailsKey(token)
		found, value := cursor.Seek(key)
		if !bytes.Equal(found, key) {
			return event.ErrEventNotFound
		}
		d, err := decodeDetails(key, value)
		if err != nil {
			return err
		}
		n, err := decodeCounter(cursor.Next()) // its neighbour
		e, e.AttendeeCount = d.Event, int(n.rsvps)
		return err
	})
	if err == nil {
		s.cache.put(e, commits)
	}
	return e, err
}

// CancelEvent implements event.Store.
func (s *Store) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, _ time.Time) error {
	return s.write(ctx, func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		switch {
		case err != nil:
			return err
		case !d.organizer.Equal(organizer):
			return event.ErrOrganizerToken
		case d.Cancelled:
			return event.ErrAlreadyCancelled
		}
		d.Cancelled, d.CancellationReason = true, reason
		c.put(itemsBucket, detailsKey(token), d.encode())
		return c.err
	})
}

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
		case ok && string(stored.name) == r.Name:
			return nil
		case ok:
			return event.ErrTokenTaken
		}
		if err := d.Admits(r.CreatedAt); err != nil {
			return err
		}
		n, err := counterOf(c.Tx, token)
		if err != nil {
			return err
		}
		at := r.CreatedAt
		if at.Before(n.last) {
			at = n.last.Add(1) // the clock was set back
		}
		c.put(itemsBucket, counterKey(token), counter{n.rsvps + 1, at}.encode())
		c.put(itemsBucket, key, rsvp{[]byte(r.Name), at}.encode())
		return c.err
	})
}

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

// AttendeesByEvent implements event.Store. It reads all RSVPs of the event for
// each page: an index by time would write a second key for every RSVP, and the
// disk bounds the rate of RSVPs.
func (s *Store) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) (page []event.RSVP, more bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := detailsOf(tx, token)
		if err != nil {
			return err
		}
		if !d.organizer.Equal(organizer) {
			return event.ErrOrganizerToken
		}
		n, err := counterOf(tx, token)
		if err != nil {
			return err
		}
		rsvps := make([]listed, 0, n.rsvps)
		prefix := rsvpKey(token, event.Hash{})[:len(token)+1]
		cursor := tx.Bucket(itemsBucket).Cursor()
		for key, value := cursor.Seek(prefix); bytes.HasPrefix(key, prefix); key, value = cursor.Next() {
			r, err := decodeRSVP(key, value)
			if err != nil {
				return err
			}
			l := listed{event.Position{CreatedAt: r.createdAt}, r.name}
			copy(l.Hash[:], key[len(prefix):])
			if after == (event.Position{}) || l.Compare(after) > 0 {
				rsvps = append(rsvps, l)
			}
		}
		slices.SortFunc(rsvps, func(a, b listed) int { return a.Compare(b.Position) })
		for i, l := range rsvps {
			if maxBytes -= len(l.name); maxBytes < 0 && i > 0 {
				more = true
				break
			}
			page = append(page, event.RSVP{Hash: l.Hash, Name: string(l.name), CreatedAt: l.CreatedAt})
		}
		return nil
	})
	return page, more, err
}

// A listed RSVP has its name still in the file: only a page of them is copied.
type listed struct {
	event.Position
	name []byte
}

// Ready implements event.Store. After a commit that has not reached the disk the
// store is not ready until one has; Ready tries it itself, with more than a write
// usually needs.
func (s *Store) Ready(ctx context.Context) error {
	if s.failing.Load() {
		const room = 64 << 10 // bytes
		err := s.write(ctx, func(c *change) error {
			c.put(stateBucket, probeKey, make([]byte, room))
			return c.err
		})
		if err != nil {
			return err
		}
		return s.write(ctx, func(c *change) error {
			c.delete(stateBucket, probeKey)
			return c.err
		})
	}
	return s.read(ctx, func(*bbolt.Tx) error { return nil })
}

func (s *Store) read(ctx context.Context, look func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return unavailable(err)
	}
	err := s.db.View(look)
	if errors.Is(err, bbolterrors.ErrDatabaseNotOpen) {
		return unavailable(err)
	}
	return err
}
