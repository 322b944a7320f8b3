package site

import (
	"context"
	"errors"
	"time"

	"turnout/internal/event"
	"turnout/internal/site/locale"
)

// moveTimeout bounds the time to read the events to which a cancelled event has moved.
const moveTimeout = time.Second

// mostMoves bounds the number of moves to follow, because moves may form a circle.
const mostMoves = 3

// A Move leads from a cancelled event to the event that accepts RSVPs in its place. The two events may have different
// organizers.
type Move struct {
	From, To event.Event
	Unread   bool // an event on the way could not be read, so To has only its own token and the facts of From
}

// MoveOf returns the move of an event, or nil if no event within three moves accepts RSVPs. MoveOf also returns the
// events that it has read on the way, with nil for an event that does not exist.
func MoveOf(ctx context.Context, s *event.Service, e event.Event) (_ *Move, way []*event.Event) {
	ctx, cancel := context.WithTimeout(ctx, moveTimeout)
	defer cancel()
	last := e
	for len(way) < mostMoves && last.MovedTo != nil {
		to, err := s.Store.GetEvent(ctx, *last.MovedTo)
		if errors.Is(err, event.ErrEventNotFound) {
			return nil, append(way, nil)
		}
		if err != nil {
			to = e // To begins with the facts before the move
			to.Token, to.AttendeeCount = *last.MovedTo, 0
			return &Move{e, to, true}, way
		}
		way = append(way, &to)
		if to.AcceptsRSVP(s.Now()) == nil {
			return &Move{e, to, false}, way
		}
		last = to
	}
	return nil, way
}

// A Kind of move is the main difference between the old event and the new event.
type Kind string

const (
	NewDate     Kind = "date"
	NewPlace    Kind = "place"
	Reannounced Kind = "anew"
)

// Kind returns the most important difference between the two events.
func (m Move) Kind() Kind {
	from, _ := locale.Start(m.From)
	to, _ := locale.Start(m.To)
	fromEnd, _ := locale.End(m.From)
	toEnd, _ := locale.End(m.To)
	switch {
	case !from.Equal(to) || !fromEnd.Equal(toEnd):
		return NewDate
	case TextOf(m.To.Location) != "" && InLine(m.From.Location) != InLine(m.To.Location):
		return NewPlace
	}
	return Reannounced
}

// SameTitle reports whether visitors see the same title on both events.
func (m Move) SameTitle() bool { return sameName(m.From.Title, m.To.Title) }
