package bolt

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// TestEachEventInOneTransaction: a list of any length is read in one transaction.
func TestEachEventInOneTransaction(t *testing.T) {
	s := openNew(t)
	must(t, s.Close())
	s, err := OpenReadOnly(s.path) // bbolt counts the transactions of a read-only file
	must(t, err)
	defer s.Close()
	for _, n := range []int{10, 100} {
		before, calls := s.db.Stats().TxN, 0
		must(t, s.EachEvent(t.Context(), make([]event.Token, n), func(event.Token, event.Event, error) error {
			calls++
			return nil
		}))
		if transactions := s.db.Stats().TxN - before; calls != n || transactions != 1 {
			t.Errorf("%d events: %d calls, %d transactions", n, calls, transactions)
		}
	}
}

// TestErasedEvent: the record of an erased event has no content, and passes the check of the next start. The record
// expires after a year, or at the event's expiry if this is later.
func TestErasedEvent(t *testing.T) {
	now := time.Now().UTC()
	for name, c := range map[string]struct{ expires, want time.Time }{
		"expires soon":  {now.Add(time.Hour), now.AddDate(1, 0, 0)},
		"expires later": {now.AddDate(2, 0, 0), now.AddDate(2, 0, 0)},
	} {
		s := openNew(t)
		token, organizer := createEvent(t, s, c.expires)
		createRSVP(t, s, token, "Ada", now)
		rain := event.Cancellation{Reason: new("rain"), Key: event.Hash{1}}
		must(t, s.CancelEvent(t.Context(), token, organizer, rain, now))
		if n, err := s.EraseEvent(t.Context(), token, now); err != nil || n != 2 {
			t.Fatalf("%s: %d items erased: %v", name, n, err)
		}
		must(t, s.Close())
		s = open(t, s.path)
		if _, err := s.GetEvent(t.Context(), token); !errors.Is(err, event.ErrEventNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		err := s.db.View(func(tx *bbolt.Tx) error {
			d, err := storedDetails(tx, token)
			remains := event.Event{Token: token, CreatedAt: now, ExpiresAt: c.want}
			if want := (details{event.Record{Event: remains, Erased: true}}); !reflect.DeepEqual(d, want) {
				t.Errorf("%s: stored is %+v, want %+v", name, d, want)
			}
			return err
		})
		must(t, err)
		exported, err := s.Record(t.Context(), token)
		want := time.Unix(c.want.Unix()+1, 0).UTC() // rounded up, because a table has whole seconds
		if err != nil || !exported.Erased || !exported.ExpiresAt.Equal(want) {
			t.Errorf("%s: exported is %+v, %v", name, exported, err)
		}
		if sweepBefore(t, s, c.want.Add(1)); !s.empty() {
			t.Errorf("%s: it is not removed after its expiry", name)
		}
	}
}
