package card

import (
	"log/slog"
	"net/http"

	"turnout/internal/event"
	"turnout/internal/site"
)

// Name is the name of the card's Lambda function in template.yaml, and of its folder under functions.
const Name = "event-card"

// Path is the path of an event's card, in the syntax of ServeMux and API Gateway.
const Path = site.EventPages + "{eventToken}/" + site.CardName

// drawing has an element for each card that is being drawn. Further requests wait, so that they do not exhaust the
// memory.
var drawing = make(chan struct{}, 2)

// NewHandler serves the cards of events at Path.
func NewHandler(s *event.Service, log *slog.Logger) http.Handler {
	return site.EventHandler(Name, log, func(r *http.Request) (site.File, error) {
		token, below := site.EventPath(r.URL.Path)
		if below != site.CardName {
			return site.File{}, event.ErrEventNotFound
		}
		e, err := s.GetEvent(r.Context(), token)
		if err != nil {
			return site.File{}, err
		}
		move, _ := site.MoveOf(r.Context(), s, e)
		select {
		case drawing <- struct{}{}:
			defer func() { <-drawing }()
		case <-r.Context().Done():
			return site.File{}, event.ErrUnavailable
		}
		content, err := Draw(e, move, s.Now())
		file := site.NewEventFile(site.CardName, content)
		if move != nil && move.Unread {
			file.CacheControl = site.NoStore
		}
		return file, err
	}, func(status int) site.File {
		return site.NewEventFile("error.txt", []byte(http.StatusText(status)+"\n"))
	})
}
