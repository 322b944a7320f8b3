package robustness

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
	"turnout/internal/httpapi/apitest"
)

const seed = 20261120

// mixture holds the faults that may meet any call.
var mixture = []faulttest.Fault{
	faulttest.Throttled, faulttest.OverCapacity, faulttest.InProgress, faulttest.ServerError,
	faulttest.Overloaded, faulttest.Reset, faulttest.DroppedResponse, faulttest.TruncatedResponse,
}

// TestFailuresAreOvercome: faults of some calls, or of seconds, do not reach the clients;
// no acknowledged operation is lost, and none happens twice. Package dynamo tests each
// fault with each operation.
func TestFailuresAreOvercome(t *testing.T) {
	for name, fault := range map[string]func() faulttest.Fault{
		"request hangs":  func() faulttest.Fault { return faulttest.Once(faulttest.HangingRequest) },
		"response hangs": func() faulttest.Fault { return faulttest.Once(faulttest.HangingResponse) },
		"contention, and dropped": func() faulttest.Fault {
			return faulttest.Then(faulttest.Once(faulttest.DroppedResponse), faulttest.Contention(transaction))
		},
		"30 % of everything": func() faulttest.Fault {
			return faulttest.Then(faulttest.Sometimes(seed, 0.3, mixture...), faulttest.Contention(transaction))
		},
		"everything for 4 s": func() faulttest.Fault {
			return faulttest.During(4*time.Second, faulttest.Sometimes(seed, 1, mixture...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulate(t, dynamo.DefaultGates, func(s simulation) {
				c := s.Client(0)
				e, h := c.NewEvent(), NewHistory()
				for round := range 2 {
					s.Inject(fault())
					h.Churn(c, e, fmt.Sprint(round, " "), 2)
					s.Inject(faulttest.NoFault)
					h.Settled(c, e)
				}
				if count := h.Count(); count["create RSVP 201"] != 32 || count["cancel RSVP 204"] != 16 {
					t.Errorf("answers: %v", count)
				}
			})
		})
	}
}

// TestFailuresWithoutEnd: if DynamoDB does not answer in time, an RSVP is answered with
// 503. It has happened once, or not at all.
func TestFailuresWithoutEnd(t *testing.T) {
	for name, fault := range map[string]faulttest.Fault{
		"throttled":           faulttest.Throttled,
		"errors":              faulttest.ServerError,
		"connections reset":   faulttest.Reset,
		"responses dropped":   faulttest.DroppedResponse,
		"responses truncated": faulttest.TruncatedResponse,
		"requests hang":       faulttest.HangingRequest,
		"responses hang":      faulttest.HangingResponse,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulate(t, dynamo.DefaultGates, func(s simulation) {
				c := s.Client(0)
				e, h := c.NewEvent(), NewHistory()
				h.Churn(c, e, "before ", 2)
				s.Inject(fault)
				h.Churn(c, e, "meanwhile ", 1)
				s.Inject(faulttest.NoFault)
				h.Settled(c, e)
				if count := h.Count(); count["create RSVP 503"] != 8 {
					t.Errorf("answers: %v", count)
				}
			})
		})
	}
}

// A lossyNetwork between a client and the service loses responses, and sends requests
// twice, as browsers do when a kept connection breaks.
type lossyNetwork struct {
	next http.RoundTripper

	mu     sync.Mutex
	chance *rand.Rand
}

func lossy(c Client, seed uint64) Client {
	c.ServerMayExit, c.Repeats = true, true
	c.HTTP = &http.Client{Transport: &lossyNetwork{next: c.HTTP.Transport, chance: rand.New(rand.NewPCG(seed, 0))}}
	return c
}

func (n *lossyNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	lost, twice := n.chance.IntN(4) == 0, n.chance.IntN(4) == 0
	twice = twice && r.Method != http.MethodPatch // of two cancels the second is refused
	n.mu.Unlock()
	response, err := n.next.RoundTrip(r)
	if twice && err == nil {
		_ = response.Body.Close()
		again := r.Clone(r.Context())
		if r.GetBody != nil {
			again.Body, _ = r.GetBody()
		}
		response, err = n.next.RoundTrip(again)
	}
	if lost && err == nil {
		_ = response.Body.Close()
		return nil, errors.New("the response is lost")
	}
	return response, err
}

// TestExactlyOnce: guests who repeat their RSVP with its Idempotency-Key until they
// have an answer are on the list once, and events that were repeated are there once.
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	simulate(t, dynamo.DefaultGates, func(s simulation) {
		s.Inject(faulttest.Then(faulttest.Sometimes(seed, 0.2, mixture...), faulttest.Contention(transaction)))
		c := lossy(s.Client(0), seed)
		e, h := c.NewEvent(), NewHistory()
		h.Churn(c, e, "", 6)
		if count := h.Count(); count["create RSVP 201"] != 48 || count["cancel RSVP 204"] != 24 {
			t.Errorf("answers: %v", count)
		}
		s.Inject(faulttest.NoFault)
		h.Settled(s.Client(0), e)
	})
}

// TestTornReads: a Query of DynamoDB is not a snapshot of its items. Count and list
// include every RSVP that existed throughout the read, and none that did not exist at
// any time of it.
func TestTornReads(t *testing.T) {
	t.Parallel()
	simulate(t, dynamo.DefaultGates, func(s simulation) {
		s.Inject(faulttest.TornQuery(seed, func() { time.Sleep(2 * latency) }))
		c := s.Client(0)
		h := NewHistory()
		e, _ := h.CreateEvent(c)
		var all sync.WaitGroup
		all.Go(func() { h.Churn(c, e, "", 12) })
		for range 4 {
			all.Go(func() {
				for range 30 {
					h.GetEvent(c, e)
					h.ListAttendees(c, e)
				}
			})
		}
		all.Wait()
		h.bounded(c, e)
		s.Inject(faulttest.NoFault)
		h.Settled(c, e)
	})
}

// TestExpiry: TTL deletes the items of an event one by one and in any order, while
// instances with clocks some seconds apart still serve it. Every answer is one that
// a client understands, and what is left or made meanwhile expires, too.
func TestExpiry(t *testing.T) {
	for round := range uint64(4) {
		t.Run(fmt.Sprint("order ", round), func(t *testing.T) {
			t.Parallel()
			simulate(t, dynamo.DefaultGates, func(s simulation) { expire(s, rand.New(rand.NewPCG(seed, round))) })
		})
	}
}

func expire(s simulation, chance *rand.Rand) {
	// The event expires in two seconds; then TTL deletes it.
	expiresAt := time.Now().Add(2 * time.Second)
	clients := []Client{s.Client(0), s.Client(-3 * time.Second), s.Client(3 * time.Second)}
	created := clients[0].Call(apitest.CreateEvent(apitest.EventBody(apitest.Object{
		"dateTime": expiresAt.AddDate(0, 0, -7).Format(time.RFC3339),
	})))
	e := apitest.Event{Token: created.EventToken, Organizer: created.OrganizerToken}
	var guests []string
	for n := range 12 {
		guests = append(guests, clients[0].CreateRSVP(e, fmt.Sprint("guest ", n)).RSVPToken)
	}
	time.Sleep(time.Until(expiresAt))

	allowed := func(operation string, got Answer, statuses ...int) {
		if !slices.Contains(statuses, got.Status) {
			s.T.Errorf("%s answered %d", operation, got.Status)
		}
		if got.AttendeeCount < 0 {
			s.T.Errorf("%d guests are counted", got.AttendeeCount)
		}
	}
	gone := make(chan struct{})
	var all sync.WaitGroup
	for n, c := range clients {
		all.Go(func() {
			for round := 0; ; round++ {
				select {
				case <-gone:
					return
				default:
				}
				allowed("create RSVP", c.CreateRSVP(e, fmt.Sprint("late guest ", n, round)), 201, 404, 409)
				allowed("get event", c.GetEvent(e), 200, 404)
				allowed("list attendees", c.ListAttendees(e), 200, 404)
				allowed("cancel RSVP", c.CancelRSVP(e, guests[(round+n*4)%len(guests)]), 204)
				if round == 2 {
					allowed("cancel event", c.CancelEvent(e, "rain"), 204, 404, 409)
				}
			}
		})
	}
	left := s.items(e)
	for ; len(left) > 0; left = s.items(e) {
		due := slices.DeleteFunc(left, func(i item) bool { return expiryOf(i).After(time.Now()) })
		if len(due) == 0 {
			break
		}
		s.delete(due[chance.IntN(len(due))])
	}
	close(gone)
	all.Wait()
	for _, i := range s.items(e) {
		if at := expiryOf(i); at.After(time.Now().Add(time.Hour)) {
			s.T.Errorf("%v stays until %v", i["sk"], at)
		}
	}
}

// expiryOf returns when TTL may delete an item: never, if it has no expiresAt.
func expiryOf(i item) time.Time {
	number, _ := i["expiresAt"]["N"].(string)
	seconds, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return time.Unix(math.MaxInt32, 0)
	}
	return time.Unix(seconds, 0)
}
