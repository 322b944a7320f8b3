package storetest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"turnout/internal/event"
)

// Memory is a Store in a map. The suite compares other stores with it, and packages that must not import a
// real store use it in their tests. The zero Memory is empty and ready to use.
type Memory struct {
	mu     sync.Mutex
	events map[event.Token]*stored
}

// A stored event and its RSVPs.
type stored struct {
	event.Event
	organizer, cancelKey event.Hash
	gone                 bool                        // whether the event is erased; its token stays taken
	rsvps                map[event.RSVPID]event.RSVP // an RSVP without a name was cancelled
}

// standing returns the RSVPs that have not been cancelled.
func (e *stored) standing() []event.RSVP {
	rsvps := slices.Collect(maps.Values(e.rsvps))
	return slices.DeleteFunc(rsvps, func(r event.RSVP) bool { return r.Name == "" })
}

// cancelRSVP removes the name of an RSVP, unless the RSVP was cancelled before.
func (e *stored) cancelRSVP(rsvp event.RSVPID) {
	if e.rsvps[rsvp].Name != "" {
		e.rsvps[rsvp] = event.RSVP{}
		e.AttendeeCount--
	}
}

// do calls a function with an event, under the lock, or returns ErrEventNotFound.
func (m *Memory) do(token event.Token, do func(*stored) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.events[token]
	if e == nil || e.gone {
		return event.ErrEventNotFound
	}
	return do(e)
}

// organized calls a function with an event, under the lock, if the event has this organizer. Otherwise it returns
// ErrEventNotFound or ErrOrganizerToken.
func (m *Memory) organized(token event.Token, organizer event.Hash, do func(*stored) error) error {
	return m.do(token, func(e *stored) error {
		if !e.organizer.Equal(organizer) {
			return event.ErrOrganizerToken
		}
		return do(e)
	})
}

// CreateEvent implements event.Store.
func (m *Memory) CreateEvent(_ context.Context, e event.Event, organizer event.Hash) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if was := m.events[e.Token]; was != nil {
		if was.gone || !was.organizer.Equal(organizer) || !was.SameContent(e) {
			return event.ErrTokenTaken
		}
		return nil
	}
	if m.events == nil {
		m.events = make(map[event.Token]*stored)
	}
	m.events[e.Token] = &stored{Event: e, organizer: organizer, rsvps: make(map[event.RSVPID]event.RSVP)}
	return nil
}

// GetEvent implements event.Store.
func (m *Memory) GetEvent(_ context.Context, token event.Token) (found event.Event, err error) {
	err = m.do(token, func(e *stored) error {
		found = e.Event
		return nil
	})
	return found, err
}

// CancelEvent implements event.Store.
func (m *Memory) CancelEvent(
	_ context.Context, token event.Token, organizer event.Hash, c event.Cancellation, _ time.Time,
) error {
	return m.organized(token, organizer, func(e *stored) error {
		if e.Cancelled {
			return e.RepeatedCancel(e.cancelKey, c)
		}
		e.Cancelled, e.CancellationReason, e.MovedTo, e.cancelKey = true, c.Reason, c.MovedTo, c.Key
		return nil
	})
}

// CreateRSVP implements event.Store.
func (m *Memory) CreateRSVP(_ context.Context, token event.Token, r event.RSVP) error {
	return m.do(token, func(e *stored) error {
		if was, ok := e.rsvps[r.ID]; ok {
			if was.Name == r.Name {
				return nil
			}
			return event.ErrTokenTaken
		}
		if err := e.AcceptsRSVP(r.CreatedAt); err != nil {
			return err
		}
		e.rsvps[r.ID] = r
		e.AttendeeCount++
		return nil
	})
}

// GetRSVP implements event.Store.
func (m *Memory) GetRSVP(_ context.Context, token event.Token, rsvp event.RSVPID) (name string, err error) {
	err = m.do(token, func(e *stored) error {
		name = e.rsvps[rsvp].Name
		if name == "" {
			return event.ErrRSVPNotFound
		}
		return nil
	})
	return name, err
}

// CancelRSVP implements event.Store.
func (m *Memory) CancelRSVP(_ context.Context, token event.Token, rsvp event.RSVPID, _ time.Time) error {
	_ = m.do(token, func(e *stored) error { // an event that does not exist has no such RSVP either
		e.cancelRSVP(rsvp)
		return nil
	})
	return nil
}

// ListAttendees implements event.Store.
func (m *Memory) ListAttendees(
	_ context.Context, token event.Token, organizer event.Hash, add func(event.RSVP) error,
) error {
	return m.organized(token, organizer, func(e *stored) error {
		for _, r := range e.rsvps {
			if r.Name == "" {
				continue
			}
			if err := add(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Health implements event.Store.
func (*Memory) Health(context.Context) error { return nil }

// EachEvent implements Eraser.
func (m *Memory) EachEvent(
	ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error,
) error {
	for _, token := range tokens {
		e, err := m.GetEvent(ctx, token)
		if err := do(token, e, err); err != nil {
			return err
		}
	}
	return nil
}

// EraseEvent implements Eraser.
func (m *Memory) EraseEvent(_ context.Context, token event.Token, _ time.Time) (items int, err error) {
	err = m.do(token, func(e *stored) error {
		items, e.gone = 1+len(e.rsvps), true
		return nil
	})
	return items, err
}

// EraseRSVPs implements Eraser.
func (m *Memory) EraseRSVPs(
	_ context.Context, token event.Token, name string, all bool, _ time.Time,
) (erased int, err error) {
	err = m.do(token, func(e *stored) error {
		named, err := event.Named(e.standing(), name, all)
		for _, r := range named {
			e.cancelRSVP(r.ID)
		}
		erased = len(named)
		return err
	})
	return erased, err
}
