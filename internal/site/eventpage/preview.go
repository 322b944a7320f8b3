package eventpage

import (
	"fmt"
	"slices"
	"strings"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// A preview has no language: a messenger asks for none, and all readers of a message get the same. It has the
// organizer's words and digits. Marks, which screen readers name in the reader's language, say what holds and what no
// longer does.
const (
	holds  = "✅"
	former = "❌"
)

// mark puts a mark before a text, if there is one.
func mark(mark, text string) string {
	if text == "" {
		return ""
	}
	return mark + " " + text
}

// heading is the title of a preview, with what a move has changed, because some messengers show the title alone.
func heading(e event.Event, move *site.Move) string {
	switch {
	case move != nil:
		return joined(" · ", move.To.Title, changeOf(move))
	case e.Cancelled:
		return mark(former, e.Title)
	}
	return e.Title
}

// changeOf returns the date or the place before and after a move. The mark of direction keeps the order of the digits
// after a title in Arabic.
func changeOf(move *site.Move) string {
	var to, from string
	switch {
	case move.Unread:
		from = locale.ISO(move.From)
	case move.Kind() == site.NewDate:
		to, from = locale.ISO(move.To), locale.ISO(move.From)
	case move.Kind() == site.NewPlace:
		to, from = oneLine(move.To.Location), oneLine(move.From.Location)
	default:
		return ""
	}
	return "\u200e" + joined(" ", mark(holds, to), mark(former, from))
}

// summary returns date and place, the host, then the organizer's words: the reason of a cancelled event,
// else the first lines of the description. Of a move it returns the facts of the new event, and why.
func summary(e event.Event, move *site.Move) string {
	words := e.Description
	if e.Cancelled {
		words = e.CancellationReason
	}
	shown := e
	if move != nil {
		shown = move.To
	}
	return joined("\n", factsOf(e, move), oneLine(shown.Host), excerpt(words))
}

// factsOf returns date and place of an event, or of the one that it has moved to, if they are known.
func factsOf(e event.Event, move *site.Move) string {
	if move != nil {
		if move.Unread {
			return ""
		}
		e = move.To
	}
	when := fmt.Sprintf("%s (%s)", locale.ISO(e), locale.ZoneOf(e))
	return joined(" · ", when, excerpt(e.Location))
}

// joined joins texts, but for those that are empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// oneLine returns a text with single spaces, or "".
func oneLine(text *string) string { return strings.Join(strings.Fields(site.TextOf(text)), " ") }

// excerpt returns the first lines of a text that are not blank.
func excerpt(text *string) string {
	const mostLines, mostRunes = 3, 200
	var lines []string
	for line := range strings.Lines(site.TextOf(text)) {
		words := strings.Fields(line)
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	first := []rune(strings.Join(lines[:min(len(lines), mostLines)], "\n"))
	short := string(first[:min(len(first), mostRunes)])
	if short != strings.Join(lines, "\n") {
		return strings.TrimSpace(short) + " …"
	}
	return short
}
