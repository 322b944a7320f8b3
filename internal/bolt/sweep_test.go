package bolt

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

func isStored(t *testing.T, s *Store, token event.Token) bool {
	t.Helper()
	_, err := s.GetEvent(t.Context(), token)
	if err != nil && !errors.Is(err, event.ErrEventNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// TestSweepHourly: while the server runs, the first sweep that begins two days after an event's expiry deletes the
// event with its RSVPs. No other event is deleted. The first sweep is an hour after the start.
func TestSweepHourly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(epoch))
		s := openNew(t)
		overdue, _ := createEvent(t, s, time.Now().Add(-keptFor-time.Minute))
		ctx, stop := context.WithCancel(t.Context())
		go s.SweepHourly(ctx, func(err error) { t.Error(err) })
		time.Sleep(time.Hour - time.Minute)
		if !isStored(t, s, overdue) {
			t.Error("gone before the first sweep")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if isStored(t, s, overdue) {
			t.Error("not gone after the first sweep")
		}

		gone, _ := createEvent(t, s, time.Now().Add(-30*time.Minute))
		edge, _ := createEvent(t, s, time.Now()) // expires exactly at the time of a sweep
		kept, organizer := createEvent(t, s, time.Now().Add(90*time.Hour))
		for _, token := range []event.Token{gone, edge, kept} {
			createRSVP(t, s, token, "Ada", time.Now().Add(-time.Hour))
		}
		time.Sleep(48*time.Hour - time.Minute)
		if !isStored(t, s, gone) {
			t.Error("gone too early")
		}
		time.Sleep(2 * time.Minute)
		if isStored(t, s, gone) || !isStored(t, s, edge) {
			t.Error("after 48 hours: the wrong events are there")
		}
		time.Sleep(time.Hour)
		if isStored(t, s, edge) {
			t.Error("not gone after 49 hours")
		}
		wantGuests(t, s, kept, organizer, 1)
		stop()
		synctest.Wait()
	})
}

const day = 24 * time.Hour

// A machine runs a store. Its clock may be wrong.
type machine struct {
	*testing.T
	*Store
	now time.Time // the true time
}

func newMachine(t *testing.T) *machine {
	m := &machine{t, openNew(t), epoch.Add(100 * day)}
	m.db.NoSync = true // the test is about hours, not about the disk
	return m
}

// run runs the store for a number of hours, with a sweep after each hour. ahead is the fault of the clock.
func (m *machine) run(hours int, ahead time.Duration) {
	m.Helper()
	for range hours {
		m.now = m.now.Add(time.Hour)
		must(m.T, m.sweep(m.Context(), m.now.Add(ahead)))
	}
}

func (m *machine) want(when string, token event.Token, there bool) {
	m.Helper()
	if isStored(m.T, m.Store, token) != there {
		m.Errorf("%s: stored %t, want %t", when, !there, there)
	}
}

func (m *machine) horizon() (horizon time.Time) {
	must(m.T, m.db.View(func(tx *bbolt.Tx) (err error) {
		horizon, err = horizonOf(tx)
		return err
	}))
	return horizon
}

// TestWrongClock: a clock that is wrong for an afternoon deletes no event that is still to come, and the clock that was
// set right deletes each event in time. This holds for a file that was swept before, and for a file without a horizon,
// which is new or of an earlier version.
func TestWrongClock(t *testing.T) {
	const afternoon, year = 8, 365 * day
	for fault, ahead := range map[string]time.Duration{
		"a year ahead": year, "two centuries ahead": 200 * year, "ten days ahead": 10 * day,
		"a month behind": -30 * day, "at its zero": -57 * year,
	} {
		for name, swept := range map[string]bool{"": true, ", without a horizon": false} {
			t.Run(fault+name, func(t *testing.T) {
				m := newMachine(t)
				month, _ := createEvent(t, m.Store, m.now.Add(30*day))
				if swept {
					m.run(1, 0)
				}
				for n := range 10 { // each day the clock is wrong
					today, _ := createEvent(t, m.Store, m.now.Add(event.RSVPWindow))
					m.run(afternoon, ahead)
					m.want(fmt.Sprint("the event of day ", n), today, true)
					m.run(24-afternoon, 0)
				}
				if !m.horizon().Equal(m.now) {
					t.Errorf("the horizon is at %v, and now is %v", m.horizon(), m.now)
				}
				m.run((30+2-10)*24-1, 0)
				m.want("before it is due", month, true)
				m.run(2, 0)
				m.want("once it is due", month, false)
			})
		}
	}
}

// TestHorizon: the horizon makes up for a month without a server in 30 hours, a day in each. While it is ahead of the
// clock, no event after now is deleted. In a new file it begins at the date of the event that expires first, or at
// epoch if that is later.
func TestHorizon(t *testing.T) {
	m := newMachine(t)
	m.run(1, 0)
	if h := m.horizon(); !h.IsZero() {
		t.Errorf("without an event it is at %v", h)
	}
	createEvent(t, m.Store, m.now.Add(-day+event.RSVPWindow))
	m.run(2, 0)
	m.now = m.now.Add(30 * day)
	gone, _ := createEvent(t, m.Store, m.now.Add(-2*day-time.Hour))
	m.run(29, 0)
	m.want("29 hours after a month", gone, true)
	m.run(1, 0)
	m.want("30 hours after a month", gone, false)

	m.run(24, 365*day) // a wrong clock, and then an event for tomorrow
	tomorrow, _ := createEvent(t, m.Store, m.now.Add(day+event.RSVPWindow))
	m.run(24, 0)
	m.want("after the clock was set right", tomorrow, true)

	m = newMachine(t)
	createEvent(t, m.Store, time.Time{})
	m.run(1, 0)
	if h := m.horizon(); !h.Equal(epoch.Add(day)) {
		t.Errorf("with an event of the year 1 it begins at %v", h)
	}
}

// sweepBefore runs one commit of a sweep, and reports whether there is more to delete.
func sweepBefore(t *testing.T, s *Store, at time.Time) (more bool) {
	t.Helper()
	err := s.write(t.Context(), func(c *change) (err error) {
		more, err = c.sweepBefore(appendTime(nil, at))
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
	if !sweepBefore(t, s, time.Now()) {
		t.Error("nothing more to delete after a part of an event")
	}
	wantGuests(t, s, first, organizer, rsvps-sweepBatch)
	if !sweepBefore(t, s, time.Now()) || isStored(t, s, first) || !isStored(t, s, last) {
		t.Error("after the second commit: more or fewer are gone than it may delete")
	}
	if sweepBefore(t, s, time.Now()) || isStored(t, s, last) {
		t.Error("not gone, or not the last")
	}
	if err := errors.Join(s.Close(), damageOf(s.path)); err != nil {
		t.Error(err)
	}
}

// TestSweepPassesErrorsOn: a sweep's error is reported, and the next sweeps still run.
func TestSweepPassesErrorsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(epoch))
		s := openNew(t)
		must(t, s.Close())
		var failed []error
		ctx, stop := context.WithTimeout(t.Context(), 210*time.Minute)
		defer stop()
		s.SweepHourly(ctx, func(err error) { failed = append(failed, err) })
		if len(failed) != 3 || !errors.Is(failed[0], event.ErrUnavailable) {
			t.Error(fmt.Sprint(failed))
		}
	})
}
