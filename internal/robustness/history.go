package robustness

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"turnout/internal/httpapi/apitest"
)

// A History is what the clients know of the RSVPs that they have sent.
type History struct {
	mu     sync.Mutex
	count  map[string]int  // by operation and status
	guests map[guest]state // every name is sent once
}

type guest struct{ event, name string }

type state int

const (
	out     state = iota // refused, or cancelled
	in                   // acknowledged
	unknown              // a call without an answer may happen at any later time, or never
)

func NewHistory() *History {
	return &History{count: map[string]int{}, guests: map[guest]state{}}
}

func (h *History) record(operation string, g guest, a Answer, after state) Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count[fmt.Sprint(operation, " ", a.Status)]++
	if !a.known() {
		after = unknown
	}
	h.guests[g] = after
	return a
}

func (h *History) CreateRSVP(c Client, e apitest.Event, name string) Answer {
	a, after := c.CreateRSVP(e, name), out
	if a.Status == http.StatusCreated {
		after = in
	}
	return h.record("create RSVP", guest{e.Token, name}, a, after)
}

// CancelRSVP cancels the RSVP of a guest.
func (h *History) CancelRSVP(c Client, e apitest.Event, name, rsvp string) Answer {
	return h.record("cancel RSVP", guest{e.Token, name}, c.CancelRSVP(e, rsvp), out)
}

// Count returns the number of operations by name and status: "create RSVP 201".
func (h *History) Count() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count
}

// Settled compares an event with its history, when no call is under way and no fault
// is injected: no acknowledged operation is lost, none happened twice, and count and
// list agree.
func (h *History) Settled(c Client, e apitest.Event) {
	c.T.Helper()
	listed, event := c.ListAttendees(e), c.GetEvent(e)
	names := listed.names()
	if event.Status != http.StatusOK || listed.Status != http.StatusOK || event.AttendeeCount != len(names) {
		c.T.Errorf("get event %d, list %d: %d guests are counted, %d are listed", event.Status, listed.Status, event.AttendeeCount, len(names))
	}
	slices.Sort(names)
	if twice := len(names) - len(slices.Compact(slices.Clone(names))); twice > 0 {
		c.T.Errorf("%d guests are listed more than once", twice)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for g, now := range h.guests {
		if _, found := slices.BinarySearch(names, g.name); g.event == e.Token && now == in && !found {
			c.T.Errorf("%s was acknowledged and is not listed", g.name)
		}
	}
	for _, name := range names {
		if h.guests[guest{e.Token, name}] == out {
			c.T.Errorf("%s is listed, who was refused or is cancelled", name)
		}
	}
}
