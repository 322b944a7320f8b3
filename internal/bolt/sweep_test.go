package bolt

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/event"
)

func exists(t *testing.T, s *Store, token event.Token) bool {
	t.Helper()
	_, err := s.GetEvent(t.Context(), token)
	if err != nil && !errors.Is(err, event.ErrEventNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// TestSweepHourly: while the server runs, the first sweep that begins two days after an event's expiry deletes the
// event with its RSVPs. No other event is deleted.
func TestSweepHourly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openNew(t)
		ctx, stop := context.WithCancel(t.Context())
		go s.SweepHourly(ctx, func(err error) { t.Error(err) })
		synctest.Wait()

		gone, _ := createEvent(t, s, time.Now().Add(-30*time.Minute))
		edge, _ := createEvent(t, s, time.Now()) // expires exactly at the time of a sweep
		kept, organizer := createEvent(t, s, time.Now().Add(90*time.Hour))
		for _, token := range []event.Token{gone, edge, kept} {
			createRSVP(t, s, token, "Ada", time.Now().Add(-time.Hour))
		}
		time.Sleep(48*time.Hour - time.Minute)
		if !exists(t, s, gone) {
			t.Error("gone too early")
		}
		time.Sleep(2 * time.Minute)
		if exists(t, s, gone) || !exists(t, s, edge) {
			t.Error("after 48 hours: the wrong events are there")
		}
		time.Sleep(time.Hour)
		if exists(t, s, edge) {
			t.Error("not gone after 49 hours")
		}
		wantGuests(t, s, kept, organizer, 1)
		stop()
		synctest.Wait()
	})
}

// sweepBefore runs one commit of a sweep, and reports whether there is more to delete.
func sweepBefore(t *testing.T, s *Store) (more bool) {
	t.Helper()
	err := s.write(t.Context(), func(c *change) (err error) {
		more, err = c.sweepBefore(appendTime(nil, time.Now()))
		return err
	})
	must(t, err)
	return more
}

// TestSweepInBatches: a commit of a sweep deletes many events, or a part of a large event. The count and the list of a
// large event agree until the event is deleted.
func TestSweepInBatches(t *testing.T) {
	s := openNew(t)
	const events, rsvps = sweepBatch, sweepBatch + 1 // the first event has this number of RSVPs
	s.db.NoSync = true                               // the test is about a commit's deletes, not about the disk
	first, organizer := createEvent(t, s, time.Unix(0, 0))
	for range rsvps {
		createRSVP(t, s, first, "Ada", time.Unix(0, 0))
	}
	var last event.Token
	for n := range events - 1 {
		last, _ = createEvent(t, s, time.Unix(int64(1+n), 0))
	}
	if !sweepBefore(t, s) {
		t.Error("nothing more to delete after a part of an event")
	}
	wantGuests(t, s, first, organizer, rsvps-sweepBatch)
	if !sweepBefore(t, s) || exists(t, s, first) || !exists(t, s, last) {
		t.Error("after the second commit: more or fewer are gone than it may delete")
	}
	if sweepBefore(t, s) || exists(t, s, last) {
		t.Error("not gone, or not the last")
	}
	if err := errors.Join(s.Close(), damageOf(s.path)); err != nil {
		t.Error(err)
	}
}

// TestSweepPassesErrorsOn: a sweep's error is reported, and the next sweeps still run.
func TestSweepPassesErrorsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openNew(t)
		must(t, s.Close())
		var failed []error
		ctx, stop := context.WithTimeout(t.Context(), 150*time.Minute)
		defer stop()
		s.SweepHourly(ctx, func(err error) { failed = append(failed, err) })
		if len(failed) != 3 || !errors.Is(failed[0], event.ErrUnavailable) {
			t.Error(fmt.Sprint(failed))
		}
	})
}
