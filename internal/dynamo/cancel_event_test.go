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
	bubble(t, func(t *testing.T, s *Store, _ *faulttest.Transport) {
		e := addEvent(t, s)
		begin := time.Now()
		s.signalCancel(t.Context(), e.Token)
		var renewals sync.WaitGroup
		renewals.Go(func() {
			for range 3 {
				time.Sleep(time.Second)
				s.signalCancel(t.Context(), e.Token)
			}
		})
		must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
		if took := time.Since(begin) - 3*time.Second; took < signalLife || took > signalLife+time.Second {
			t.Errorf("the first guest waited for %v after the last signal", took)
		}
		renewals.Wait()
		begin = time.Now()
		must(t, s.CreateRSVP(t.Context(), e.Token, newRSVP()))
		if took := time.Since(begin); took > 0 {
			t.Errorf("the second guest waited %v", took)
		}
	})
}

// TestCancelRenewsItsSignal while it meets conflicts, and not at each of them. In the end
// there is none.
func TestCancelRenewsItsSignal(t *testing.T) {
	bubble(t, func(t *testing.T, s *Store, calls *faulttest.Transport) {
		e := addEvent(t, s)
		conflicts := faulttest.Only("TransactWriteItems", faulttest.Conflicting)
		calls.Inject(faulttest.During(4500*time.Millisecond, conflicts))
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
