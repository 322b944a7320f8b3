package robustness

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"turnout/internal/httpapi/apitest"
)

// Settled compares an event with its history, when no call is under way and no fault
// is injected: no acknowledged operation is lost, none happened twice, and count and
// list agree. Every guest must have a different name.
func (h *History) Settled(c Client, e apitest.Event) {
	c.T.Helper()
	listed := c.ListAttendees(e)
	names := listed.names()
	if event := c.GetEvent(e); event.Status != http.StatusOK || listed.Status != http.StatusOK || event.AttendeeCount != len(names) {
		c.T.Errorf("get event %d, list %d: %d guests are counted, %d are listed", event.Status, listed.Status, event.AttendeeCount, len(names))
	}
	slices.Sort(names)
	if twice := len(names) - len(slices.Compact(slices.Clone(names))); twice > 0 {
		c.T.Errorf("%d guests are listed more than once", twice)
	}
	in, unknown := h.guests(e)
	for name := range in {
		if _, found := slices.BinarySearch(names, name); !found {
			c.T.Errorf("%s was acknowledged and is not listed", name)
		}
	}
	for _, name := range names {
		if !in[name] && !unknown[name] {
			c.T.Errorf("%s is listed, who was refused or is cancelled", name)
		}
	}
}

// guests returns the guests who must be on the list of an event, and those who may be.
func (h *History) guests(e apitest.Event) (in, unknown map[string]bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	in, unknown = map[string]bool{}, map[string]bool{}
	for _, each := range h.operations {
		o, got := each.Input.(operation), each.Output.(outcome)
		switch {
		case o.event != e.Token:
		case !got.known() && (o.name == "create RSVP" || o.name == "cancel RSVP"):
			delete(in, o.guest)
			unknown[o.guest] = true
		case o.name == "create RSVP" && got.status == http.StatusCreated:
			in[o.guest] = true
		case o.name == "cancel RSVP":
			delete(in, o.guest)
			delete(unknown, o.guest)
		}
	}
	return in, unknown
}

// bounded checks every count and every list of an event against what the clients
// know: an RSVP that was acknowledged before the read began and whose cancel was not sent
// before it ended is in it; one that was not sent before the read ended, or whose cancel
// was acknowledged before it began, is not. It is weaker than linearizable, for reads
// that are not snapshots.
func (h *History) bounded(c Client, e apitest.Event) {
	c.T.Helper()
	type stay struct{ sent, acknowledged, cancelSent, cancelled int64 } // times
	stays := map[string]*stay{}
	for _, each := range h.operations {
		if o := each.Input.(operation); o.event == e.Token && o.name == "create RSVP" && each.Output.(outcome).status == http.StatusCreated {
			stays[o.guest] = &stay{each.Call, each.Return, math.MaxInt64, math.MaxInt64}
		}
	}
	for _, each := range h.operations {
		if o := each.Input.(operation); o.event == e.Token && o.name == "cancel RSVP" {
			stays[o.guest].cancelSent, stays[o.guest].cancelled = each.Call, each.Return
		}
	}
	reads := 0
	for _, each := range h.operations {
		o, got := each.Input.(operation), each.Output.(outcome)
		if o.event != e.Token || got.status != http.StatusOK {
			continue
		}
		reads++
		least, most := map[string]bool{}, map[string]bool{}
		for guest, s := range stays {
			if s.acknowledged < each.Call && s.cancelSent > each.Return {
				least[guest] = true
			}
			if s.sent <= each.Return && s.cancelled >= each.Call {
				most[guest] = true
			}
		}
		if o.name == "get event" {
			if got.count < len(least) || got.count > len(most) {
				c.T.Errorf("%d guests are counted, at least %d and at most %d are there", got.count, len(least), len(most))
			}
			continue
		}
		listed := map[string]bool{}
		for guest := range strings.SplitSeq(got.names, ",") {
			listed[guest] = true
			if guest != "" && !most[guest] {
				c.T.Errorf("%s is listed and not there", guest)
			}
		}
		for guest := range least {
			if !listed[guest] {
				c.T.Errorf("%s is there and not listed", guest)
			}
		}
	}
	if reads == 0 {
		c.T.Error("the history has no reads")
	}
}

// linearizable reports whether there is an order of the operations, each at one moment
// between its call and its answer, in which every answer is that of the model. With
// many unknown outcomes there are many orders to try: it gives up after that time.
func (h *History) linearizable(timeout time.Duration) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(eventModel, h.operations, timeout)
}

// A state is an event in the model. The zero state is an event that does not exist.
type state struct {
	created   bool
	cancelled bool
	reason    string
	guests    map[string]bool // never changed, but replaced
}

func (s state) names() string { return strings.Join(slices.Sorted(maps.Keys(s.guests)), ",") }

func (s state) with(guest string) state {
	s.guests = maps.Clone(s.guests)
	if s.guests == nil {
		s.guests = map[string]bool{}
	}
	s.guests[guest] = true
	return s
}

func (s state) without(guest string) state {
	s.guests = maps.Clone(s.guests)
	delete(s.guests, guest)
	return s
}

// step executes an operation, and returns the right outcome.
func step(s state, o operation) (state, outcome) {
	switch {
	case o.name == "create event":
		s.created = true
		return s, outcome{status: http.StatusCreated}
	case o.name == "cancel RSVP":
		return s.without(o.guest), outcome{status: http.StatusNoContent}
	case !s.created:
		return s, outcome{status: http.StatusNotFound}
	case o.forged:
		return s, outcome{status: http.StatusForbidden}
	}
	switch o.name {
	case "get event":
		return s, outcome{status: http.StatusOK, count: len(s.guests), cancelled: s.cancelled, reason: s.reason}
	case "list attendees":
		return s, outcome{status: http.StatusOK, names: s.names()}
	case "create RSVP":
		if s.cancelled {
			return s, outcome{status: http.StatusConflict}
		}
		return s.with(o.guest), outcome{status: http.StatusCreated}
	case "cancel event":
		if s.cancelled {
			return s, outcome{status: http.StatusConflict}
		}
		s.cancelled, s.reason = true, o.reason
		return s, outcome{status: http.StatusNoContent}
	}
	panic(o.name)
}

// eventModel is the model of the checker. Events are independent, so each is checked
// by itself.
//
// Every answer counts in full, also a count: the stores under test read it as of
// one moment, which DynamoDB in the cloud does not promise (package dynamo).
var eventModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		events := map[string][]porcupine.Operation{}
		for _, o := range history {
			token := o.Input.(operation).event
			events[token] = append(events[token], o)
		}
		return slices.Collect(maps.Values(events))
	},
	Init: func() any { return state{} },
	Step: func(s, in, out any) (bool, any) {
		after, want := step(s.(state), in.(operation))
		got := out.(outcome)
		return got == want || !got.known(), after
	},
	Equal: func(a, b any) bool {
		x, y := a.(state), b.(state)
		return x.created == y.created && x.cancelled == y.cancelled && x.reason == y.reason && maps.Equal(x.guests, y.guests)
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
}
