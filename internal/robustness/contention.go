package robustness

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
)

// A Burst is the outcome of RSVPs that are sent at the same moment.
type Burst struct {
	Admitted int
	All      time.Duration // until the last was answered
}

// PerSecond returns the guests admitted per second.
func (c Burst) PerSecond() float64 { return float64(c.Admitted) / c.All.Seconds() }

// NewBurst sends that number of RSVPs to one event with that number of gates.
func NewBurst(t *testing.T, gates, guests int) (burst Burst) {
	t.Helper()
	simulate(t, gates, func(s simulation) {
		s.Inject(faulttest.Contention(transaction))
		c := s.Client(0)
		e := c.NewEvent()
		h := NewHistory()
		begin := time.Now()
		var all sync.WaitGroup
		for i := range guests {
			all.Go(func() { h.CreateRSVP(c, e, fmt.Sprint("guest ", i)) })
		}
		all.Wait()
		burst.All = time.Since(begin)
		burst.Admitted = h.Count()["create RSVP 201"]
		h.Settled(c, e)
	})
	return burst
}

// CancelUnderContention cancels a number of events, one after the other, each during
// a burst of RSVPs, and returns the longest wait of an organizer. The clocks of the
// instances that serve the guests are wrong by those skews.
func CancelUnderContention(t *testing.T, organizers int, skews ...time.Duration) (longest time.Duration) {
	t.Helper()
	simulate(t, dynamo.DefaultGates, func(s simulation) {
		s.Inject(faulttest.Contention(transaction))
		guests := []Client{s.Client(0)}
		for _, skew := range skews {
			guests = append(guests, s.Client(skew))
		}
		for n := range organizers {
			longest = max(longest, cancelUnderContention(guests[n%len(guests)], guests))
			if t.Failed() {
				return
			}
		}
	})
	return longest
}

// cancelUnderContention returns how long the organizer waited.
func cancelUnderContention(c Client, clients []Client) (waited time.Duration) {
	const guests = 32 // at any moment, each followed by the next as long as it goes on
	var (
		e         = c.NewEvent()
		h         = NewHistory()
		arrived   atomic.Int32
		burst     = make(chan struct{})
		cancelled atomic.Bool
		all       sync.WaitGroup
	)
	for guest := range guests {
		all.Go(func() {
			for n := 0; ; n++ {
				late := cancelled.Load()
				got := h.CreateRSVP(clients[guest%len(clients)], e, fmt.Sprintf("guest %d.%d", guest, n))
				if got.Status != http.StatusCreated {
					return
				}
				if late {
					c.T.Error("admitted after the event was cancelled")
					return
				}
				if arrived.Add(1) == guests {
					close(burst)
				}
			}
		})
	}
	<-burst
	begin := time.Now()
	got := c.CancelEvent(e, "rain")
	waited = time.Since(begin)
	cancelled.Store(true) // also after a failure, or the RSVPs would never end
	if got.Status != http.StatusNoContent {
		c.T.Errorf("cancel event answered %d", got.Status)
	}
	then := c.GetEvent(e).AttendeeCount
	all.Wait()
	if count := h.Count(); count["create RSVP 409"] != guests {
		c.T.Errorf("answers: %v", count)
	}
	if now := c.GetEvent(e).AttendeeCount; now != then {
		c.T.Errorf("%d guests were in when the event was cancelled, now %d are", then, now)
	}
	h.Settled(c, e)
	return waited
}
