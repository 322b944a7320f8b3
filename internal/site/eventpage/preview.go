package eventpage

import (
	"strings"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// preview returns the title of the page and what Open Graph and Twitter's cards
// contain of the event. Messengers accept no relative addresses: without an origin,
// such as https://turnout.example.org, there is no picture.
func preview(e event.Event, l *locale.Locale, origin string) values {
	title, text := e.Title, summary(e, l)
	if e.Cancelled {
		title = plain(l.Text("state.cancelledTitle", title))
	}
	var tags []values
	tag := func(property, content string) {
		tags = append(tags, values{"property": property, "content": content})
	}
	tag("og:site_name", "Turnout")
	tag("og:type", "website")
	tag("og:locale", l.OpenGraph())
	tag("og:title", title)
	tag("og:description", text)
	if origin != "" {
		address := origin + site.EventPages + e.Token.String()
		tag("og:url", address)
		tag("og:image", address+"/"+site.CardName)
		tag("og:image:type", "image/png")
		tag("og:image:width", "1200")
		tag("og:image:height", "630")
		tag("og:image:alt", title)
	}
	return values{"title": title + " · Turnout", "description": text, "tags": tags, "cards": []values{
		{"name": "twitter:card", "content": "summary_large_image"},
		{"name": "twitter:title", "content": title},
		{"name": "twitter:description", "content": text},
	}}
}

// plain returns a text without the isolation of its values.
func plain(text string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text) }

// summary returns when and where, then what the organizer wrote: of a cancelled
// event the reason, else the first lines of the description.
func summary(e event.Event, l *locale.Locale) string {
	lines := []string{l.When(e) + " (" + locale.ZoneOf(e) + ")"}
	if place := excerpt(e.Location); place != "" {
		lines[0] += " · " + place
	}
	more := e.Description
	if e.Cancelled {
		more = e.CancellationReason
	}
	if text := excerpt(more); text != "" {
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
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
