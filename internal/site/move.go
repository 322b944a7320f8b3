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
	switch {
	case !from.Equal(to):
		return NewDate
	case TextOf(m.To.Location) != "" && InLine(m.From.Location) != InLine(m.To.Location):
		return NewPlace
	}
	return Reannounced
}

// SameTitle reports whether visitors see the same title on both events.
func (m Move) SameTitle() bool { return sameName(m.From.Title, m.To.Title) }

// A Phase is the state of an event at an instant, as in src/model/event.ts.
type Phase int

const (
	Coming Phase = iota
	Started
	Over   // half a day after the start or later, because an event has no end
	Closed // the service no longer accepts RSVPs
	Cancelled
	HasMoved // the event is cancelled, and leads to an event that accepts RSVPs
)

// PhaseOf returns the phase of an event without regard to a move, so a moved event is Cancelled.
func PhaseOf(e event.Event, now time.Time) Phase {
	at, ok := locale.Start(e)
	age := now.Sub(at)
	switch {
	case e.Cancelled:
		return Cancelled
	case !ok || age < 0:
		return Coming
	case age > event.RSVPWindow:
		return Closed
	case age > 12*time.Hour:
		return Over
	}
	return Started
}

// Kicker returns the line above the title, which names the phase.
func (p Phase) Kicker(l *locale.Locale) string { return l.Text(kickers[p]) }

var kickers = [...]string{
	Coming:    "event.kicker",
	Started:   "state.started",
	Over:      "state.over",
	Closed:    "state.over",
	Cancelled: "state.cancelled",
	HasMoved:  "state.moved",
}

// Turnout returns the number of guests in words, or "" for a cancelled event.
func (p Phase) Turnout(count int, l *locale.Locale) string {
	all, none := "event.signedUp", "event.nobodyCame"
	if p == Coming || p == Started {
		all, none = "event.coming", "event.nobody"
	}
	if count == 0 {
		return l.Text(none)
	}
	return l.Text(all, count)
}
