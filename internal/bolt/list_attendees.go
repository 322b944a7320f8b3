package bolt

import (
	"context"
	"slices"

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
		rsvps := make([]listed, 0, n.rsvps)
		for key, value := range rsvpsOf(tx, token) {
			r, err := decodeRSVP(key, value)
			if err != nil {
				return err
			}
			if r.removed() {
				continue
			}
			l := listed{event.Position{CreatedAt: r.createdAt}, r.name}
			copy(l.Hash[:], key[len(key)-hashSize:])
			if after == (event.Position{}) || l.Compare(after) > 0 {
				rsvps = append(rsvps, l)
			}
		}
		slices.SortFunc(rsvps, func(a, b listed) int { return a.Compare(b.Position) })
		for i, l := range rsvps {
			if maxBytes -= len(l.name); maxBytes < 0 && i > 0 {
				more = true
				break
			}
			page = append(page, event.RSVP{Hash: l.Hash, Name: string(l.name), CreatedAt: l.CreatedAt})
		}
		return nil
	})
	return page, more, err
}

// The name of a listed RSVP is still in the file: only those of a page are copied.
type listed struct {
	event.Position
	name []byte
}
