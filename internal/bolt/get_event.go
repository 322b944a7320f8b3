package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// GetEvent implements event.Store.
func (s *Store) GetEvent(ctx context.Context, token event.Token) (e event.Event, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) (err error) {
		e, err = eventOf(tx, token)
		return err
	})
	return e, err
}

func eventOf(tx *bbolt.Tx, token event.Token) (e event.Event, err error) {
	d, err := detailsOf(tx, token)
	if err != nil {
		return e, err
	}
	n, err := counterOf(tx, token)
	e, e.AttendeeCount = d.Event, int(n.rsvps)
	return e, err
}
