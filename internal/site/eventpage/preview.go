package eventpage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// A preview is the text that messengers show with a link. A messenger asks for no language, and all readers of a
// message get the same text, so a preview is in the event's language. If the event has no language, or the site does
// not speak it, dates and l are nil. Then the preview has digits and symbols, which screen readers name in the reader's
// language.
type preview struct {
	e     event.Event
	move  *site.Move
	now   time.Time
	dates *locale.Dates
	l     *locale.Locale
}

func previewOf(e event.Event, move *site.Move, now time.Time) preview {
	p := preview{e: e, move: move, now: now, dates: locale.DatesOf(site.TextOf(e.Language))}
	if p.dates != nil {
		p.l = locale.Of(p.dates.Tag)
	}
	return p
}

func (p preview) when(e event.Event) string { return p.dates.When(e, p.now) }

// holds marks a fact of the new event that replaces this event. It returns "" for an empty fact.
func (p preview) holds(fact string) string {
	switch {
	case fact == "":
		return ""
	case p.l == nil:
		return "✅ " + fact
	}
	return plain(p.l.Text("state.movedTitle", fact))
}

// former marks a fact that is no longer valid. It returns "" for an empty fact.
func (p preview) former(fact string) string {
	switch {
	case fact == "":
		return ""
	case p.l == nil:
		return "❌ " + fact
	}
	return p.l.Sentences(p.l.Text("moved.before"), fact)
}

// heading returns a preview's title with the changes of a move, because some messengers show only the title.
func (p preview) heading() string {
	switch {
	case p.move != nil:
		return joined(" · ", p.move.To.Title, p.change())
	case p.e.Cancelled && p.l != nil:
		return plain(p.l.Text("state.cancelledTitle", p.e.Title))
	case p.e.Cancelled:
		return p.former(p.e.Title)
	}
	return p.e.Title
}

// change returns the date or the place before and after the move.
func (p preview) change() string {
	var to, from string
	switch {
	case p.move.Unread:
		from = p.when(p.move.From)
	case p.move.Kind() == site.NewDate:
		to, from = p.when(p.move.To), p.when(p.move.From)
	case p.move.Kind() == site.NewPlace:
		to, from = site.InLine(p.move.To.Location), site.InLine(p.move.From.Location)
	default:
		return ""
	}
	to, from = p.holds(to), p.former(from)
	if p.l == nil { // the mark of direction keeps the order of the digits after a title in Arabic
		return "\u200e" + joined(" ", to, from)
	}
	if to == "" {
		to = p.l.Text("state.moved")
	}
	return joined(" · ", to, from)
}

// summary returns the date and the place, the host, and the organizer's words. These are the reason of a cancelled
// event, or else the first lines of the description. For a move, summary returns the new event's facts, and the reason.
func (p preview) summary() string {
	words := p.e.Description
	if p.e.Cancelled {
		words = p.e.CancellationReason
	}
	shown := p.e
	if p.move != nil {
		shown = p.move.To
	}
	return joined("\n", p.facts(), oneLine(shown.Host), excerpt(words))
}

// facts returns the date and the place of the event, or of the event to which it has moved, if they are known.
func (p preview) facts() string {
	e := p.e
	if p.move != nil {
		if p.move.Unread {
			return ""
		}
		e = p.move.To
	}
	return joined(" · ", fmt.Sprintf("%s (%s)", p.when(e), locale.ZoneOf(e)), shortened(site.InLine(e.Location)))
}

// plain returns a text without the bidi isolates of its values.
func plain(text string) string { return isolates.Replace(text) }

var isolates = strings.NewReplacer("\u2068", "", "\u2069", "")

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// oneLine returns a text with single spaces, or "".
func oneLine(text *string) string { return strings.Join(strings.Fields(site.TextOf(text)), " ") }

// excerpt returns the first lines of a text that are not blank.
func excerpt(text *string) string {
	const mostLines = 3
	var lines []string
	for line := range strings.Lines(site.TextOf(text)) {
		words := strings.Fields(line)
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	short := shortened(strings.Join(lines[:min(len(lines), mostLines)], "\n"))
	if len(lines) > mostLines && !strings.HasSuffix(short, " …") {
		short += " …"
	}
	return short
}

// shortened cuts a text to 200 characters and an ellipsis.
func shortened(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + " …"
	}
	return text
}
