package explore

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
	case cancelRSVP:
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
			m.event, m.cancellation, m.keyed = cancelled, o.content, o.keyed
			return m, done
		case !m.keyed || !o.keyed:
			return m, alreadyCancelled
		case m.cancellation == o.content:
			return m, done
		}
		return m, tokenTaken
	case getEvent:
		if m.event == active {
			return m, isActive
		}
		return m, isCancelled + code(m.cancellation)
	case listAttendees:
		return m, done
	case getRSVP:
		if g := m.guests[o.guest]; g == in || g == inToo {
			return m, isIn + code(g-in)
		}
		return m, rsvpNotFound
	}
	panic(o.kind)
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
