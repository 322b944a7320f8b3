package eventpage

import (
	"cmp"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// Name is the name of the event pages' Lambda function in template.yaml, and of its folder in functions.
const Name = "event-page"

// Names of the files below an event page: the QR code of the page's URL, and the event as a calendar.
const (
	codeName     = "qr.svg"
	calendarName = "event.ics"
)

// NewHandler serves event pages, below site.EventPages, with their QR codes and calendars. A page contains the event,
// so that it can be read before the script has loaded, and without the script.
func NewHandler(s *event.Service, log *slog.Logger, c site.Config) http.Handler {
	app := sync.OnceValue(func() []byte { return []byte(Page(c)) })
	return site.EventHandler(Name, log, func(r *http.Request) (site.File, error) {
		c := c // of this request
		c.Origin = cmp.Or(c.Origin, r.Header.Get(site.OriginHeader))
		name, below := site.EventPath(r.URL.Path)
		if token, ok := event.ParseToken(name); ok && below == codeName && c.Origin != "" {
			return code(c.Origin + site.EventPages + token.String())
		}
		if below != "" && (below != calendarName || c.Origin == "") {
			return site.File{}, event.ErrEventNotFound
		}
		go app()       // prepares the shared parts of pages while the event is read; only the first call works
		now := s.Now() // read the clock first, so that the page does not claim to be newer than its facts
		e, err := s.GetEvent(r.Context(), name)
		if err != nil {
			return site.File{}, err
		}
		move, way := site.MoveOf(r.Context(), s, e)
		var file site.File
		if below == calendarName {
			file, err = calendar(e, move, way, c.Origin, now)
		} else {
			file, err = pageOf(e, move, way, locale.Of(r.Header.Get(site.LanguageHeader)), c, now)
		}
		if move != nil && move.Unread {
			file.CacheControl = site.NoStore
		}
		return file, err
	}, func(int) site.File {
		return site.NewEventFile(site.Index, app()) // the app shows the error, and retries
	})
}

// pageOf returns an event's page as of now. If the event has moved, the page shows the move and the events on the way.
func pageOf(
	e event.Event, move *site.Move, way []*event.Event, l *locale.Locale, c site.Config, now time.Time,
) (site.File, error) {
	colour := site.ColourOf(e.Title)
	shown := previewOf(e, move, now)
	p := page{
		Locale: l, frame: frameOf(), Config: c, Colour: strconv.Itoa(colour), Event: eventOf(e, move, way, l, now),
		Heading: shown.heading(), Description: shown.summary(),
	}
	poster := site.Colours[colour]
	if p.Event.Cancelled {
		poster = poster.Grey()
	}
	p.Day, p.Night = poster.Bars()
	if c.Origin != "" {
		p.Address = c.Origin + pathOf(e)
		p.Picture = p.Address + "/" + site.CardName
		if e.Cancelled {
			p.Picture += "?cancelled=1" // a new URL, because messengers cache the former card
		}
	}
	content, err := p.render()
	return site.NewEventFile(site.Index, content), err
}
