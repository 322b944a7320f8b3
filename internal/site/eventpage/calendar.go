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

// usualDuration is the duration of the calendar entry of an event without an end.
const usualDuration = 2 * time.Hour

// calendar returns an event as a calendar (RFC 5545), as of now. It has an entry for the event and for each event to
// which it has moved. So a calendar that subscribes to the event follows the moves (RFC 7986, section 5.7).
//
// A calendar program recognizes an entry by its UID, and replaces its own copy if the new entry has a higher SEQUENCE.
// So a program that gets the entry again also shows a cancellation. Many programs ignore STATUS, so the title says that
// the event is cancelled. There is no METHOD, because each METHOD needs an organizer's address (RFC 5546), which is not
// known. Times are in UTC, so no zone is described.
func calendar(e event.Event, move *site.Move, way []*event.Event, origin string, now time.Time) (site.File, error) {
	var c calendarLines
	name := previewOf(e, move, now).heading()
	c.line("BEGIN:", "VCALENDAR")
	c.line("VERSION:", "2.0")
	c.line("PRODID:", "-//Turnout//Turnout//EN")
	c.text("NAME", e.Language, name)
	c.text("X-WR-CALNAME", nil, name) // Apple's and Google's calendars read this form of NAME
	c.line("REFRESH-INTERVAL;VALUE=DURATION:", "PT1H")
	c.line("X-PUBLISHED-TTL:", "PT1H") // Outlook reads this form of REFRESH-INTERVAL
	written := map[event.Token]bool{}
	for _, each := range append([]*event.Event{&e}, way...) {
		if each == nil || written[each.Token] { // the event does not exist, or the moves form a circle
			continue
		}
		written[each.Token] = true
		if err := c.entry(*each, move, origin, now); err != nil {
			return site.File{}, err
		}
	}
	c.line("END:", "VCALENDAR")
	file := site.NewEventFile(calendarName, []byte(c.String()))
	file.ContentType = "text/calendar; charset=utf-8"
	return file, nil
}

type calendarLines struct{ strings.Builder }

func (c *calendarLines) line(name, value string) { fold(&c.Builder, name+value) }

// text writes what the organizer wrote, with the language if it is known (section 3.2.10).
func (c *calendarLines) text(name string, language *string, value string) {
	if tag := site.TextOf(language); tag != "" {
		name += ";LANGUAGE=" + tag
	}
	c.line(name+":", escapeText(value))
}

// entry writes an event on the way of a move. The entry of a cancelled event has a link to the event to which it has
// moved.
func (c *calendarLines) entry(e event.Event, move *site.Move, origin string, now time.Time) error {
	at, ok := locale.Start(e)
	if !ok {
		return fmt.Errorf("a calendar cannot have the date %q", e.DateTime)
	}
	seconds := int64(usualDuration / time.Second)
	if end, ok := locale.End(e); ok {
		seconds = max(end.Unix()-at.Unix(), 1)
	}
	start := min(max(at.Unix(), firstSecond), lastSecond-seconds)
	address, news := origin+pathOf(e), ""
	if move != nil && e.Cancelled {
		p := previewOf(e, move, now)
		news = joined("\n", p.holds(p.facts()), origin+pathOf(move.To))
	}
	c.line("BEGIN:", "VEVENT")
	c.line("UID:", e.Token.String()+"@turnout")
	c.line("DTSTAMP:", stamp(now))
	c.line("DTSTART:", stamp(time.Unix(start, 0)))
	c.line("DTEND:", stamp(time.Unix(start+seconds, 0)))
	c.text("SUMMARY", e.Language, previewOf(e, nil, now).heading())
	c.text("DESCRIPTION", e.Language, joined("\n\n",
		news, site.TextOf(e.CancellationReason), oneLine(e.Host), site.TextOf(e.Description), address))
	if place := site.InLine(e.Location); place != "" {
		c.text("LOCATION", e.Language, place)
	}
	c.line("URL:", address)
	if e.Cancelled {
		c.line("SEQUENCE:", "1")
		c.line("STATUS:", "CANCELLED")
	} else {
		c.line("SEQUENCE:", "0")
		c.line("STATUS:", "CONFIRMED")
		c.line("BEGIN:", "VALARM")
		c.line("ACTION:", "DISPLAY")
		c.text("DESCRIPTION", e.Language, e.Title)
		c.line("TRIGGER:", "-PT1H")
		c.line("END:", "VALARM")
	}
	c.line("END:", "VEVENT")
	return nil
}

// In calendars, years have four digits. An event's offset may shift its instant into another year.
var (
	firstSecond = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(10000, 1, 1, 0, 0, -1, 0, time.UTC).Unix()
)

func stamp(at time.Time) string { return at.UTC().Format("20060102T150405Z") }

var escapes = strings.NewReplacer(
	`\`, `\\`, ";", `\;`, ",", `\,`,
	"\r\n", `\n`, "\r", `\n`, "\n", `\n`, "\u0085", `\n`, "\u2028", `\n`, "\u2029", `\n`,
)

// escapeText escapes a text (section 3.3.11). It escapes every character that a program could take for the end of a
// line, and removes other control characters.
func escapeText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, escapes.Replace(text))
}

// fold writes a line of at most 75 octets, and the rest of the line as continuations (section 3.1).
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
