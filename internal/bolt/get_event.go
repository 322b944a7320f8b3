package bolt

import (
	"bytes"
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

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
		switch {
		case err != nil:
			return err
		case d.Erased:
			return event.ErrEventNotFound
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
