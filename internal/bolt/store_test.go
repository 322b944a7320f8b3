package bolt

import (
	"bytes"
	"context"
	"math"
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

// tested is a store whose items a test may list and delete. A gate cannot be deleted without its event.
type tested struct{ *Store }

func (s tested) Items(ctx context.Context, token event.Token) (items []storetest.Item, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(itemsBucket).Cursor()
		for key, _ := cursor.Seek(token[:]); bytes.HasPrefix(key, token[:]); key, _ = cursor.Next() {
			switch key[len(token)] {
			case detailsKind:
				items = append(items, storetest.Item{Part: storetest.Details, Key: string(key)})
			case rsvpKind:
				items = append(items, storetest.Item{Part: storetest.RSVPs, Key: string(key)})
			}
		}
		return nil
	})
	return items, err
}

// DeleteItem deletes an RSVP, or an event with all its RSVPs, as a sweep would.
func (s tested) DeleteItem(ctx context.Context, token event.Token, p storetest.Item) error {
	return s.write(ctx, func(c *change) error {
		if p.Part == storetest.RSVPs {
			err := c.cancelRSVP(token, []byte(p.Key))
			c.delete(itemsBucket, []byte(p.Key))
			return err
		}
		d, err := detailsOf(c.Tx, token)
		if err == nil {
			_, err = c.sweepEvent(expiryKey(d.ExpiresAt, token), math.MaxInt)
		}
		return err
	})
}
