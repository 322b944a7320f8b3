package storetest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"turnout/internal/event"
)

// Memory is the contract as code that can be read in one go: a Store in maps, for the
// tests of packages that must not import a real one. The zero Memory is empty and
// ready to use.
type Memory struct {
	mu       sync.Mutex
	details  map[event.Token]details
	counters map[event.Token]int
	rsvps    map[event.Token]map[event.Hash]event.RSVP // removed ones without a name
}

type details struct {
	event.Event
	organizer, cancelKey event.Hash
}

// begin locks, unless the context is done.
func (m *Memory) begin(ctx context.Context) error {
	if ctx.Err() != nil {
		return event.ErrUnavailable
	}
	m.mu.Lock()
	if m.details == nil {
		m.details = make(map[event.Token]details)
		m.counters = make(map[event.Token]int)
		m.rsvps = make(map[event.Token]map[event.Hash]event.RSVP)
	}
	return nil
}

// AddEvent implements event.Store.
func (m *Memory) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if stored, ok := m.details[e.Token]; ok {
		if stored.organizer.Equal(organizer) && stored.SameContent(e) {
			return nil
		}
		return event.ErrTokenTaken
	}
	m.details[e.Token] = details{Event: e, organizer: organizer}
	m.counters[e.Token] = 0
	m.rsvps[e.Token] = make(map[event.Hash]event.RSVP)
	return nil
}

// EventByToken implements event.Store.
func (m *Memory) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	if err := m.begin(ctx); err != nil {
		return event.Event{}, err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	if !ok {
		return event.Event{}, event.ErrEventNotFound
	}
	d.AttendeeCount = m.counters[token]
	return d.Event, nil
}

// CancelEvent implements event.Store.
func (m *Memory) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, key event.Hash, _ time.Time) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, err := m.organized(token, organizer)
	if err != nil {
		return err
	}
	if d.Cancelled {
		return d.CancelAgain(d.cancelKey, key, reason)
	}
	d.Cancelled, d.CancellationReason, d.cancelKey = true, reason, key
	m.details[token] = d
	return nil
}

// organized returns the details of an event to its organizer.
func (m *Memory) organized(token event.Token, organizer event.Hash) (details, error) {
	d, ok := m.details[token]
	switch {
	case !ok:
		return d, event.ErrEventNotFound
	case !d.organizer.Equal(organizer):
		return d, event.ErrOrganizerToken
	}
	return d, nil
}

// AddRSVP implements event.Store.
func (m *Memory) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	if !ok {
		return event.ErrEventNotFound
	}
	if stored, ok := m.rsvps[token][r.Hash]; ok {
		if stored.Name == r.Name {
			return nil
		}
		return event.ErrTokenTaken
	}
	if err := d.Admits(r.CreatedAt); err != nil {
		return err
	}
	m.rsvps[token][r.Hash] = r
	m.counters[token]++
	return nil
}

// RemoveRSVP implements event.Store.
func (m *Memory) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash, _ time.Time) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if m.rsvps[token][rsvp].Name == "" {
		return nil
	}
	m.rsvps[token][rsvp] = event.RSVP{}
	if _, ok := m.counters[token]; ok {
		m.counters[token]--
	}
	return nil
}

// AttendeesByEvent implements event.Store.
func (m *Memory) AttendeesByEvent(
	ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int,
) ([]event.RSVP, bool, error) {
	if err := m.begin(ctx); err != nil {
		return nil, false, err
	}
	defer m.mu.Unlock()
	if _, err := m.organized(token, organizer); err != nil {
		return nil, false, err
	}
	rsvps := slices.Collect(maps.Values(m.rsvps[token]))
	rsvps = slices.DeleteFunc(rsvps, func(r event.RSVP) bool { return r.Name == "" })
	page, more := event.Page(rsvps, after, maxBytes)
	return page, more, nil
}

// Ready implements event.Store.
func (m *Memory) Ready(ctx context.Context) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	m.mu.Unlock()
	return nil
}

// Pieces implements Store.
func (m *Memory) Pieces(_ context.Context, token event.Token) (pieces []Piece, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.details[token]; ok {
		pieces = append(pieces, Piece{Details, ""})
	}
	if _, ok := m.counters[token]; ok {
		pieces = append(pieces, Piece{Counters, ""})
	}
	for hash := range m.rsvps[token] {
		pieces = append(pieces, Piece{RSVPs, string(hash[:])})
	}
	return pieces, nil
}

// DeletePiece implements Store.
func (m *Memory) DeletePiece(_ context.Context, token event.Token, p Piece) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch p.Part {
	case Details:
		delete(m.details, token)
	case Counters:
		delete(m.counters, token)
	case RSVPs:
		delete(m.rsvps[token], event.Hash([]byte(p.Key)))
	}
	return nil
}
