package robustness

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"turnout/internal/httpapi/apitest"
)

// An operation is a call of a client, on one event.
type operation struct {
	name   string // such as "create RSVP"
	event  string // token
	guest  string // name; or "" for an RSVP that the event has never had
	reason string
	forged bool // with a wrong organizer token
}

// An outcome is what the client was answered.
type outcome struct {
	status    int
	count     int
	cancelled bool
	reason    string
	names     string // in alphabetical order
}

// known reports whether the answer determines the outcome.
func (o outcome) known() bool { return Answer{Status: o.status}.known() }

// A History is the operations of all clients with their outcomes and times.
type History struct {
	begin time.Time

	mu         sync.Mutex
	operations []porcupine.Operation
	organizers map[string]string // by event
}

func NewHistory() *History {
	return &History{begin: time.Now(), organizers: map[string]string{}}
}

// record makes a call and records it as that operation.
func (h *History) record(o operation, call func() Answer) Answer {
	start := time.Since(h.begin)
	a := call()
	end := int64(time.Since(h.begin))
	got := outcome{status: a.Status, count: a.AttendeeCount, cancelled: a.Cancelled}
	if a.CancellationReason != nil {
		got.reason = *a.CancellationReason
	}
	if a.Attendees != nil {
		got.names = strings.Join(slices.Sorted(slices.Values(a.names())), ",")
	}
	if !got.known() {
		end = math.MaxInt64 // it may happen at any later time, or never
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{Input: o, Call: int64(start), Output: got, Return: end})
	return a
}

func (h *History) forged(e apitest.Event) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.organizers[e.Token] != e.Organizer
}

// CreateEvent does not record an event whose tokens did not arrive: no client can use it.
func (h *History) CreateEvent(c Client) (apitest.Event, Answer) {
	start := int64(time.Since(h.begin))
	e, a := c.CreateEvent()
	if a.Status == http.StatusCreated {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.organizers[e.Token] = e.Organizer
		h.operations = append(h.operations, porcupine.Operation{
			Input: operation{name: "create event", event: e.Token}, Call: start,
			Output: outcome{status: a.Status}, Return: int64(time.Since(h.begin)),
		})
	}
	return e, a
}

func (h *History) CreateRSVP(c Client, e apitest.Event, guest string) Answer {
	return h.record(operation{name: "create RSVP", event: e.Token, guest: guest}, func() Answer { return c.CreateRSVP(e, guest) })
}

// CancelRSVP cancels the RSVP of a guest, or with an empty name one that the
// event has never had.
func (h *History) CancelRSVP(c Client, e apitest.Event, guest, rsvp string) Answer {
	return h.record(operation{name: "cancel RSVP", event: e.Token, guest: guest}, func() Answer { return c.CancelRSVP(e, rsvp) })
}

func (h *History) GetEvent(c Client, e apitest.Event) Answer {
	return h.record(operation{name: "get event", event: e.Token}, func() Answer { return c.GetEvent(e) })
}

func (h *History) ListAttendees(c Client, e apitest.Event) Answer {
	return h.record(operation{name: "list attendees", event: e.Token, forged: h.forged(e)}, func() Answer { return c.ListAttendees(e) })
}

func (h *History) CancelEvent(c Client, e apitest.Event, reason string) Answer {
	return h.record(operation{name: "cancel event", event: e.Token, reason: reason, forged: h.forged(e)},
		func() Answer { return c.CancelEvent(e, reason) })
}

// Count returns the number of operations by name and status: "create RSVP 201".
func (h *History) Count() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	count := map[string]int{}
	for _, o := range h.operations {
		count[fmt.Sprint(o.Input.(operation).name, " ", o.Output.(outcome).status)]++
	}
	return count
}
