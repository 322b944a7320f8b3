package explore

import (
	"github.com/anishathalye/porcupine"
)

// A model is an event as the promises describe it: each operation happens at one moment.
type model struct {
	event   state
	content int // of the event
	reason  int
	keyed   bool // cancelled with a key
	guests  [len(guests)]guestState
}

type state uint8

const (
	none state = iota
	active
	cancelled
	erased // for good
)

type guestState uint8

const (
	absent  guestState = iota
	expired            // removed by TTL
	in                 // under the first name
	inToo              // under the other one
	gone               // for good
)

// step carries out an operation by a clock, and returns its outcome.
func (m model) step(o operation, clock phase) (model, code) {
	exists := m.event == active || m.event == cancelled
	switch o.kind {
	case createEvent:
		switch {
		case m.event == none:
			return model{event: active, content: o.content}, done
		case exists && m.content == o.content:
			return m, done
		}
		return m, tokenTaken
	case withdraw:
		if exists && m.guests[o.guest] >= in {
			m.guests[o.guest] = gone
		}
		return m, done
	case erase:
		if !exists {
			return m, notFound
		}
		return model{event: erased}, done
	}
	if !exists {
		return m, notFound
	}
	switch o.kind {
	case createRSVP:
		wanted := in + guestState(o.content)
		switch {
		case m.guests[o.guest] == wanted:
			return m, done
		case m.guests[o.guest] >= in:
			return m, tokenTaken
		case m.event == cancelled:
			return m, eventCancelled
		case clock > beforeExpiry:
			return m, eventExpired
		}
		m.guests[o.guest] = wanted
		return m, done
	case cancelEvent:
		switch {
		case m.event == active:
			m.event, m.reason, m.keyed = cancelled, o.content, o.keyed
			return m, done
		case !m.keyed || !o.keyed:
			return m, alreadyCancelled
		case m.reason == o.content:
			return m, done
		}
		return m, tokenTaken
	case read:
		if m.event == active {
			return m, isActive
		}
		return m, isCancelled + code(m.reason)
	case list:
		return m, done
	}
	panic(o.kind)
}

// isLeftOver reports whether a second erase found leftovers of the event.
func (c code) isLeftOver(o operation, got code) bool {
	return o.kind == erase && c == notFound && got == done
}

// taken is the model after TTL has removed an item.
func (m model) taken(sk string) model {
	if sk == detailsKey {
		return model{}
	}
	for i, g := range guests {
		if sk == g.key && m.guests[i] == gone {
			m.guests[i] = absent
		} else if sk == g.key {
			m.guests[i] = expired
		}
	}
	return m
}

// losesSight reports whether an operation that is under way when TTL removes an item may
// have any answer: nobody sees the order in which TTL removes RSVP and details.
func (o operation) losesSight(sk string) bool {
	return o.kind == createRSVP && (sk == detailsKey || sk == guests[o.guest].key)
}

// visible is the part of the model that a reader can see.
func (m model) visible() model {
	if m.event != active && m.event != cancelled {
		return model{}
	}
	for i, g := range m.guests {
		if g != in && g != inToo {
			m.guests[i] = absent
		}
	}
	return m
}

// A moment is one in a history: an operation began, was answered, or TTL removed an item.
type moment struct {
	operation int
	answered  bool
	taken     string
}

// A call is an operation for porcupine, or an item that TTL removes.
type call struct {
	operation
	clock phase
	taken string
}

// explained reports whether some order explains the answers alone, given exceptions.
func explained(initial model, operations []progress, history []moment, excused mask) bool {
	var calls []porcupine.Operation
	began, unchecked, never := map[int]int{}, map[int]bool{}, int64(len(history))
	add := func(c call, begin, end int64) {
		calls = append(calls, porcupine.Operation{Input: c, Output: nothing, Call: begin, Return: end})
	}
	for at, m := range history {
		time := int64(at)
		switch {
		case m.taken != "":
			add(call{taken: m.taken}, time, time)
			for i := range began {
				unchecked[i] = unchecked[i] || excused.has(int(isUnseen)) && calls[began[i]].Return == never && operations[i].node.launch.operation.losesSight(m.taken)
			}
		case m.answered:
			n, c := operations[m.operation].node, &calls[began[m.operation]]
			if c.Return = time; !unchecked[m.operation] && !(excused.has(int(isOverrun)) && operations[m.operation].overruns(operations, n.outcome.code)) {
				c.Output = n.outcome.code
			}
			if n.broken && excused.has(int(isSentTwice)) {
				add(c.Input.(call), c.Call, never)
			}
		default:
			began[m.operation] = len(calls)
			l := operations[m.operation].node.launch
			add(call{operation: l.operation, clock: l.clock}, time, never)
		}
	}
	return porcupine.CheckOperations(porcupine.Model{
		Init: func() any { return initial },
		Step: func(state, input, output any) (bool, any) {
			m, c, got := state.(model), input.(call), output.(code)
			if c.taken != "" {
				return true, m.taken(c.taken)
			}
			next, want := m.step(c.operation, c.clock)
			return got == nothing || got == want || want.isLeftOver(c.operation, got), next
		},
	}, calls)
}
