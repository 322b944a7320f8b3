package bolt

import (
	"context"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// AttendeesByEvent implements event.Store. It reads all RSVPs of the event for each page. An
// index by time would add a key to every RSVP, and the disk already limits their rate.
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
		rsvps := make([]event.RSVP, 0, n.rsvps)
		for key, value := range rsvpsOf(tx, token) {
			r, err := decodeRSVP(key, value)
			if err != nil {
				return err
			}
			if !r.removed() {
				listed := event.RSVP{Name: string(r.name), CreatedAt: r.createdAt}
				copy(listed.Hash[:], key[len(key)-hashSize:])
				rsvps = append(rsvps, listed)
			}
		}
		page, more = event.Page(rsvps, after, maxBytes)
		return nil
	})
	return page, more, err
}
