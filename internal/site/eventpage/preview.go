package eventpage

import (
	"slices"
	"strings"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// heading is the title of a preview. That of a move has the new date, because some messengers show the title alone.
func heading(e event.Event, move *site.Move, l *locale.Locale) string {
	switch {
	case move != nil:
		title := plain(l.Text("state.movedTitle", move.To.Title))
		if move.Kind() == site.NewDate {
			title += " · " + l.Date(move.To)
		}
		return title
	case e.Cancelled:
		return plain(l.Text("state.cancelledTitle", e.Title))
	}
	return e.Title
}

// moveNews is the first sentence of the message to guests, as in static/components/share-panel.tsx.
func moveNews(move *site.Move, l *locale.Locale) string {
	switch move.Kind() {
	case site.NewDate:
		when := l.Text("event.anywhere", l.When(move.To), locale.ZoneOf(move.To))
		return plain(l.Text("tell.date", move.To.Title, when))
	case site.NewPlace:
		return plain(l.Text("tell.place", move.To.Title, *move.To.Location))
	}
	return plain(l.Text("state.movedTitle", move.To.Title))
}

// plain returns a text without the isolation of its values.
func plain(text string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text) }

// summary returns date and place, the host, then the organizer's words: the reason of a cancelled event,
// else the first lines of the description. Of a move it returns the facts of the new event, and why.
func summary(e event.Event, move *site.Move, l *locale.Locale) string {
	words := e.Description
	if e.Cancelled {
		words = e.CancellationReason
	}
	shown := e
	if move != nil {
		shown = move.To
	}
	when := plain(l.Text("event.anywhere", l.When(shown), locale.ZoneOf(shown)))
	facts := joined(" · ", when, excerpt(shown.Location))
	if move != nil && move.Unread {
		facts = l.Text("moved.unread")
	}
	return joined("\n", facts, host(shown), excerpt(words))
}

// joined joins texts, but for those that are empty.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// host returns who invites, on one line, or "".
func host(e event.Event) string {
	return strings.Join(strings.Fields(site.TextOf(e.Host)), " ")
}

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
