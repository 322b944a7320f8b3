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
	moved // cancelled, and leads to an event that accepts RSVPs
)

func phaseOf(e event.Event, move *site.Move, now time.Time) phase {
	at, ok := locale.Start(e)
	age := now.Sub(at)
	if move != nil {
		return moved
	}
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
	Public                             event.Event  // for the script, in place of its first call of the API
	To                                 *event.Event // that this one has moved to, likewise
	At                                 int64        // the moment of the read, in milliseconds
	Title                              string
	Kicker, Size, DateTime, When, Zone string
	Location                           *place
	Was                                was
	Turnout                            string // not shown if it is empty
	Tally                              [][]stroke
	Earlier                            string // guests before the first stroke
	Moved                              *movedNotice
	Cancelled                          *notice
	Closed                             string
	Form                               *form
	About                              []span
	Calendar                           string // path of the entry for calendars
}

// was has the facts of an event that are others since it has moved.
type was struct{ Title, When, Place string }

// A place has links of its own, or one to a map.
type place struct {
	Text  string
	Spans []span
	Map   string
}

// A notice says that an event is cancelled. Nil is not shown; the zero notice has no reason.
type notice struct{ Reason []span }

// A movedNotice asks about the new event, and leads to it.
type movedNotice struct {
	Heading   string
	Why       []span
	Path, See string
}

type form struct{ Heading, Submit, Hint string }

// eventOf returns the data of an event, with the facts of the one that it has moved to.
func eventOf(e event.Event, move *site.Move, l *locale.Locale, now time.Time) *eventData {
	p := phaseOf(e, move, now)
	data := &eventData{Public: e, At: now.UnixMilli(), Kicker: l.Text(kickers[p])}
	if move != nil {
		data.To = &move.To
		data.Was, data.Moved = wasOf(move, l, now), movedNoticeOf(move, l, now)
		e = move.To
	}
	data.addFacts(e, l, now)
	switch p {
	case moved:
		if e.AttendeeCount == 0 {
			data.Turnout = "" // nobody can have said yes again at first
		}
	case cancelled:
		data.Cancelled = &notice{}
		if e.CancellationReason != nil && *e.CancellationReason != "" {
			data.Cancelled.Reason = linkify(*e.CancellationReason)
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

func (data *eventData) addFacts(e event.Event, l *locale.Locale, now time.Time) {
	data.Title, data.Size = e.Title, titleSize(e.Title)
	data.DateTime, data.When, data.Zone = strings.ToUpper(e.DateTime), l.Soon(e, now), locale.ZoneOf(e)
	data.Turnout = turnout(e, phaseOf(e, nil, now), l)
	data.Tally, data.Earlier = tally(e.AttendeeCount, l)
	if e.Location != nil && *e.Location != "" {
		data.Location = &place{Text: *e.Location, Spans: linkify(*e.Location)}
		if len(data.Location.Spans) == 1 {
			data.Location.Map = mapOf(*e.Location)
		}
	}
	if e.Description != nil && *e.Description != "" {
		data.About = linkify(*e.Description)
	}
}

func wasOf(move *site.Move, l *locale.Locale, now time.Time) (w was) {
	if !move.SameTitle() {
		w.Title = move.From.Title
	}
	if move.Change() == site.NewDate {
		w.When = l.Soon(move.From, now)
	}
	w.Place = move.FormerPlace()
	return w
}

// movedNoticeOf asks nothing if the new event is over.
func movedNoticeOf(move *site.Move, l *locale.Locale, now time.Time) *movedNotice {
	question := "moved." + string(move.Change())
	n := &movedNotice{
		Heading: l.Text(question), Path: site.EventPages + move.To.Token.String(),
		See: l.Text("moved.see"),
	}
	if phaseOf(move.To, nil, now) == over {
		n.Heading = l.Text("event.closed")
	}
	if !move.SameTitle() || move.Change() != site.NewDate {
		n.See = l.Text("moved.seeTitle", move.To.Title)
	}
	if move.Why != "" {
		n.Why = linkify(move.Why)
	}
	return n
}

// kickers are the lines above the title.
var kickers = map[phase]string{
	coming: "event.kicker", started: "state.started", over: "state.over", closed: "state.over", cancelled: "state.cancelled",
	moved: "state.moved",
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
