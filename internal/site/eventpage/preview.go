package eventpage

import (
	"strings"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// setMetadata sets the page title and the Open Graph and Twitter tags. Messengers accept no
// relative addresses: without an origin, such as https://turnout.example.org, there is no
// picture.
func (p *page) setMetadata(e event.Event, move *site.Move, origin string) {
	title := e.Title
	switch {
	case move != nil:
		title = moveTitle(move, p.Locale)
	case e.Cancelled:
		title = plain(p.Text("state.cancelledTitle", title))
	}
	p.Title, p.Description = title+" · Turnout", summary(e, move, p.Locale)
	p.Tags = []meta{
		{"og:site_name", "Turnout"},
		{"og:type", "website"},
		{"og:locale", p.OpenGraph()},
		{"og:title", title},
		{"og:description", p.Description},
	}
	if origin != "" {
		address := origin + site.EventPages + e.Token.String()
		picture := address + "/" + site.CardName
		if e.Cancelled {
			picture += "?cancelled=1" // a new address: messengers keep the former picture
		}
		p.Tags = append(p.Tags, []meta{
			{"og:url", address},
			{"og:image", picture},
			{"og:image:type", "image/png"},
			{"og:image:width", "1200"},
			{"og:image:height", "630"},
			{"og:image:alt", title},
		}...)
	}
	p.Cards = []meta{
		{"twitter:card", "summary_large_image"},
		{"twitter:title", title},
		{"twitter:description", p.Description},
	}
}

// moveTitle has the new date, because some messengers show the title alone.
func moveTitle(move *site.Move, l *locale.Locale) string {
	title := plain(l.Text("state.movedTitle", move.To.Title))
	if move.Kind() == site.NewDate {
		title += " · " + l.Date(move.To)
	}
	return title
}

// moveNews is the first sentence of the message to guests, as in static/components/tell-guests.tsx.
func moveNews(move *site.Move, l *locale.Locale) string {
	switch move.Kind() {
	case site.NewDate:
		return plain(l.Text("tell.date", move.To.Title, l.Text("event.anywhere", l.When(move.To), locale.ZoneOf(move.To))))
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
	more := e.Description
	if e.Cancelled {
		more = new(site.Reason(e))
	}
	if move != nil {
		e = move.To
	}
	lines := []string{plain(l.Text("event.anywhere", l.When(e), locale.ZoneOf(e)))}
	if move != nil && move.Unread {
		lines[0] = l.Text("moved.unread")
	} else if place := excerpt(e.Location); place != "" {
		lines[0] += " · " + place
	}
	for _, text := range []string{host(e), excerpt(more)} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// host returns who invites, on one line, or "".
func host(e event.Event) string {
	if e.Host == nil {
		return ""
	}
	return strings.Join(strings.Fields(*e.Host), " ")
}

const (
	excerptLines = 3
	excerptRunes = 200
)

// excerpt returns the first lines of a text that are not blank.
func excerpt(text *string) string {
	if text == nil {
		return ""
	}
	var lines []string
	for line := range strings.Lines(*text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
		if len(lines) > excerptLines {
			break
		}
	}
	more := len(lines) > excerptLines
	lines = lines[:min(len(lines), excerptLines)]
	runes := []rune(strings.Join(lines, "\n"))
	if len(runes) > excerptRunes {
		runes, more = runes[:excerptRunes], true
	}
	if more {
		return strings.TrimSpace(string(runes)) + " …"
	}
	return string(runes)
}
