package bolt

import (
	"bytes"
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

// tested is a store whose keys a test may count and delete.
type tested struct{ *Store }

func (s tested) Pieces(t *testing.T, token event.Token, part storetest.Part) (n int) {
	s.eachKey(t, token, part, func(*bbolt.Bucket, []byte) error { n++; return nil })
	return n
}

func (s tested) Forget(t *testing.T, token event.Token, part storetest.Part) {
	s.eachKey(t, token, part, (*bbolt.Bucket).Delete)
}

func (s tested) eachKey(t *testing.T, token event.Token, part storetest.Part, do func(*bbolt.Bucket, []byte) error) {
	t.Helper()
	err := s.db.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(eventsBucket).Bucket(token[:])
		if bucket == nil {
			return nil
		}
		keys := [][]byte{detailsKey}
		switch part {
		case storetest.Counters:
			keys = [][]byte{countKey}
		case storetest.RSVPs:
			keys, bucket = nil, bucket.Bucket(rsvpsBucket)
			_ = bucket.ForEach(func(key, _ []byte) error { keys = append(keys, bytes.Clone(key)); return nil })
		}
		for _, key := range keys {
			if bucket.Get(key) == nil {
				continue
			}
			if err := do(bucket, key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
