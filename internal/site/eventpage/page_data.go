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

// eventData is the content of an event's page: the elements that components/poster.tsx and
// rsvp-panel.tsx build at first. The script takes them over.
type eventData struct {
	Public                       event.Event    // for the script, in place of its first call of the API
	Way                          []*event.Event // those that it has moved to, likewise
	Words                        []locale.Words // for all
	At                           int64          // the moment of the read, in milliseconds
	Host                         *string
	Title                        string
	Kicker, Size, DateTime, Zone string
	When                         locale.Moment
	Location                     *place
	Was                          was
	Turnout, Dashed              string // not shown if they are empty
	Tally                        [][]stroke
	Earlier                      string // guests before the first stroke
	Moved                        *movedNotice
	Cancelled                    *notice
	Closed                       string
	Form                         *form
	Excerpt                      string // of what About has in full
	About                        []span
	Calendar                     string // path of the entry for calendars
}

// was has the facts of an event that have changed with its move.
type was struct{ Title, When, Place string }

// A place has links of its own, or one to a map.
type place struct {
	Text  string
	Spans []span
	Map   string
}

// A notice says that an event is cancelled. Nil is not shown; the zero notice has no reason.
type notice struct {
	Reason  []span
	SaidYes string
}

// A movedNotice asks about the new event, and leads to it.
type movedNotice struct {
	Heading   string
	Why       []span
	Path, See string
}

type form struct {
	Heading, Submit, Hint string
	Over                  bool // behind its heading
}

// eventOf returns the data of an event, with the facts of the one that it has moved to.
func eventOf(e event.Event, move *site.Move, l *locale.Locale, now time.Time) *eventData {
	p := site.PhaseOf(e, move, now)
	data := &eventData{Public: e, Words: []locale.Words{l.Words(e)}, At: now.UnixMilli(), Host: p.Host(e), Kicker: p.Kicker(l)}
	if move != nil {
		data.Was, data.Moved = wasOf(move, l, now), movedNoticeOf(move, l, now)
		e = move.To
	}
	data.addFacts(e, l, now)
	switch p {
	case site.HasMoved:
		if e.AttendeeCount == 0 {
			data.Turnout = "" // nobody can have said yes again at first
		}
	case site.Cancelled:
		data.Cancelled = &notice{}
		if e.AttendeeCount > 0 {
			data.Cancelled.SaidYes = data.Turnout
		}
		data.Excerpt, data.Turnout = "", ""
		if reason := site.Reason(e); reason != "" {
			data.Cancelled.Reason = linkify(reason)
		}
	case site.Closed:
		data.Closed = l.Text("event.closedText", l.Date(e))
	case site.Over:
		data.Form = &form{
			Over: true, Heading: l.Text("rsvp.titleOver"), Submit: l.Text("rsvp.submitOver"),
			Hint: l.Sentences(l.Text("rsvp.hint"), l.Text("rsvp.hintOver", l.Words(e).Closes)),
		}
	default:
		data.Form = &form{Heading: l.Text("rsvp.title"), Submit: l.Text("rsvp.submit"), Hint: l.Text("rsvp.hint")}
		data.Dashed = l.Text("event.dashed", 1)
		if e.AttendeeCount == 0 {
			data.Turnout, data.Dashed = l.Text("event.first"), l.Text("event.firstIs")
		}
		data.Calendar = site.EventPages + e.Token.String() + "/" + calendarName
	}
	end := e.AttendeeCount
	if data.Dashed != "" {
		end++
	}
	data.Tally, data.Earlier = tally(e.AttendeeCount, end, l)
	return data
}

// follow adds the events that the script would read next.
func (data *eventData) follow(way []*event.Event, l *locale.Locale) {
	data.Way = way
	for _, to := range way {
		if to != nil {
			data.Words = append(data.Words, l.Words(*to))
		}
	}
}

func (data *eventData) addFacts(e event.Event, l *locale.Locale, now time.Time) {
	data.Title, data.Size = e.Title, titleSize(e.Title)
	data.DateTime, data.When, data.Zone = strings.ToUpper(e.DateTime), l.Soon(e, now), locale.ZoneOf(e)
	data.Turnout = site.PhaseOf(e, nil, now).Turnout(e.AttendeeCount, l)
	if e.Location != nil && *e.Location != "" {
		data.Location = &place{Text: *e.Location, Spans: linkify(*e.Location)}
		if len(data.Location.Spans) == 1 {
			data.Location.Map = mapOf(*e.Location)
		}
	}
	if e.Description != nil && *e.Description != "" {
		data.Excerpt, data.About = excerpt(e.Description), linkify(*e.Description)
	}
}

func wasOf(move *site.Move, l *locale.Locale, now time.Time) (w was) {
	if !move.SameTitle() {
		w.Title = move.From.Title
	}
	if move.Kind() == site.NewDate {
		w.When = l.Soon(move.From, now).String()
	}
	w.Place = move.FormerPlace()
	return w
}

// movedNoticeOf asks nothing if the new event is over.
func movedNoticeOf(move *site.Move, l *locale.Locale, now time.Time) *movedNotice {
	question := "moved." + string(move.Kind())
	n := &movedNotice{
		Heading: l.Text(question), Path: site.EventPages + move.To.Token.String(),
		See: l.Text("moved.see"),
	}
	switch {
	case move.Unread:
		n.Heading = l.Text("moved.unread")
	case site.PhaseOf(move.To, nil, now) == site.Over:
		n.Heading = l.Text("event.closed")
	}
	if !move.SameTitle() || move.Kind() != site.NewDate {
		n.See = l.Text("moved.seeTitle", move.To.Title)
	}
	if reason := site.Reason(move.From); reason != "" {
		n.Why = linkify(reason)
	}
	return n
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

// mostStrokes bounds the tally marks; a number stands for the earlier guests.
const mostStrokes = 100

// tally returns the strokes before end, which may include the next guest's, and the number of guests before them:
// the last hundred in whole groups.
func tally(count, end int, l *locale.Locale) (strokes [][]stroke, earlier string) {
	first, earlier := site.Earlier(end, mostStrokes, l)
	return groups(first, count, end), earlier
}

// A stroke is the path of a tally mark.
type stroke struct {
	D    string
	Next bool // to be drawn by the next guest
}

// groups returns the strokes from first, which begins a group of five, to before end. There are count guests.
func groups(first, count, end int) (groups [][]stroke) {
	for place := first; place < end; place++ {
		if place%5 == 0 {
			groups = append(groups, nil)
		}
		s, last := site.Stroke(place), len(groups)-1
		path := fmt.Sprintf("M%v %vQ%v %v %v %v", s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y)
		groups[last] = append(groups[last], stroke{path, place >= count})
	}
	return groups
}

// mapOf returns the address of a map of a place. The script links to the app for maps
// that a phone has.
func mapOf(place string) string {
	return "https://www.openstreetmap.org/search?query=" + strings.ReplaceAll(url.QueryEscape(place), "+", "%20")
}
