package robustness

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
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
