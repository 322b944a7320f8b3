package storetest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"turnout/internal/event"
)

// Memory is the contract as readable code: a Store in a map, for tests of packages that must
// not import a real one. The zero Memory is empty and ready to use.
type Memory struct {
	mu     sync.Mutex
	events map[event.Token]*stored
}

// A stored event and its RSVPs.
type stored struct {
	event.Event
	organizer, cancelKey event.Hash
	details              bool                      // not deleted yet
	erased               bool                      // its token stays taken
	rsvps                map[event.Hash]event.RSVP // removed ones without a name
}

// do calls a function alone, unless the context is done.
func (m *Memory) do(ctx context.Context, do func() error) error {
	if ctx.Err() != nil {
		return event.ErrUnavailable
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return do()
}

// find returns an event that has details.
func (m *Memory) find(token event.Token) (*stored, error) {
	if e := m.events[token]; e != nil && e.details {
		return e, nil
	}
	return nil, event.ErrEventNotFound
}

// organized returns an event to its organizer.
func (m *Memory) organized(token event.Token, organizer event.Hash) (*stored, error) {
	e, err := m.find(token)
	if err == nil && !e.organizer.Equal(organizer) {
		err = event.ErrOrganizerToken
	}
	return e, err
}

// AddEvent implements event.Store.
func (m *Memory) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	return m.do(ctx, func() error {
		if was, err := m.find(e.Token); err == nil {
			if was.organizer.Equal(organizer) && was.SameContent(e) {
				return nil
			}
			return event.ErrTokenTaken
		}
		if was := m.events[e.Token]; was != nil && was.erased {
			return event.ErrTokenTaken
		}
		if m.events == nil {
			m.events = make(map[event.Token]*stored)
		}
		m.events[e.Token] = &stored{Event: e, organizer: organizer, details: true, rsvps: make(map[event.Hash]event.RSVP)}
		return nil
	})
}

// EventByToken implements event.Store.
func (m *Memory) EventByToken(ctx context.Context, token event.Token) (found event.Event, err error) {
	err = m.do(ctx, func() error {
		e, err := m.find(token)
		if err == nil {
			found = e.Event
		}
		return err
	})
	return found, err
}

// CancelEvent implements event.Store.
func (m *Memory) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, c event.Cancellation, _ time.Time) error {
	return m.do(ctx, func() error {
		e, err := m.organized(token, organizer)
		switch {
		case err != nil:
			return err
		case e.Cancelled:
			return e.RepeatedCancel(e.cancelKey, c)
		}
		e.Cancelled, e.CancellationReason, e.MovedTo, e.cancelKey = true, c.Reason, c.MovedTo, c.Key
		return nil
	})
}

// AddRSVP implements event.Store.
func (m *Memory) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	return m.do(ctx, func() error {
		e, err := m.find(token)
		if err != nil {
			return err
		}
		if was, ok := e.rsvps[r.Hash]; ok {
			if was.Name == r.Name {
				return nil
			}
			return event.ErrTokenTaken
		}
		if err := e.AcceptsRSVP(r.CreatedAt); err != nil {
			return err
		}
		e.rsvps[r.Hash] = r
		e.AttendeeCount++
		return nil
	})
}

// RSVPName implements event.Store.
func (m *Memory) RSVPName(ctx context.Context, token event.Token, rsvp event.Hash) (name string, err error) {
	err = m.do(ctx, func() error {
		e, err := m.find(token)
		if err == nil {
			if name = e.rsvps[rsvp].Name; name == "" {
				err = event.ErrRSVPNotFound
			}
		}
		return err
	})
	return name, err
}

// RemoveRSVP implements event.Store.
func (m *Memory) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash, _ time.Time) error {
	return m.do(ctx, func() error {
		e := m.events[token]
		if e == nil || e.rsvps[rsvp].Name == "" {
			return nil
		}
		e.rsvps[rsvp] = event.RSVP{}
		e.AttendeeCount--
		return nil
	})
}

// AttendeesByEvent implements event.Store.
func (m *Memory) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position) (list []event.RSVP, err error) {
	err = m.do(ctx, func() error {
		e, err := m.organized(token, organizer)
		if err != nil {
			return err
		}
		rsvps := slices.Collect(maps.Values(e.rsvps))
		list = event.After(slices.DeleteFunc(rsvps, func(r event.RSVP) bool { return r.Name == "" }), after)
		return nil
	})
	return list, err
}

// Ready implements event.Store.
func (m *Memory) Ready(ctx context.Context) error { return m.do(ctx, func() error { return nil }) }

// EraseEvent implements Eraser.
func (m *Memory) EraseEvent(ctx context.Context, token event.Token, _ time.Time) (items int, err error) {
	err = m.do(ctx, func() error {
		e, err := m.find(token)
		if err == nil {
			items = 1 + len(e.rsvps)
			m.events[token] = &stored{erased: true}
		}
		return err
	})
	return items, err
}

// EraseRSVPs implements Eraser.
func (m *Memory) EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, _ time.Time) (erased int, err error) {
	err = m.do(ctx, func() error {
		e, err := m.find(token)
		if err != nil {
			return err
		}
		named, err := event.Named(slices.Collect(maps.Values(e.rsvps)), name, all)
		for _, r := range named {
			e.rsvps[r.Hash] = event.RSVP{}
			e.AttendeeCount--
		}
		erased = len(named)
		return err
	})
	return erased, err
}

// Items implements Store.
func (m *Memory) Items(ctx context.Context, token event.Token) (items []Item, err error) {
	err = m.do(ctx, func() error {
		e := m.events[token]
		if e == nil {
			return nil
		}
		if e.details {
			items = append(items, Item{Details, ""})
		}
		for hash := range e.rsvps {
			items = append(items, Item{RSVPs, string(hash[:])})
		}
		return nil
	})
	return items, err
}

// DeleteItem implements Store.
func (m *Memory) DeleteItem(ctx context.Context, token event.Token, p Item) error {
	return m.do(ctx, func() error {
		switch e := m.events[token]; p.Part {
		case Details:
			e.details = false
		case RSVPs:
			delete(e.rsvps, event.Hash([]byte(p.Key)))
		}
		return nil
	})
}
