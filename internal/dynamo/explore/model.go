package explore

import (
	"context"

	"turnout/internal/event/storetest"
)

// A model is an event as the promises describe it: each operation happens at one instant.
type model struct {
	event        state
	content      int // which of two contents the event has
	cancellation int
	keyed        bool // whether the cancel had a key
	guests       [len(guests)]guestState
}

type state uint8

const (
	none state = iota
	active
	cancelled
	erased // the event is erased for good
)

type guestState uint8

const (
	absent  guestState = iota
	expired            // TTL has removed the RSVP
	in                 // the guest is in under the first name
	inToo              // the guest is in under the other name
	gone               // the RSVP is withdrawn or erased for good
)

// A stepKey is an operation on a model by a clock.
type stepKey struct {
	model     model
	operation operation
	clock     phase
}

// A stepResult is the model after an operation, and the operation's outcome.
type stepResult struct {
	model model
	code  code
}

// step carries out an operation by a clock, and returns its outcome. It remembers the results.
func (p *processes) step(m model, o operation, clock phase) (model, code) {
	key := stepKey{m, o, clock}
	r, known := p.steps[key]
	if !known {
		s := m.store()
		r.code = run(s, o, clock)
		r.model = modelOf(s)
		for i, g := range m.guests {
			if g == expired && r.model.event != erased && r.model.guests[i] == absent {
				r.model.guests[i] = expired
			}
		}
		p.steps[key] = r
	}
	return r.model, r.code
}

// run carries out an operation on a store in memory, and returns the outcome that the promises require.
func run(s *storetest.Memory, o operation, clock phase) code {
	out := o.run(context.Background(), s, clock.time())
	if out.code == defect {
		panic(out.err)
	}
	return out.code
}

// store returns a store with the event.
func (m model) store() *storetest.Memory {
	s := new(storetest.Memory)
	do := func(o operation) { run(s, o, longBefore) }
	if m.event == none {
		return s
	}
	do(operation{kind: createEvent, content: m.content})
	for i, g := range m.guests {
		if g >= in {
			do(operation{kind: createRSVP, guest: i, content: int(g-in) % 2})
		}
		if g == gone {
			do(operation{kind: cancelRSVP, guest: i})
		}
	}
	switch m.event {
	case cancelled:
		do(operation{kind: cancelEvent, content: m.cancellation, keyed: m.keyed})
	case erased:
		do(operation{kind: erase})
	}
	return s
}

// modelOf returns the event of a store. It finds out by operations, after which the store must not be used.
func modelOf(s *storetest.Memory) (m model) {
	got := run(s, operation{kind: getEvent}, longBefore)
	if got == notFound {
		if run(s, operation{kind: createEvent}, longBefore) == tokenTaken {
			m.event = erased
		}
		return m
	}
	m.event = active
	if got != isActive {
		m.event, m.cancellation = cancelled, int(got-isCancelled)
		repeat := operation{kind: cancelEvent, content: m.cancellation, keyed: true}
		m.keyed = run(s, repeat, longBefore) == done
	}
	if run(s, operation{kind: createEvent, content: 1}, longBefore) == done {
		m.content = 1
	}
	for i := range m.guests {
		switch got := run(s, operation{kind: getRSVP, guest: i}, longBefore); {
		case got == isIn, got == isInToo:
			m.guests[i] = in + guestState(got-isIn)
		case run(s, operation{kind: createRSVP, guest: i}, longBefore) == tokenTaken:
			m.guests[i] = gone
		}
	}
	return m
}

// isLeftOver reports whether a second erase found leftovers of the event.
func (c code) isLeftOver(o operation, got code) bool {
	return o.kind == erase && c == notFound && got == done
}

// taken returns the model after TTL has removed an item.
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
// have any answer, because no operation can see the order in which TTL removes RSVP and details.
func (o operation) losesSight(sk string) bool {
	return o.kind == createRSVP && (sk == detailsKey || sk == guests[o.guest].key)
}

// visible returns the part of the model that a reader can see.
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
