package eventpage

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

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

// eventData is the content of an event's page: the elements that components/poster.js and
// rsvp-panel.js build at first. The script takes them over.
type eventData struct {
	Public                             event.Event // for the script, in place of its first call of the API
	At                                 int64       // the moment of the read, in milliseconds
	Kicker, Size, DateTime, When, Zone string
	Location                           *place
	Turnout                            string
	Tally                              [][]stroke
	Earlier                            string // guests before the first stroke
	Cancelled                          *notice
	Closed                             string
	Form                               *form
	About                              []span
	Calendar                           string // path of the entry for calendars
}

// A place has links of its own, or one to a map.
type place struct {
	Spans []span
	Map   string
}

// A notice says that an event is cancelled. Nil is not shown; the zero notice has no reason.
type notice struct {
	Moved  string // path of the event that takes its place
	Reason []span
}

type form struct{ Heading, Submit, Hint string }

// eventOf returns the data of an event. Links to other events of the site begin with its
// origin.
func eventOf(e event.Event, l *locale.Locale, origin string, now time.Time) *eventData {
	p := phaseOf(e, now)
	data := &eventData{
		Public: e, At: now.UnixMilli(), Kicker: l.Text(kickers[p]), Size: titleSize(e.Title),
		DateTime: strings.ToUpper(e.DateTime), When: l.Soon(e, now), Zone: locale.ZoneOf(e), Turnout: turnout(e, p, l),
	}
	data.Tally, data.Earlier = tally(e.AttendeeCount, l)
	if e.Location != nil && *e.Location != "" {
		data.Location = &place{Spans: linkify(*e.Location)}
		if len(data.Location.Spans) == 1 {
			data.Location.Map = mapOf(*e.Location)
		}
	}
	if e.Description != nil && *e.Description != "" {
		data.About = linkify(*e.Description)
	}
	switch p {
	case cancelled:
		data.Cancelled = &notice{}
		if e.CancellationReason != nil {
			moved, reason := movedTo(*e.CancellationReason, origin, e.Token)
			data.Cancelled.Moved = moved
			if reason != "" {
				data.Cancelled.Reason = linkify(reason)
			}
		}
	case closed:
		data.Closed = l.Text("event.closedText", l.Date(e))
	case over:
		at, _ := locale.Start(e)
		last := event.Event{DateTime: at.Add(event.RSVPWindow).Format(time.RFC3339), Timezone: e.Timezone}
		data.Form = &form{
			Heading: l.Text("rsvp.titleOver"), Submit: l.Text("rsvp.submitOver"),
			Hint: l.Sentences(l.Text("rsvp.hint"), l.Text("rsvp.hintOver", l.Date(last))),
		}
	default:
		data.Form = &form{Heading: l.Text("rsvp.title"), Submit: l.Text("rsvp.submit"), Hint: l.Text("rsvp.hint")}
		data.Calendar = site.EventPages + e.Token.String() + "/" + calendarName
	}
	return data
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

// mostStrokes bounds the tally marks; a number stands for the earlier guests.
const mostStrokes = 100

// tally returns a stroke for each of the last guests, in whole groups, or five faint ones
// where there are none, and the number of guests before them.
func tally(count int, l *locale.Locale) (strokes [][]stroke, earlier string) {
	if count == 0 {
		return groups(0, 5, "ghost"), ""
	}
	first := (max(0, count-mostStrokes) + 4) / 5 * 5
	if first > 0 {
		earlier = "+" + l.Number(first)
		if l.Direction() == "rtl" {
			earlier = "\u200e" + earlier // the sign stays before the number
		}
	}
	return groups(first, count, ""), earlier
}

// A stroke is the path of a tally mark.
type stroke struct{ D, Class string }

// groups returns the strokes from first, which begins a group of five, to before end.
func groups(first, end int, class string) (groups [][]stroke) {
	for place := first; place < end; place++ {
		if place%5 == 0 {
			groups = append(groups, nil)
		}
		s, last := site.Stroke(place), len(groups)-1
		path := fmt.Sprintf("M%v %vQ%v %v %v %v", s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y)
		groups[last] = append(groups[last], stroke{path, class})
	}
	return groups
}

// mapOf returns the address of a map of a place. The script links to the app for maps
// that a phone has.
func mapOf(place string) string {
	return "https://www.openstreetmap.org/search?query=" + strings.ReplaceAll(url.QueryEscape(place), "+", "%20")
}
