package site

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"turnout/internal/event"
)

// PageName is that of the folder under functions, and of the function in
// template.yaml, that serves the pages of events.
const PageName = "event-page"

// What is served below the page of an event: its picture for previews, which package card
// draws, its address as a QR code, and its entry for calendars.
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
		go frame()        // reads all sources, at the first request: in the time that the event needs
		now := time.Now() // before the read: what the page shows is no older
		e, err := s.Event(r.Context(), name)
		if err != nil {
			return File{}, err
		}
		if below == calendarName {
			return calendar(e, origin, now)
		}
		l := LocaleFor(r, e)
		colour := ColourOf(e.Title)
		page := pageTemplate().render(l, frame(), Colours[colour].bars(), preview(e, l, origin), values{
			"language": l.Lang(), "direction": l.Direction(), "tag": l.Tag, "colour": strconv.Itoa(colour),
			"texts": Names()["/locales/"+l.Language()+".json"], "event": eventValues(e, l, origin, now), "data": eventData(e), "at": strconv.FormatInt(now.UnixMilli(), 10),
		})
		return NewEventFile(Index, []byte(page)), nil
	}, func(int) File {
		return NewEventFile(Index, []byte(Page())) // the app shows the error, and retries
	})
}

// isPunctuation is for links that were copied with the end of their sentence.
func isPunctuation(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
