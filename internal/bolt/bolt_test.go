package bolt

import (
	"context"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return tested{open(t, filepath.Join(t.TempDir(), "turnout.db"))}
	})
}

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B) event.Store {
		return open(b, filepath.Join(b.TempDir(), "turnout.db"))
	}, 10, 1_000, 100_000)
}

// tested is a store whose keys a test may see and delete.
type tested struct{ *Store }

func (s tested) Pieces(_ context.Context, token event.Token) (pieces []storetest.Piece, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(eventsBucket).Bucket(token[:])
		if bucket == nil {
			return nil
		}
		for part, key := range map[storetest.Part][]byte{storetest.Details: detailsKey, storetest.Counters: countKey} {
			if bucket.Get(key) != nil {
				pieces = append(pieces, storetest.Piece{Part: part})
			}
		}
		return bucket.Bucket(rsvpsBucket).ForEach(func(key, _ []byte) error {
			pieces = append(pieces, storetest.Piece{Part: storetest.RSVPs, Key: string(key)})
			return nil
		})
	})
	return pieces, err
}

func (s tested) Forget(_ context.Context, token event.Token, p storetest.Piece) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(eventsBucket).Bucket(token[:])
		switch p.Part {
		case storetest.Details:
			return bucket.Delete(detailsKey)
		case storetest.Counters:
			return bucket.Delete(countKey)
		}
		return bucket.Bucket(rsvpsBucket).Delete([]byte(p.Key))
	})
}
