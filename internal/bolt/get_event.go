package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// GetEvent implements event.Store.
func (s *Store) GetEvent(ctx context.Context, token event.Token) (e event.Event, err error) {
	commits := s.cache.commits.Load()
	if e, ok := s.cache.get(token); ok && ctx.Err() == nil {
		return e, nil
	}
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := detailsOf(tx, token)
		if err != nil {
			return err
		}
		n, err := counterOf(tx, token)
		e, e.AttendeeCount = d.Event, int(n.rsvps)
		return err
	})
	if err == nil {
		s.cache.put(e, commits)
	}
	return e, err
}
