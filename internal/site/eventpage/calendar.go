package eventpage

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// An event has no end: its calendar entry lasts two hours, with a reminder an hour before.
const calendarDuration = 2 * time.Hour

// calendar returns an event as a calendar with one entry (RFC 5545), at a moment.
//
// Calendars recognize the entry by its UID, and replace theirs by one with a higher
// SEQUENCE, so a cancellation shows in those that subscribe (RFC 7986, section 5.7) and
// in those that are given the entry again. There is no METHOD: each needs an organizer's
// address (RFC 5546), which is not known. Times are in UTC, so no zone is described. The entry of an
// event that has moved stays cancelled and leads to the new one, which has an entry of its own.
func calendar(e event.Event, move *site.Move, origin string, now time.Time) (site.File, error) {
	at, ok := locale.Start(e)
	if !ok {
		return site.File{}, fmt.Errorf("a calendar cannot have the date %q", e.DateTime)
	}
	at = time.Unix(min(max(at.Unix(), firstStart), lastStart), 0)
	address, news := origin+pathOf(e), ""
	if move != nil {
		p := previewOf(e, move, now)
		news = joined("\n", p.holds(p.facts()), origin+pathOf(move.To))
	}
	var b strings.Builder
	line := func(name, value string) { fold(&b, name+value) }
	// text writes what the organizer wrote, in its language (section 3.2.10).
	text := func(name, value string) {
		if tag := site.TextOf(e.Language); tag != "" {
			name += ";LANGUAGE=" + tag
		}
		line(name+":", escapeText(value))
	}

	line("BEGIN:", "VCALENDAR")
	line("VERSION:", "2.0")
	line("PRODID:", "-//Turnout//Turnout//EN")
	text("NAME", e.Title)
	line("X-WR-CALNAME:", escapeText(e.Title)) // NAME, as Apple's and Google's calendars read it
	line("REFRESH-INTERVAL;VALUE=DURATION:", "PT1H")
	line("X-PUBLISHED-TTL:", "PT1H") // REFRESH-INTERVAL, as Outlook reads it
	line("BEGIN:", "VEVENT")
	line("UID:", e.Token.String()+"@turnout")
	line("DTSTAMP:", stamp(now))
	line("DTSTART:", stamp(at))
	line("DTEND:", stamp(at.Add(calendarDuration)))
	text("SUMMARY", e.Title)
	text("DESCRIPTION", joined("\n\n", news, oneLine(e.Host), site.TextOf(e.Description), address))
	if place := site.TextOf(e.Location); place != "" {
		text("LOCATION", place)
	}
	line("URL:", address)
	if e.Cancelled {
		line("SEQUENCE:", "1")
		line("STATUS:", "CANCELLED")
	} else {
		line("SEQUENCE:", "0")
		line("STATUS:", "CONFIRMED")
		line("BEGIN:", "VALARM")
		line("ACTION:", "DISPLAY")
		text("DESCRIPTION", e.Title)
		line("TRIGGER:", "-PT1H")
		line("END:", "VALARM")
	}
	line("END:", "VEVENT")
	line("END:", "VCALENDAR")
	file := site.NewEventFile(calendarName, []byte(b.String()))
	file.ContentType = "text/calendar; charset=utf-8"
	return file, nil
}

// The years of calendars have four digits. An offset may take an event to others.
var (
	firstStart = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastStart  = time.Date(10000, 1, 1, 0, 0, -1, 0, time.UTC).Add(-calendarDuration).Unix()
)

func stamp(at time.Time) string { return at.UTC().Format("20060102T150405Z") }

var escapes = strings.NewReplacer(
	`\`, `\\`, ";", `\;`, ",", `\,`,
	"\r\n", `\n`, "\r", `\n`, "\n", `\n`, "\u0085", `\n`, "\u2028", `\n`, "\u2029", `\n`,
)

// escapeText returns a text as a value (section 3.3.11): every character that a reader could
// take for the end of a line becomes an escaped one, and other control characters are left
// out.
func escapeText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, escapes.Replace(text))
}

// fold writes a line of at most 75 octets, and the rest of it as continuations (section 3.1).
func fold(b *strings.Builder, line string) {
	room := 75
	for _, r := range line {
		if utf8.RuneLen(r) > room {
			b.WriteString("\r\n ")
			room = 74
		}
		b.WriteRune(r)
		room -= utf8.RuneLen(r)
	}
	b.WriteString("\r\n")
}
