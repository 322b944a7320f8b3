package site

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode"

	"turnout/internal/event"
)

// PageName is that of the folder under functions, and of the function in
// template.yaml, that serves the pages of events.
const PageName = "event-page"

// What there is below the page of an event: its picture for previews, which
// package card draws, its address as a QR code, and its entry for calendars.
const (
	CardName     = "card.png"
	codeName     = "qr.svg"
	calendarName = "event.ics"
)

// NewEventPages serves the page of each event, below EventPages, its QR code and its
// entry for calendars.
// The page contains the event, and so can be read before the script has loaded, and
// without it.
func NewEventPages(s *event.Service, log *slog.Logger) http.Handler {
	page := Page()
	part := partsOf(page)
	return EventHandler(PageName, log, func(r *http.Request) (File, error) {
		origin := r.Header.Get(OriginHeader)
		name, below, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, EventPages), "/")
		name = strings.TrimRightFunc(name, isPunctuation)
		if token, ok := event.ParseToken(name); ok && below == codeName && origin != "" {
			return code(origin + EventPages + token.String())
		}
		if below != "" && (below != calendarName || origin == "") {
			return File{}, event.ErrEventNotFound
		}
		e, err := s.Event(r.Context(), name)
		if err != nil {
			return File{}, err
		}
		if below == calendarName {
			return calendar(e, origin, time.Now())
		}
		l := LocaleFor(r, e)
		language := fmt.Sprintf(` lang="%s" dir="%s" data-tag="%s" data-colour="%d"`, l.Lang(), l.Direction(), l.Tag, ColourOf(e.Token))
		content := part[0] + language + part[1] + preview(e, l, origin) + part[2] + eventMain(e, l, time.Now()) + part[3] + eventData(e) + part[4]
		return NewEventFile(Index, []byte(content)), nil
	}, func(int) File {
		return NewEventFile(Index, []byte(page)) // the app shows the error, and retries
	})
}

// partsOf returns what is around the parts of the site's page that the page of an event
// replaces: the language, title and description, the content of main, and the end of the
// body. A regular expression would take a millisecond of each start of the function.
func partsOf(page string) (part [5]string) {
	until := func(mark string) string {
		before, after, ok := strings.Cut(page, mark)
		if !ok {
			must(fmt.Errorf("internal/site/static/index.html lacks %s", mark))
		}
		page = after
		return before
	}
	part[0] = until(` lang="en"`)
	part[1] = until("<title>")
	until(`<meta name="viewport"`)
	part[2] = `<meta name="viewport"` + until(`<main id="main">`) + `<main id="main">`
	until("</main>")
	part[3] = "</main>" + until("</body>")
	part[4] = "</body>" + page
	return part
}

// isPunctuation is for links that were copied with the end of their sentence.
func isPunctuation(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
