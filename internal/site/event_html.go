package site

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"
	"unicode/utf8"

	"turnout/internal/event"
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

// eventData returns the element that holds the event for the script. Data is no
// script to a content security policy, and JSON in Go holds no < that could end
// the element.
func eventData(e event.Event) string {
	content, err := json.Marshal(publicEvent{
		EventToken: e.Token.String(), Title: e.Title, Description: e.Description, DateTime: e.DateTime, Timezone: e.Timezone,
		Location: e.Location, AttendeeCount: e.AttendeeCount, Cancelled: e.Cancelled, CancellationReason: e.CancellationReason,
	})
	must(err)
	return `<script type="application/json" id="event">` + string(content) + "</script>\n"
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
	at, ok := Start(e)
	age := now.Sub(at)
	if e.Cancelled {
		return cancelled
	}
	if !ok || age < 0 {
		return coming
	}
	if age > 7*24*time.Hour {
		return closed
	}
	if age > 12*time.Hour {
		return over
	}
	return started
}

// eventMain returns what is in the main element of the page of an event: what the
// script shows at first, but for the form, as components/poster.js and
// pages/event.js build it. The script takes these elements over.
func eventMain(e event.Event, l *Locale, now time.Time) string {
	var b strings.Builder
	write := func(format string, values ...any) {
		for i, value := range values {
			values[i] = html.EscapeString(fmt.Sprint(value))
		}
		fmt.Fprintf(&b, format, values...)
	}
	fact := func(icon, label string, content func()) {
		write(`<div><dt><svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="%s"></path></svg>`+
			`<span class="unseen">%s</span></dt><dd>`, icons[icon], l.Text(label))
		content()
		write(`</dd></div>`)
	}
	p := phaseOf(e, now)

	write(`<section class="%s"><div class="wrap split"><div class="headline">`, strings.TrimSpace("poster "+map[bool]string{true: "off"}[e.Cancelled]))
	write(`<p class="kicker">%s</p><h1 class="user %s" dir="auto" tabindex="-1">%s</h1><dl class="facts">`, l.Text(kickers[p]), titleSize(e.Title), e.Title)
	fact("when", "event.when", func() {
		write(`<p class="big"><time datetime="%s">%s</time></p><p class="small">%s</p>`,
			strings.ToUpper(e.DateTime), l.soon(e, now), zoneOf(e))
	})
	if e.Location != nil {
		fact("where", "event.where", func() { write(`<p class="big user" dir="auto">%s</p>`, *e.Location) })
	}
	fact("who", "event.who", func() {
		write(`<p class="big turnout">%s</p>`, turnout(e, p, l))
		b.WriteString(tally(e.AttendeeCount, l))
	})
	write(`</dl></div><div class="card" id="panel">`)
	switch p {
	case cancelled:
		write(`<section class="notice bad" id="state"><h2 tabindex="-1">%s</h2>`, l.Text("event.cancelled"))
		if e.CancellationReason != nil && *e.CancellationReason != "" {
			write(`<p class="user prose" dir="auto">%s</p></section>`, *e.CancellationReason)
		} else {
			write(`<p>%s</p></section>`, l.Text("event.noReason"))
		}
	case closed:
		write(`<section class="notice" id="state"><h2 tabindex="-1">%s</h2><p>%s</p></section>`,
			l.Text("event.closed"), l.Text("event.closedText", l.Date(e)))
	}
	write(`</div></div></section><div class="wrap about">`)
	if e.Description != nil && *e.Description != "" {
		write(`<section><h2 class="label">%s</h2><div class="user prose" dir="auto">%s</div></section>`, l.Text("event.about"), *e.Description)
	}
	write(`</div>`)
	return b.String()
}

// kickers are the lines above the title.
var kickers = map[phase]string{
	coming: "event.kicker", started: "state.started", over: "state.over", closed: "state.over", cancelled: "state.cancelled",
}

// icons are those of static/components/icon.js.
var icons = map[string]string{
	"when":  "M4 6h16v14H4zM4 10.5h16M8 3v5M16 3v5",
	"where": "M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
	"who":   "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8",
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

func turnout(e event.Event, p phase, l *Locale) string {
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

// tally draws a stroke for each guest, or five faint ones where there are none.
func tally(count int, l *Locale) string {
	var b strings.Builder
	b.WriteString(`<div class="tally" aria-hidden="true">`)
	shown, class := min(count, mostStrokes), ""
	if count == 0 {
		shown, class = 5, "ghost"
	}
	for first := 0; first < shown; first += 5 {
		fmt.Fprintf(&b, `<svg viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" focusable="false">`, GroupWidth, GroupHeight)
		for place := range min(5, shown-first) {
			s := Stroke(first + place)
			fmt.Fprintf(&b, `<path d="M%v %vQ%v %v %v %v" pathLength="1" class="%s"></path>`, s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y, class)
		}
		b.WriteString(`</svg>`)
	}
	if count > mostStrokes {
		b.WriteString("+" + l.Number(count-mostStrokes))
	}
	b.WriteString(`</div>`)
	return b.String()
}
