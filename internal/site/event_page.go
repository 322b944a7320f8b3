package site

import (
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"

	"turnout/internal/event"
)

// PageName is that of the folder under functions, and of the function in
// template.yaml, that serves the pages of events.
const PageName = "event-page"

// What there is below the page of an event: its picture for previews, which
// package card draws, and its address as a QR code.
const (
	CardName = "card.png"
	codeName = "qr.svg"
)

// parts finds the parts of the site's page that the page of an event replaces: the
// language, title and description, the content of main, and the end of the body.
var parts = regexp.MustCompile(`(?s)^(.*?) lang="en"(.*?)<title>.*?</title>\n<meta name="description"[^>]*>(.*?<main id="main">).*?(</main>.*)(</body>.*)$`)

// NewEventPages serves the page of each event, below EventPages, and its QR code.
// The page contains the event, and so can be read before the script has loaded, and
// without it.
func NewEventPages(s *event.Service, log *slog.Logger) http.Handler {
	page := Page()
	part := parts.FindStringSubmatch(page)
	if part == nil {
		panic("internal/site/static/index.html lacks a part that the page of an event replaces")
	}
	return EventHandler(PageName, log, func(r *http.Request) (File, error) {
		origin := r.Header.Get(OriginHeader)
		name, below, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, EventPages), "/")
		name = strings.TrimRightFunc(name, isPunctuation)
		if token, ok := event.ParseToken(name); ok && below == codeName && origin != "" {
			return code(origin + EventPages + token.String())
		}
		if below != "" {
			return File{}, event.ErrEventNotFound
		}
		e, err := s.Event(r.Context(), name)
		if err != nil {
			return File{}, err
		}
		l := LocaleOf(r.Header.Get(LanguageHeader))
		language := fmt.Sprintf(` lang="%s" dir="%s" data-colour="%d"`, l.Language(), l.Direction(), ColourOf(e.Token))
		content := part[1] + language + part[2] + preview(e, l, origin) + part[3] + eventMain(e, l, time.Now()) + part[4] + eventData(e) + part[5]
		return NewEventFile(Index, []byte(content)), nil
	}, func(int) File {
		return NewEventFile(Index, []byte(page)) // the app shows the error, and retries
	})
}

// isPunctuation is for links that were copied with the end of their sentence.
func isPunctuation(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
