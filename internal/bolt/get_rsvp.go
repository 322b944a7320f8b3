package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// GetRSVP implements event.Store.
func (s *Store) GetRSVP(ctx context.Context, token event.Token, id event.RSVPID) (name string, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		if _, err := detailsOf(tx, token); err != nil {
			return err
		}
		r, _, err := rsvpOf(tx, rsvpKey(token, id))
		if err == nil && r.Name == "" {
			err = event.ErrRSVPNotFound
		}
		name = r.Name
		return err
	})
	return name, err
}
