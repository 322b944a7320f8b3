package site

import (
	"time"

	"turnout/internal/event"
	"turnout/internal/site/locale"
)

// A Phase is the state of an event at an instant, as in src/model/event.ts.
type Phase int

const (
	Coming Phase = iota
	Started
	Over   // the event has ended; without an end, half a day after its start
	Closed // the service no longer accepts RSVPs
	Cancelled
	HasMoved // the event is cancelled, and leads to an event that accepts RSVPs
)

// PhaseOf returns the phase of an event without regard to a move, so a moved event is Cancelled.
func PhaseOf(e event.Event, now time.Time) Phase {
	at, ok := locale.Start(e)
	end, hasEnd := locale.End(e)
	if !hasEnd {
		end = at.Add(12 * time.Hour)
	}
	switch {
	case e.Cancelled:
		return Cancelled
	case !ok || now.Before(at):
		return Coming
	case now.Sub(at) > event.RSVPWindow:
		return Closed
	case now.After(end):
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
