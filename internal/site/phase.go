package site

import (
	"time"

	"turnout/internal/event"
	"turnout/internal/site/locale"
)

// A Phase is the state of an event at a moment, as in static/lib/time.ts.
type Phase int

const (
	Coming Phase = iota
	Started
	Over   // half a day after the start: an event has no end
	Closed // the service no longer accepts RSVPs
	Cancelled
	HasMoved // cancelled, and leads to an event that accepts RSVPs
)

// PhaseOf returns the phase of an event, which may have moved.
func PhaseOf(e event.Event, move *Move, now time.Time) Phase {
	at, ok := locale.Start(e)
	age := now.Sub(at)
	if move != nil {
		return HasMoved
	}
	if e.Cancelled {
		return Cancelled
	}
	if !ok || age < 0 {
		return Coming
	}
	if age > event.RSVPWindow {
		return Closed
	}
	if age > 12*time.Hour {
		return Over
	}
	return Started
}

// Kicker returns the line above the title.
func (p Phase) Kicker(l *locale.Locale) string {
	return l.Text([]string{"event.kicker", "state.started", "state.over", "state.over", "state.cancelled", "state.moved"}[p])
}

// Turnout returns the number of guests in words.
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
