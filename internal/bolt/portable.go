package bolt

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
	"turnout/internal/portable"
)

var _ portable.Store = (*Store)(nil)

// errLater ends an export: what it left out would be lost.
var errLater = errors.New("a later version of the program has stored it, with more than this one knows")

// Tokens implements portable.Store, in the order of tokens.
func (s *Store) Tokens(ctx context.Context) iter.Seq2[event.Token, error] {
	return func(yield func(event.Token, error) bool) {
		var from []byte
		for {
			var key []byte
			err := s.read(ctx, func(tx *bbolt.Tx) error {
				found, _ := tx.Bucket(itemsBucket).Cursor().Seek(from)
				key = bytes.Clone(found)
				return nil
			})
			if err != nil {
				yield(event.Token{}, err)
			}
			if key == nil || !yield(event.Token(key), nil) {
				return
			}
			token := event.Token(key)
			from = append(token[:], rsvpKind+1)
		}
	}
}

// Record implements portable.Store.
func (s *Store) Record(ctx context.Context, token event.Token) (r portable.Record, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		d, err := storedDetails(tx, token)
		switch {
		case err != nil:
			return err
		case d.unknown != "":
			return errLater
		case d.erased():
			r.Token, r.Erased = token, true
			r.ExpiresAt = d.ExpiresAt.Add(time.Second - 1).Truncate(time.Second)
			return nil
		}
		r.Event, r.Organizer, r.CancelKey = d.Event, d.organizer, d.cancelKey
		for key, value := range rsvpsOf(tx, token) {
			stored, err := decodeRSVP(key, value)
			if err != nil {
				return err
			}
			rsvp := event.RSVP{Name: string(stored.name), CreatedAt: stored.createdAt}
			copy(rsvp.Hash[:], key[len(key)-hashSize:])
			r.RSVPs = append(r.RSVPs, rsvp)
		}
		return nil
	})
	return r, err
}

// AddRecord implements portable.Store, in one commit.
func (s *Store) AddRecord(ctx context.Context, r portable.Record) error {
	return s.write(ctx, func(c *change) error {
		if _, err := storedDetails(c.Tx, r.Token); err == nil {
			return event.ErrTokenTaken
		} else if !errors.Is(err, event.ErrEventNotFound) {
			return err
		}
		if r.Erased {
			c.add(erasedDetails(r.Token, r.ExpiresAt, r.ExpiresAt))
			return c.err
		}
		c.add(details{Event: r.Event, organizer: r.Organizer, cancelKey: r.CancelKey})
		var n counter
		for _, imported := range r.RSVPs {
			var content []byte
			if imported.Name != "" {
				content = rsvp{[]byte(imported.Name), imported.CreatedAt}.encode()
				n.rsvps++
				if imported.CreatedAt.After(n.last) {
					n.last = imported.CreatedAt
				}
			}
			c.put(itemsBucket, rsvpKey(r.Token, imported.Hash), content)
		}
		c.put(itemsBucket, counterKey(r.Token), n.encode())
		return c.err
	})
}
