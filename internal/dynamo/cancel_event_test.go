package dynamo

import (
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
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

// TestCancelRenewsItsSignal while it meets conflicts, and not at each of them. In the end
// there is none.
func TestCancelRenewsItsSignal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		calls.Inject(faulttest.During(4500*time.Millisecond, faulttest.Only("TransactWriteItems", faulttest.Conflicting)))
		if err := s.CancelEvent(t.Context(), e.Token, organizer, event.Cancellation{}, now); err != nil {
			t.Error(err)
		}
		if n := len(calls.Calls("UpdateItem")); n < 4 || n > 5 {
			t.Errorf("%d signals in 4.5 seconds", n)
		}
		if _, details, err := s.details(t.Context(), e.Token); err != nil || details["cancelling"] != nil {
			t.Errorf("the signal stays: %v, %v", details["cancelling"], err)
		}
	})
}
