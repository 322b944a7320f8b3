package proof_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/event"
	"turnout/internal/faulttest"
)

const (
	transaction = 10 * time.Millisecond // for which DynamoDB holds the items of one
	way         = 3 * time.Millisecond  // of every call to DynamoDB and back
)

// contended runs body in a bubble, with an API on a store of so many gates. Time
// there is made of transactions, ways and waiting alone: DynamoDB Local carries
// everything out, but neither its speed nor that of the machine shows.
func contended(t *testing.T, gates int, body func(a api, calls *faulttest.Transport)) {
	t.Helper()
	table := newTable(t)
	calls := faulttest.NewTransport(table.Endpoint)
	defer calls.Close()
	calls.Inject(faulttest.Then(faulttest.Delay(way), faulttest.Contention(transaction)))
	table.Transport = calls
	synctest.Test(t, func(t *testing.T) {
		store := dynamo.Open(table)
		store.Gates = gates
		body(api{t, "http://turnout/api", &http.Client{Transport: inProcess{handler(event.NewService(store))}}}, calls)
	})
}

// A crowd is what became of guests who came at the same moment.
type crowd struct {
	gates, guests, admitted int
	transactions            int
	waits                   []time.Duration // in order
	all                     time.Duration   // until the last was answered
}

func (c crowd) perSecond() float64 { return float64(c.admitted) / c.all.Seconds() }

func (c crowd) quantile(q float64) time.Duration {
	return c.waits[int(math.Ceil(q*float64(len(c.waits))))-1]
}

func (c crowd) attempts() float64 { return float64(c.transactions) / float64(c.guests) }

func (c crowd) String() string {
	return fmt.Sprintf("%2d gates: %3.0f %% admitted, %3.0f RSVPs/s, p50 %4d ms, p99 %4d ms, %4.1f attempts per RSVP",
		c.gates, 100*float64(c.admitted)/float64(c.guests), c.perSecond(),
		c.quantile(0.5).Milliseconds(), c.quantile(0.99).Milliseconds(), c.attempts())
}

// newCrowd lets the guests come to one event of so many gates.
func newCrowd(t *testing.T, gates, guests int) crowd {
	t.Helper()
	c := crowd{gates: gates, guests: guests, waits: make([]time.Duration, guests)}
	contended(t, gates, func(a api, calls *faulttest.Transport) {
		p := a.newEvent()
		before := calls.Calls("TransactWriteItems")
		l := newLedger()
		begin := time.Now()
		var all sync.WaitGroup
		for i := range guests {
			all.Go(func() {
				l.createRSVP(a, p.token, fmt.Sprint("guest ", i))
				c.waits[i] = time.Since(begin)
			})
		}
		all.Wait()
		c.all = time.Since(begin)
		c.admitted = l.answered[http.StatusCreated]
		c.transactions = calls.Calls("TransactWriteItems") - before
		l.check(t, a, p)
	})
	slices.Sort(c.waits)
	return c
}

// TestCrowd: 200 guests who RSVP to one event at the same moment are all in.
func TestCrowd(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, dynamo.Open(dynamo.Config{}).Gates, 200)
	t.Log(c)
	if c.admitted != c.guests {
		t.Errorf("%d of %d guests were admitted", c.admitted, c.guests)
	}
	if c.transactions <= c.guests {
		t.Error("nobody met anybody at a gate")
	}
}

// TestCancelUnderContention: an organizer who cancels in the middle of a storm of RSVPs
// hears so within two seconds, and nobody is admitted afterwards.
func TestCancelUnderContention(t *testing.T) {
	t.Parallel()
	contended(t, dynamo.Open(dynamo.Config{}).Gates, func(a api, _ *faulttest.Transport) {
		var longest time.Duration
		for range 20 {
			if longest = max(longest, cancelUnderContention(a)); a.t.Failed() {
				return
			}
		}
		a.t.Logf("the longest of 20 organizers waited %v", longest)
		if longest > 2*time.Second { // of the bubble: the machine has no say in it
			a.t.Errorf("an organizer waited %v", longest)
		}
	})
}

// cancelUnderContention returns how long the organizer waited.
func cancelUnderContention(a api) (waited time.Duration) {
	const guests = 32 // at any moment, each followed by the next as long as it goes on
	var (
		p         = a.newEvent()
		l         = newLedger()
		arrived   atomic.Int32
		storm     = make(chan struct{})
		cancelled atomic.Bool
		all       sync.WaitGroup
	)
	for guest := range guests {
		all.Go(func() {
			for n := 0; ; n++ {
				late := cancelled.Load()
				got := l.createRSVP(a, p.token, fmt.Sprintf("guest %d.%d", guest, n))
				if got.status != http.StatusCreated {
					return
				}
				if late {
					a.t.Error("admitted after the event was cancelled")
					return
				}
				if arrived.Add(1) == guests {
					close(storm)
				}
			}
		})
	}
	<-storm
	begin := time.Now()
	got := a.cancelEvent(context.Background(), p, "rain")
	waited = time.Since(begin)
	cancelled.Store(true) // also where it failed: or the guests would never end
	if got.status != http.StatusNoContent {
		a.t.Errorf("cancel event answered %d", got.status)
	}
	then := a.getEvent(p.token).AttendeeCount
	all.Wait()
	if l.answered[http.StatusConflict] != guests {
		a.t.Errorf("answers by status: %v", l.answered)
	}
	if now := a.getEvent(p.token).AttendeeCount; now != then {
		a.t.Errorf("%d guests were in when the event was cancelled, now %d are", then, now)
	}
	l.check(a.t, a, p)
	return waited
}
