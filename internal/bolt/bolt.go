// Package bolt is the store for one machine: an event.Store in a single bbolt file.
package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// The file holds one bucket per event, so that its RSVPs go when it goes:
//
//	events / <event token> / details           details as JSON
//	                       / count             number of RSVPs, 8 bytes, big endian
//	                       / rsvps / <hash>    rsvp as JSON
//	expiry / <seconds, 8 bytes><event token>   empty: the order in which events expire
var (
	eventsBucket = []byte("events")
	expiryBucket = []byte("expiry")
	rsvpsBucket  = []byte("rsvps")
	detailsKey   = []byte("details")
	countKey     = []byte("count")
)

// Times are numbers, because JSON's have no year 10000, in which an event of
// December 9999 expires.
type details struct {
	Title              string
	Description        *string `json:",omitempty"`
	DateTime           string
	Timezone           string
	Location           *string `json:",omitempty"`
	OrganizerHash      []byte
	Cancelled          bool    `json:",omitempty"`
	CancellationReason *string `json:",omitempty"`
	CreatedAt          int64   // nanoseconds since 1970
	ExpiresAt          int64   // seconds since 1970
	ExpiresNanoseconds int64   `json:",omitempty"` // beyond ExpiresAt
}

type rsvp struct {
	Name      string
	CreatedAt int64 // nanoseconds since 1970
}

// AddEvent implements event.Store.
func (s *Store) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	return s.write(ctx, func(tx *bbolt.Tx) (refused, failed error) {
		events := tx.Bucket(eventsBucket)
		if events.Bucket(e.Token[:]) != nil {
			_, d, err := find(tx, e.Token)
			if err == nil && (!d.organizedBy(organizer) || !d.event(e.Token).SameContent(e)) {
				err = event.ErrTokenTaken
			}
			return err, nil
		}
		bucket, err := events.CreateBucket(e.Token[:])
		if err != nil {
			return nil, err
		}
		if _, err := bucket.CreateBucket(rsvpsBucket); err != nil {
			return nil, err
		}
		if err := bucket.Put(countKey, make([]byte, 8)); err != nil {
			return nil, err
		}
		if err := tx.Bucket(expiryBucket).Put(expiryKey(e.ExpiresAt, e.Token[:]), nil); err != nil {
			return nil, err
		}
		return nil, putJSON(bucket, detailsKey, details{
			Title:         e.Title,
			Description:   e.Description,
			DateTime:      e.DateTime,
			Timezone:      e.Timezone,
			Location:      e.Location,
			OrganizerHash: organizer[:],
			CreatedAt:     e.CreatedAt.UnixNano(),
			ExpiresAt:     e.ExpiresAt.Unix(),

			ExpiresNanoseconds: int64(e.ExpiresAt.Nanosecond()),
		})
	})
}

// EventByToken implements event.Store.
func (s *Store) EventByToken(ctx context.Context, token event.Token) (e event.Event, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		bucket, d, err := find(tx, token)
		if err != nil {
			return err
		}
		e = d.event(token)
		e.AttendeeCount = int(count(bucket))
		return nil
	})
	return e, err
}

// CancelEvent implements event.Store.
func (s *Store) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, _ time.Time) error {
	return s.write(ctx, func(tx *bbolt.Tx) (refused, failed error) {
		bucket, d, err := find(tx, token)
		switch {
		case err != nil:
			return err, nil
		case !d.organizedBy(organizer):
			return event.ErrOrganizerToken, nil
		case d.Cancelled:
			return event.ErrAlreadyCancelled, nil
		}
		d.Cancelled, d.CancellationReason = true, reason
		return nil, putJSON(bucket, detailsKey, d)
	})
}

// AddRSVP implements event.Store.
func (s *Store) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	return s.write(ctx, func(tx *bbolt.Tx) (refused, failed error) {
		bucket, d, err := find(tx, token)
		if err != nil {
			return err, nil
		}
		rsvps := bucket.Bucket(rsvpsBucket)
		if value := rsvps.Get(r.Hash[:]); value != nil {
			var stored rsvp
			err := json.Unmarshal(value, &stored)
			if err == nil && stored.Name != r.Name {
				err = event.ErrTokenTaken
			}
			return err, nil
		}
		if err := d.event(token).Admits(r.CreatedAt); err != nil {
			return err, nil
		}
		if err := addToCount(bucket, 1); err != nil {
			return nil, err
		}
		return nil, putJSON(rsvps, r.Hash[:], rsvp{Name: r.Name, CreatedAt: r.CreatedAt.UnixNano()})
	})
}

// RemoveRSVP implements event.Store.
func (s *Store) RemoveRSVP(ctx context.Context, token event.Token, hash event.Hash) error {
	return s.write(ctx, func(tx *bbolt.Tx) (refused, failed error) {
		bucket := tx.Bucket(eventsBucket).Bucket(token[:])
		if bucket == nil {
			return nil, nil
		}
		rsvps := bucket.Bucket(rsvpsBucket)
		if rsvps.Get(hash[:]) == nil {
			return nil, nil
		}
		if err := addToCount(bucket, -1); err != nil {
			return nil, err
		}
		return nil, rsvps.Delete(hash[:])
	})
}

// AttendeesByEvent implements event.Store.
func (s *Store) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) (page []event.RSVP, more bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		bucket, d, err := find(tx, token)
		if err != nil {
			return err
		}
		if !d.organizedBy(organizer) {
			return event.ErrOrganizerToken
		}
		rsvps := make([]event.RSVP, 0, count(bucket))
		err = bucket.Bucket(rsvpsBucket).ForEach(func(hash, value []byte) error {
			var r rsvp
			err := json.Unmarshal(value, &r)
			rsvps = append(rsvps, event.RSVP{Hash: event.Hash(hash), Name: r.Name, CreatedAt: time.Unix(0, r.CreatedAt).UTC()})
			return err
		})
		if err != nil {
			return err
		}
		page, more = event.Page(rsvps, after, maxBytes)
		return nil
	})
	return page, more, err
}

// Ready implements event.Store.
func (s *Store) Ready(ctx context.Context) error {
	return s.read(ctx, func(*bbolt.Tx) error { return nil })
}

// keptAfterExpiry is how long an expired event stays readable, about as long as
// DynamoDB's TTL takes.
const keptAfterExpiry = 48 * time.Hour

// Sweep deletes the events that expired some time before now, each with its RSVPs.
func (s *Store) Sweep(ctx context.Context, now time.Time) error {
	end := expiryKey(now.Add(-keptAfterExpiry), nil)
	for {
		var next []byte
		err := s.read(ctx, func(tx *bbolt.Tx) error {
			first, _ := tx.Bucket(expiryBucket).Cursor().First()
			next = bytes.Clone(first)
			return nil
		})
		if err != nil || next == nil || bytes.Compare(next, end) >= 0 {
			return err
		}
		err = s.write(ctx, func(tx *bbolt.Tx) (refused, failed error) {
			if err := tx.Bucket(expiryBucket).Delete(next); err != nil {
				return nil, err
			}
			return nil, tx.Bucket(eventsBucket).DeleteBucket(next[len(end):])
		})
		if err != nil {
			return err
		}
	}
}

// find returns the bucket and the details of an event, or ErrEventNotFound.
func find(tx *bbolt.Tx, token event.Token) (*bbolt.Bucket, details, error) {
	var d details
	bucket := tx.Bucket(eventsBucket).Bucket(token[:])
	if bucket == nil || bucket.Get(detailsKey) == nil {
		return nil, d, event.ErrEventNotFound
	}
	return bucket, d, json.Unmarshal(bucket.Get(detailsKey), &d)
}

func (d details) event(token event.Token) event.Event {
	return event.Event{
		Token:              token,
		Title:              d.Title,
		Description:        d.Description,
		DateTime:           d.DateTime,
		Timezone:           d.Timezone,
		Location:           d.Location,
		Cancelled:          d.Cancelled,
		CancellationReason: d.CancellationReason,
		CreatedAt:          time.Unix(0, d.CreatedAt).UTC(),
		ExpiresAt:          time.Unix(d.ExpiresAt, d.ExpiresNanoseconds).UTC(),
	}
}

func (d details) organizedBy(h event.Hash) bool {
	return len(d.OrganizerHash) == len(h) && h.Equal(event.Hash(d.OrganizerHash))
}

// count returns the number of RSVPs, none where it is missing.
func count(bucket *bbolt.Bucket) uint64 {
	if stored := bucket.Get(countKey); stored != nil {
		return binary.BigEndian.Uint64(stored)
	}
	return 0
}

// addToCount leaves a count that is missing missing.
func addToCount(bucket *bbolt.Bucket, n int) error {
	if bucket.Get(countKey) == nil {
		return nil
	}
	return bucket.Put(countKey, binary.BigEndian.AppendUint64(nil, count(bucket)+uint64(n)))
}

func putJSON(bucket *bbolt.Bucket, key []byte, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return bucket.Put(key, text)
}

func expiryKey(at time.Time, token []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(at.Unix())), token...)
}
