package bolt

import (
	"context"
	"math"
	"slices"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// ListAttendees implements event.Store. It reads all RSVPs of the event for each list. An
// index by time would add a key to every RSVP, and the disk already limits their rate.
func (s *Store) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, after event.Position,
) (list []event.RSVP, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := detailsOf(tx, token)
		if err != nil {
			return err
		}
		if !d.Organizer.Equal(organizer) {
			return event.ErrOrganizerToken
		}
		rsvps, err := rsvpsOf(tx, token, math.MaxInt)
		standing := slices.DeleteFunc(rsvps, func(r event.RSVP) bool { return r.Name == "" })
		list = event.After(standing, after)
		return err
	})
	return list, err
}
