package dynamo

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

const (
	holds   = 10 * time.Millisecond // how long a transaction holds its items
	latency = 3 * time.Millisecond
)

// TestRSVPsWaitForASignal: an RSVP waits while a cancel renews its signal, and removes
// a signal that is not renewed, so that later RSVPs do not wait.
func TestRSVPsWaitForASignal(t *testing.T) {
	for name, test := range map[string]struct {
		renewals int // a second after another
		least    time.Duration
		most     time.Duration
	}{
		"a cancel that has failed": {0, signalLife, signalLife + time.Second},
		"a cancel that goes on":    {3, 3*time.Second + signalLife, 3*time.Second + signalLife + time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
				e := addEvent(t, s)
				s.signalCancel(t.Context(), e.Token)
				var all sync.WaitGroup
				all.Go(func() {
					for range test.renewals {
						time.Sleep(time.Second)
						s.signalCancel(t.Context(), e.Token)
					}
				})
				begin := time.Now()
				if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("the first guest waited %v", took)
				}
				all.Wait()
				begin = time.Now()
				if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); took > 0 {
					t.Errorf("the second guest waited %v", took)
				}
			})
		})
	}
}

// TestSignalLife: until when an RSVP waits for a signal that does not change, to the
// nanosecond.
func TestSignalLife(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		s.signalCancel(t.Context(), e.Token)
		_, details, err := s.details(t.Context(), e.Token)
		if err != nil {
			t.Fatal(err)
		}
		var seen signal
		for _, test := range []struct {
			later time.Duration
			waits bool
		}{{0, true}, {signalLife - 1, true}, {1, false}} {
			time.Sleep(test.later)
			if waits := s.mustWait(t.Context(), e.Token, details, &seen); waits != test.waits {
				t.Errorf("%v after it was seen an RSVP waits: %t", time.Since(seen.since), waits)
			}
		}
	})
}

// TestCancelRenewsItsSignal while it meets conflicts, and not at each of them.
func TestCancelRenewsItsSignal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		calls.Inject(faulttest.During(4500*time.Millisecond, faulttest.Only("TransactWriteItems", faulttest.Conflicting)))
		if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now); err != nil {
			t.Error(err)
		}
		if n := calls.Calls("UpdateItem"); n < 3 || n > 5 {
			t.Errorf("%d signals in 4.5 seconds", n)
		}
	})
}

// TestNoTransactionAfterTheCancel: an RSVP that waits begins no further transaction
// once the event is cancelled.
func TestNoTransactionAfterTheCancel(t *testing.T) {
	for name, fault := range map[string]faulttest.Fault{
		"after a conflict":        faulttest.Conflicting,
		"after throttling":        faulttest.Throttled,
		"after a lost connection": faulttest.Reset,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
				e := addEvent(t, s)
				calls.Inject(faulttest.Only("TransactWriteItems", func(c faulttest.Call, send faulttest.Send) faulttest.Response {
					calls.Inject(faulttest.NoFault)
					if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now); err != nil {
						t.Error(err)
					}
					return fault(c, send)
				}))
				if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != event.ErrEventCancelled {
					t.Error(err)
				}
				if n := calls.Calls("TransactWriteItems"); n != 2 {
					t.Errorf("%d transactions, want one of the guest and one of the cancel", n)
				}
			})
		})
	}
}

// TestLostResponseBeforeARefusal: an RSVP that was stored succeeds, although its
// response was lost and the event was cancelled before the next attempt. Where it was
// withdrawn as well, its token is taken.
func TestLostResponseBeforeARefusal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e, gone := addEvent(t, s), newRSVP()
		calls.Inject(faulttest.Only("TransactWriteItems", func(c faulttest.Call, send faulttest.Send) faulttest.Response {
			lost := faulttest.DroppedResponse(c, send)
			calls.Inject(faulttest.NoFault)
			err := errors.Join(
				s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now),
				s.AddRSVP(t.Context(), e.Token, gone),
				s.RemoveRSVP(t.Context(), e.Token, gone.Hash, now))
			if err != nil {
				t.Error(err)
			}
			return lost
		}))
		if err := s.AddRSVP(t.Context(), e.Token, gone); err != event.ErrTokenTaken {
			t.Error(err)
		}
		e = addEvent(t, s)
		calls.Inject(faulttest.Only("TransactWriteItems", func(c faulttest.Call, send faulttest.Send) faulttest.Response {
			lost := faulttest.DroppedResponse(c, send)
			calls.Inject(faulttest.NoFault)
			if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, event.Hash{}, now); err != nil {
				t.Error(err)
			}
			return lost
		}))
		r := newRSVP()
		if err := s.AddRSVP(t.Context(), e.Token, r); err != nil {
			t.Error(err)
		}
		r.Name = "Ben"
		if err := s.AddRSVP(t.Context(), e.Token, r); err != event.ErrTokenTaken {
			t.Error(err)
		}
		calls.Inject(faulttest.During(time.Second, faulttest.Only("GetItem", faulttest.Throttled)))
		if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != event.ErrEventCancelled {
			t.Error(err)
		}
	})
}

// TestExpiredGates: an RSVP is cancelled many times at once, after TTL has removed the
// gates of its event.
func TestExpiredGates(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e, leaver := addEvent(t, s), newRSVP()
		for _, r := range []event.RSVP{leaver, newRSVP()} {
			if err := s.AddRSVP(t.Context(), e.Token, r); err != nil {
				t.Fatal(err)
			}
		}
		pieces, err := tested{s}.Pieces(t.Context(), e.Token)
		for _, p := range pieces {
			if p.Part == "counters" {
				err = errors.Join(err, tested{s}.DeletePiece(t.Context(), e.Token, p))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		calls.Inject(faulttest.Then(faulttest.Delay(latency), faulttest.Contention(holds)))
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if err := s.RemoveRSVP(t.Context(), e.Token, leaver.Hash, now); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		items, err := s.items(t.Context(), e.Token)
		names := 0
		for _, i := range items {
			if i["name"] != nil {
				names++
			}
		}
		if err != nil || len(items) != 3 || names != 1 { // the details, a tombstone and the other RSVP
			t.Errorf("%d items with %d names, %v", len(items), names, err)
		}
	})
}

// TestBurstAtCapacity: 200 RSVPs at the same moment, to an event whose partition has
// the capacity that DynamoDB gives it, all succeed within their requests.
func TestBurstAtCapacity(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		calls.Inject(faulttest.Then(faulttest.Delay(latency), faulttest.Then(faulttest.Capacity(1000), faulttest.Contention(holds))))
		const guests = 200
		var all sync.WaitGroup
		for range guests {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), budget)
				defer cancel()
				if err := s.AddRSVP(ctx, e.Token, newRSVP()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got, err := s.EventByToken(t.Context(), e.Token); err != nil || got.AttendeeCount != guests {
			t.Errorf("%d guests are counted, %v", got.AttendeeCount, err)
		}
		if n := calls.Calls("TransactWriteItems"); n <= guests {
			t.Error("no RSVP was throttled or met a conflict")
		}
	})
}
