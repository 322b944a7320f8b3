package dynamo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/faulttest"
)

const (
	holds   = 10 * time.Millisecond // how long a transaction holds its items
	latency = 3 * time.Millisecond
)

// TestCancelUnderContention: an organizer who cancels in the middle of a storm of
// RSVPs hears so within two seconds, and nobody is admitted afterwards, whatever
// the clocks of the guests say.
func TestCancelUnderContention(t *testing.T) {
	for _, skew := range []time.Duration{0, 3 * time.Second, -3 * time.Second, time.Hour, -time.Hour} {
		t.Run(fmt.Sprint("guests' clocks off by ", skew), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
				e := addEvent(t, s)
				calls.Inject(faulttest.Then(faulttest.Delay(latency), faulttest.Contention(holds)))
				const guests = 32 // at any moment, each followed by the next
				var arrived, admitted atomic.Int32
				var cancelled atomic.Bool
				storm := make(chan struct{})
				var all sync.WaitGroup
				for range guests {
					all.Go(func() {
						for {
							late := cancelled.Load()
							r := newRSVP()
							r.CreatedAt = r.CreatedAt.Add(skew)
							ctx, cancel := context.WithTimeout(t.Context(), budget)
							err := s.AddRSVP(ctx, e.Token, r)
							cancel()
							if errors.Is(err, event.ErrEventCancelled) {
								return
							}
							if err != nil || late {
								t.Errorf("%v, after the cancel: %t", err, late)
								return
							}
							admitted.Add(1)
							if arrived.Add(1) == guests {
								close(storm)
							}
						}
					})
				}
				<-storm
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), budget)
				defer cancel()
				if err := s.CancelEvent(ctx, e.Token, organizer, nil, now); err != nil {
					t.Error(err)
				}
				cancelled.Store(true)
				if took := time.Since(begin); took > 2*time.Second { // of the bubble: the machine has no say in it
					t.Errorf("the organizer waited %v", took)
				}
				all.Wait()
				if got, err := s.EventByToken(t.Context(), e.Token); err != nil || got.AttendeeCount != int(admitted.Load()) {
					t.Errorf("%d guests are counted, %d were admitted, %v", got.AttendeeCount, admitted.Load(), err)
				}
			})
		})
	}
}

// TestGuestsWaitForASignal as long as it shows signs of life, and remove one that
// does not, so that nobody after them waits for it.
func TestGuestsWaitForASignal(t *testing.T) {
	for name, test := range map[string]struct {
		renewals int // a second after another
		least    time.Duration
		most     time.Duration
	}{
		"a cancel that has died": {0, signalLife, signalLife + time.Second},
		"a cancel that lives on": {3, 3*time.Second + signalLife, 3*time.Second + signalLife + time.Second},
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

// TestCancelRenewsItsSignal while it meets conflicts, and not at each of them.
func TestCancelRenewsItsSignal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		calls.Inject(faulttest.During(4500*time.Millisecond, faulttest.Only("TransactWriteItems", faulttest.Conflicting)))
		if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, now); err != nil {
			t.Error(err)
		}
		if n := calls.Calls("UpdateItem"); n < 3 || n > 5 {
			t.Errorf("%d signals in 4.5 seconds", n)
		}
	})
}

// TestNoTransactionAfterTheCancel: a guest who waits pays for no further
// transaction once the cancel can be seen.
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
					if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, now); err != nil {
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

// TestLostResponseBeforeARefusal: an RSVP that was stored is no refused one,
// although its response was lost and the event was cancelled or has lost its
// gates before the next attempt.
func TestLostResponseBeforeARefusal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		calls.Inject(faulttest.Only("TransactWriteItems", func(c faulttest.Call, send faulttest.Send) faulttest.Response {
			lost := faulttest.DroppedResponse(c, send)
			calls.Inject(faulttest.NoFault)
			if err := s.CancelEvent(t.Context(), e.Token, organizer, nil, now); err != nil {
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

// TestExpiredGates: many cancel one RSVP at once, when TTL has already taken the
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
				err = errors.Join(err, tested{s}.Forget(t.Context(), e.Token, p))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		calls.Inject(faulttest.Then(faulttest.Delay(latency), faulttest.Contention(holds)))
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if err := s.RemoveRSVP(t.Context(), e.Token, leaver.Hash); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		items, err := s.items(t.Context(), e.Token)
		if err != nil || len(items) != 2 { // the details and the other RSVP
			t.Errorf("%d items, %v", len(items), err)
		}
	})
}

// TestBurstAtCapacity: 200 guests who come at once to an event whose partition has
// no more capacity than DynamoDB gives it are all admitted within their requests.
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
			t.Error("nobody was throttled or met a conflict")
		}
	})
}
