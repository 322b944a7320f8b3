package bolt

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// TestErasedEvent: the record of an erased event has no content, passes the check of the
// next start, and expires after a year, or with the event if that is later. A program that
// does not know of erased events shows it as cancelled and accepts no RSVPs.
func TestErasedEvent(t *testing.T) {
	now := time.Now().UTC()
	for name, c := range map[string]struct{ expires, want time.Time }{
		"expires soon":  {now.Add(time.Hour), now.AddDate(1, 0, 0)},
		"expires later": {now.AddDate(2, 0, 0), now.AddDate(2, 0, 0)},
	} {
		s := openNew(t)
		token, organizer := newEvent(t, s, c.expires)
		addRSVP(t, s, token, "Ada", now)
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
			d, err := storedDetails(tx, token) // which is how earlier programs read an event
			remains := event.Event{
				Token: token, Cancelled: true, DateTime: d.DateTime, Timezone: "UTC", CreatedAt: now, ExpiresAt: c.want,
			}
			want := details{Record: event.Record{Event: remains, Erased: true}}
			_, problem := time.Parse(time.RFC3339, d.DateTime)
			if problem != nil || !reflect.DeepEqual(d, want) {
				t.Errorf("%s: stored is %+v, want %+v", name, d, remains)
			}
			return err
		})
		must(t, err)
		exported, err := s.Record(t.Context(), token)
		want := time.Unix(c.want.Unix()+1, 0).UTC() // rounded up: a table has whole seconds
		if err != nil || !exported.Erased || !exported.ExpiresAt.Equal(want) {
			t.Errorf("%s: exported is %+v, %v", name, exported, err)
		}
		for n := range sweepsUntilGone {
			must(t, s.sweep(t.Context(), c.want.Add(time.Duration(1+n)*time.Hour)))
		}
		if !s.empty() {
			t.Errorf("%s: it is not removed after its expiry", name)
		}
	}
}
