package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return tested{open(t, filepath.Join(t.TempDir(), "turnout.db"))}
	})
}

// tested is a store whose items a test may see and delete. It has no counter that
// could be deleted alone.
type tested struct{ *Store }

func (s tested) Pieces(ctx context.Context, token event.Token) (pieces []storetest.Piece, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(itemsBucket).Cursor()
		for key, _ := cursor.Seek(token[:]); bytes.HasPrefix(key, token[:]); key, _ = cursor.Next() {
			switch key[len(token)] {
			case detailsKind:
				pieces = append(pieces, storetest.Piece{Part: storetest.Details, Key: string(key)})
			case rsvpKind:
				pieces = append(pieces, storetest.Piece{Part: storetest.RSVPs, Key: string(key)})
			}
		}
		return nil
	})
	return pieces, err
}

// DeletePiece deletes an RSVP, or the event with all of them, as a sweep would.
func (s tested) DeletePiece(ctx context.Context, token event.Token, p storetest.Piece) error {
	return s.write(ctx, func(c *change) error {
		if p.Part == storetest.RSVPs {
			return c.removeRSVPs(token, []byte(p.Key))
		}
		d, err := detailsOf(c.Tx, token)
		for err == nil && c.Bucket(itemsBucket).Get(detailsKey(token)) != nil {
			err = c.sweepPart(expiryKey(d.ExpiresAt, token))
		}
		return err
	})
}

// BenchmarkListManyGuests lists 200,000 guests with the longest names to the last
// one, in pages of an answer's size.
func BenchmarkListManyGuests(b *testing.B) {
	const guests, maxBytes = 200_000, 5 << 20
	s := openNew(b)
	now := time.Now()
	token, organizer := newEvent(b, s, now.Add(time.Hour))
	name := func(i int) string { return fmt.Sprintf("%08d", i) + strings.Repeat("😀", 92) }
	const chunk = 20_000
	for first := 0; first < guests; first += chunk {
		err := s.write(b.Context(), func(c *change) error {
			for i := first; i < first+chunk; i++ {
				r := rsvp{[]byte(name(i)), now.Add(time.Duration(i))}
				c.put(itemsBucket, rsvpKey(token, event.NewToken().Hash()), r.encode())
			}
			c.put(itemsBucket, counterKey(token), counter{rsvps: uint64(first + chunk)}.encode())
			return c.err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		listed := 0
		for after, more := (event.Position{}), true; more; {
			var page []event.RSVP
			var err error
			page, more, err = s.AttendeesByEvent(b.Context(), token, organizer, after, maxBytes)
			if err != nil || len(page) == 0 {
				b.Fatalf("after %d guests: %d, %v", listed, len(page), err)
			}
			for _, r := range page {
				if r.Name != name(listed) {
					b.Fatalf("guest %d is %.20s", listed, r.Name)
				}
				listed++
			}
			after = page[len(page)-1].Position()
		}
		if listed != guests {
			b.Fatalf("%d guests are listed, want %d", listed, guests)
		}
	}
	path := s.db.Path()
	if err := errors.Join(s.Close(), check(path)); err != nil {
		b.Error(err)
	}
}
