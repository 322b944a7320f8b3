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

// eventData is the content of an event page. The script takes over the page's elements, which are the first elements
// that components/poster.tsx and rsvp-panel.tsx would make. If the event has moved, the page shows the new event's
// facts. It also shows the new event's form, if visitors see the same title on both events.
type eventData struct {
	Public            event.Event    // the event for the script, in place of its first call of the API
	Way               []*event.Event // the events to which it has moved, for the script
	Words             []locale.Words // words for all of these events
	At                int64          // the instant at which the event was read, in milliseconds
	Open, Over        bool           // whether the event accepts RSVPs; if Over, the form is folded
	Closed, Cancelled bool
	Kicker, Host      string
	Lang              string // the language of the organizer's shown texts, or ""
	HasState          bool   // whether the kicker gives the event's state
	DocumentTitle     string // also says whether the event is cancelled or has moved
	Title, Size       string
	When              locale.Moment
	DateTime, Zone    string
	Place             []span
	Map               string // URL of a map; empty for a place with links
	Was               was
	Turnout, Dashed   string // empty texts are not shown
	Tally             [][]stroke
	Earlier           string // number of guests before the first stroke
	New               string // path of the event to which this event has moved, or ""
	WhatMoved         string // the text in place of the form after a move
	Reason            reason // the reason for a move or a cancellation
	Hint              string // says who sees a guest's name
	Description       []span
	Calendar          string // path of the calendar entry
}

// was has the former facts that the move has changed, and the language of their texts.
type was struct{ Title, When, Place, Lang string }

type reason struct {
	Text []span
	Lang string
}

// mostStrokes bounds the tally marks. The last hundred are drawn, in whole groups. A number stands for the earlier
// guests.
const mostStrokes = 100

// eventOf returns the data of an event. If the event has moved, the data has the new event's facts, and the events on
// the way.
func eventOf(e event.Event, move *site.Move, way []*event.Event, l *locale.Locale, now time.Time) *eventData {
	phase, shown := site.PhaseOf(e, now), e
	if move != nil {
		phase, shown = site.HasMoved, move.To
	}
	data := &eventData{
		Public:    e,
		Way:       way,
		Words:     []locale.Words{l.Words(e)},
		At:        now.UnixMilli(),
		Over:      phase == site.Over,
		Closed:    phase == site.Closed,
		Cancelled: phase == site.Cancelled,
		Kicker:    phase.Kicker(l),
		HasState:  phase != site.Coming,
		Reason:    reason{linkify(site.TextOf(e.CancellationReason)), site.TextOf(e.Language)},
	}
	for _, to := range way {
		if to != nil {
			data.Words = append(data.Words, l.Words(*to))
		}
	}
	if move != nil {
		data.Was = wasOf(move, l, now)
		data.New = pathOf(move.To)
	}
	phaseShown := site.PhaseOf(shown, now)
	data.Open = phaseShown == site.Coming || phaseShown == site.Started
	if move != nil && (!data.Open || move.Unread || !move.SameTitle()) {
		data.Open = false
		data.WhatMoved = whatMoved(move, phaseShown, l)
	}
	data.setFacts(shown, l, now)
	data.DocumentTitle = documentTitle(phase, shown.Title, l)
	data.setTurnout(shown, phaseShown, move != nil, l)
	if data.Open {
		data.Calendar = pathOf(shown) + "/" + calendarName
	}
	return data
}

// documentTitle returns the document's title, as components/poster.tsx does.
func documentTitle(phase site.Phase, title string, l *locale.Locale) string {
	switch phase {
	case site.Cancelled:
		title = l.Text("state.cancelledTitle", title)
	case site.HasMoved:
		title = l.Text("state.movedTitle", title)
	}
	return plain(title) // a title would show the isolates as characters
}

// setFacts sets the organizer's facts about the shown event.
func (data *eventData) setFacts(e event.Event, l *locale.Locale, now time.Time) {
	data.Lang, data.Title, data.Size = site.TextOf(e.Language), e.Title, titleSize(e.Title)
	data.Host, data.Hint = site.TextOf(e.Host), l.Text("rsvp.hint")
	if data.Host != "" {
		data.Hint = l.Text("rsvp.hintHost", data.Host)
	}
	data.When = l.Soon(e, now)
	data.DateTime = strings.ToUpper(e.DateTime)
	if !data.Cancelled {
		data.Zone = locale.ZoneOf(e)
	}
	place := site.InLines(e.Location)
	data.Place = linkify(place)
	if place != "" && isOnMap(place) {
		data.Map = mapOf(site.InLine(e.Location))
	}
	data.Description = linkify(site.TextOf(e.Description))
}

// setTurnout sets the number of guests and the strokes of the shown event.
func (data *eventData) setTurnout(e event.Event, phase site.Phase, moved bool, l *locale.Locale) {
	guests, strokes := e.AttendeeCount, e.AttendeeCount
	data.Turnout = phase.Turnout(guests, l)
	switch {
	case data.Cancelled:
		data.Turnout = ""
	case data.Open:
		strokes++ // adds the next guest's stroke
		data.Dashed = l.Text("event.dashed", 1)
		if guests == 0 {
			data.Turnout, data.Dashed = l.Text("event.first"), l.Text("event.firstIs")
		}
	case moved && guests == 0:
		data.Turnout = "" // right after a move the new event has no RSVPs
	}
	first := site.First(strokes, mostStrokes)
	data.Tally = groups(first, guests, strokes)
	if first > 0 {
		data.Earlier = l.Plus(first)
	}
}

// pathOf returns the path of an event page.
func pathOf(e event.Event) string { return site.EventPages + e.Token.String() }

func wasOf(move *site.Move, l *locale.Locale, now time.Time) (w was) {
	w.Lang = site.TextOf(move.From.Language)
	if !move.SameTitle() {
		w.Title = move.From.Title
	}
	if move.Kind() == site.NewDate {
		w.When = l.Soon(move.From, now).String()
	}
	if from := site.InLine(move.From.Location); from != site.InLine(move.To.Location) {
		w.Place = from
	}
	return w
}

// whatMoved says in words how an event has moved to another event, which is in phase p.
func whatMoved(move *site.Move, p site.Phase, l *locale.Locale) string {
	what := "moved." + string(move.Kind())
	switch {
	case move.Unread:
		what = "moved.unread"
	case p == site.Over:
		what = "event.closed"
	}
	return l.Text(what)
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

// A stroke is the path of a tally mark.
type stroke struct {
	D    string
	Next bool // whether the next guest will draw this stroke
}

// groups returns strokes in groups of five: from first, which begins a group, up to but not including end. Strokes from
// count on stand for the next guests.
func groups(first, count, end int) (groups [][]stroke) {
	for place := first; place < end; place++ {
		if place%site.GroupSize == 0 {
			groups = append(groups, nil)
		}
		s := site.Stroke(place)
		path := fmt.Sprintf("M%v %vQ%v %v %v %v", s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y)
		last := len(groups) - 1
		groups[last] = append(groups[last], stroke{path, place >= count})
	}
	return groups
}

// mapOf returns the URL of a map of a place. Unlike this function, the script links to a phone's own map app.
func mapOf(place string) string {
	return "https://www.openstreetmap.org/search?query=" + strings.ReplaceAll(url.QueryEscape(place), "+", "%20")
}
