package eventpage

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// publicEvent is the event as GET /api/events/{eventToken} answers it. It saves the
// script that first call. This package and httpapi are both adapters, which do not
// import each other; previewtest compares the two.
type publicEvent struct {
	EventToken         string  `json:"eventToken"`
	Title              string  `json:"title"`
	Description        *string `json:"description,omitempty"`
	DateTime           string  `json:"dateTime"`
	Timezone           string  `json:"timezone"`
	Location           *string `json:"location,omitempty"`
	AttendeeCount      int     `json:"attendeeCount"`
	Cancelled          bool    `json:"cancelled"`
	CancellationReason *string `json:"cancellationReason"`
}

// eventData returns the event for the script, as JSON.
func eventData(e event.Event) string {
	content, err := json.Marshal(publicEvent{
		EventToken: e.Token.String(), Title: e.Title, Description: e.Description, DateTime: e.DateTime, Timezone: e.Timezone,
		Location: e.Location, AttendeeCount: e.AttendeeCount, Cancelled: e.Cancelled, CancellationReason: e.CancellationReason,
	})
	if err != nil {
		panic(err) // cannot happen: these are texts and numbers
	}
	return string(content)
}

// A phase is the state of an event at a moment, as in static/lib/time.js.
type phase int

const (
	coming phase = iota
	started
	over   // half a day after the start: an event has no end
	closed // the service no longer accepts RSVPs
	cancelled
)

func phaseOf(e event.Event, now time.Time) phase {
	at, ok := locale.Start(e)
	age := now.Sub(at)
	if e.Cancelled {
		return cancelled
	}
	if !ok || age < 0 {
		return coming
	}
	if age > event.RSVPWindow {
		return closed
	}
	if age > 12*time.Hour {
		return over
	}
	return started
}

// eventValues returns what the page of an event shows: what the script shows at first, as
// components/poster.js and rsvp-panel.js build it. The script takes the elements over.
// Links to other events of the site begin with its origin.
func eventValues(e event.Event, l *locale.Locale, origin string, now time.Time) values {
	p := phaseOf(e, now)
	strokes, more := tally(e.AttendeeCount, l)
	shown := values{
		"poster": "poster", "kicker": l.Text(kickers[p]), "title": e.Title, "size": titleSize(e.Title),
		"dateTime": strings.ToUpper(e.DateTime), "when": l.Soon(e, now), "zone": locale.ZoneOf(e),
		"turnout": turnout(e, p, l), "tally": strokes, "more": more,
	}
	if e.Location != nil && *e.Location != "" {
		where := values{"linked": linkify(*e.Location)}
		if len(linkify(*e.Location)) == 1 {
			where = values{"map": mapOf(*e.Location), "place": *e.Location}
		}
		shown["location"] = where
	}
	if e.Description != nil && *e.Description != "" {
		shown["about"] = values{"linked": linkify(*e.Description)}
	}
	switch p {
	case cancelled:
		shown["poster"] = "poster off"
		notice := values{}
		if e.CancellationReason != nil {
			moved, reason := movedTo(*e.CancellationReason, origin, e.Token)
			notice["moved"] = moved
			if reason != "" {
				notice["reason"] = values{"linked": linkify(reason)}
			}
		}
		shown["cancelled"] = notice
	case closed:
		shown["closed"] = l.Text("event.closedText", l.Date(e))
	case over:
		at, _ := locale.Start(e)
		last := event.Event{DateTime: at.Add(event.RSVPWindow).Format(time.RFC3339), Timezone: e.Timezone}
		shown["form"] = values{
			"heading": l.Text("rsvp.titleOver"), "submit": l.Text("rsvp.submitOver"),
			"hint": l.Sentences(l.Text("rsvp.hint"), l.Text("rsvp.hintOver", l.Date(last))),
		}
	default:
		shown["form"] = values{"heading": l.Text("rsvp.title"), "submit": l.Text("rsvp.submit"), "hint": l.Text("rsvp.hint")}
		shown["calendar"] = site.EventPages + e.Token.String() + "/" + calendarName
	}
	return shown
}

// kickers are the lines above the title.
var kickers = map[phase]string{
	coming: "event.kicker", started: "state.started", over: "state.over", closed: "state.over", cancelled: "state.cancelled",
}

func titleSize(title string) string {
	n := utf8.RuneCountInString(title)
	if n > 60 {
		return "long"
	}
	if n > 24 {
		return "middling"
	}
	return "short"
}

func turnout(e event.Event, p phase, l *locale.Locale) string {
	if p == coming || p == started {
		if e.AttendeeCount == 0 {
			return l.Text("event.nobody")
		}
		return l.Text("event.coming", e.AttendeeCount)
	}
	if e.AttendeeCount == 0 {
		return l.Text("event.nobodyCame")
	}
	return l.Text("event.signedUp", e.AttendeeCount)
}

// mostStrokes is how many tally marks are drawn; a number stands for the rest.
const mostStrokes = 50

// tally returns a stroke for each guest, or five faint ones where there are none, and
// the number of guests beyond the last.
func tally(count int, l *locale.Locale) (strokes []values, more string) {
	if count == 0 {
		return groups(5, "ghost"), ""
	}
	if count > mostStrokes {
		more = "+" + l.Number(count-mostStrokes)
		if l.Direction() == "rtl" {
			more = "\u200e" + more // the sign stays before the number
		}
	}
	return groups(min(count, mostStrokes), ""), more
}

// groups returns strokes in groups of five.
func groups(count int, class string) (groups []values) {
	for first := 0; first < count; first += 5 {
		var strokes []values
		for place := range min(5, count-first) {
			s := site.Stroke(first + place)
			strokes = append(strokes, values{"class": class, "d": fmt.Sprintf("M%v %vQ%v %v %v %v", s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y)})
		}
		groups = append(groups, values{"strokes": strokes})
	}
	return groups
}

// mapOf returns the address of a map of a place. The script links to the app for maps
// that a phone has.
func mapOf(place string) string {
	return "https://www.openstreetmap.org/search?query=" + strings.ReplaceAll(url.QueryEscape(place), "+", "%20")
}
