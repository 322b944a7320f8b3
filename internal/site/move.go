package site

import (
	"context"
	"errors"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"turnout/internal/event"
	"turnout/internal/site/locale"
)

// moveTimeout bounds the read of the event that another one has moved to.
const moveTimeout = time.Second

// A Move is the site's interpretation of a cancelled event whose reason ends with the link to
// another one. The API has no moves, and the events may have different organizers.
type Move struct {
	From, To event.Event
	Why      string // what precedes the news and the link in the reason
}

// MoveOf returns the move of an event, or nil if it has not moved to an event that accepts RSVPs. It
// reads at most that one. An error means that this event could not be read.
func MoveOf(ctx context.Context, s *event.Service, e event.Event, origin string) (*Move, error) {
	if !e.Cancelled || e.CancellationReason == nil || origin == "" {
		return nil, nil
	}
	token, why, ok := movedTo(*e.CancellationReason, origin+EventPages, e.Token)
	if !ok {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, moveTimeout)
	defer cancel()
	to, err := s.Store.EventByToken(ctx, token)
	if errors.Is(err, event.ErrEventNotFound) {
		return nil, nil
	}
	if err != nil || to.AcceptsRSVP(s.Now()) != nil {
		return nil, err
	}
	return &Move{From: e, To: to, Why: why}, nil
}

// movedTo returns the event, other than its own, whose address is the last line of a reason, and the
// part of the reason before its last blank line. The addresses of events begin with pages. The
// script's movedTo is the same.
func movedTo(reason, pages string, own event.Token) (to event.Token, why string, ok bool) {
	const space = " \t\n"
	text := strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(reason), space)
	lines := strings.Split(text, "\n")
	last := len(lines) - 1
	name, here := strings.CutPrefix(strings.TrimLeft(lines[last], space), pages)
	if to, ok = event.ParseToken(name); !ok || !here || to == own {
		return event.Token{}, "", false
	}
	for last--; last >= 0; last-- {
		if strings.Trim(lines[last], space) == "" {
			return to, strings.TrimRight(strings.Join(lines[:last], "\n"), space), true
		}
	}
	return to, "", true
}

// A Change is the main difference between the new event and the old one.
type Change string

const (
	NewDate  Change = "date"
	NewPlace Change = "place"
	Anew     Change = "anew"
)

// Change returns the most important of the changes.
func (m Move) Change() Change {
	from, _ := locale.Start(m.From)
	to, _ := locale.Start(m.To)
	switch {
	case !from.Equal(to):
		return NewDate
	case placeOf(m.To) != "" && placeOf(m.From) != placeOf(m.To):
		return NewPlace
	}
	return Anew
}

// FormerPlace returns the place of the old event, if the new one is elsewhere.
func (m Move) FormerPlace() string {
	if from := placeOf(m.From); from != placeOf(m.To) {
		return from
	}
	return ""
}

func placeOf(e event.Event) string {
	if e.Location == nil {
		return ""
	}
	return *e.Location
}

// SameTitle reports whether readers see the same title on both events.
func (m Move) SameTitle() bool { return simplified(m.From.Title) == simplified(m.To.Title) }

// simplified trims the characters that JavaScript trims.
func simplified(title string) string {
	return strings.Trim(norm.NFKC.String(title), "\t\n\v\f\r \u1680\u2028\u2029\ufeff")
}
