package site

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"

	"turnout/internal/event"
	"turnout/internal/request"
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

// edgeCache is how long a page may be kept: after it a cancellation shows.
const edgeCache = "public, max-age=60"

// own finds what the page says of itself, which the preview replaces.
var own = regexp.MustCompile(`(?s)<title>.*?</title>(\s*<meta name="description"[^>]*>)?`)

// NewEventPages serves the page of each event, below EventPages, and its QR code.
func NewEventPages(s *event.Service, log *slog.Logger) http.Handler {
	page := Page()
	at := own.FindStringIndex(page)
	if at == nil {
		panic("internal/site/static/index.html has no title") // a defect of this program, which every test finds
	}
	before, after := page[:at[0]], page[at[1]:]
	answer := func(w http.ResponseWriter, r *http.Request) (int, error) {
		if !readOnly(w, r) {
			return http.StatusMethodNotAllowed, nil
		}
		origin := r.Header.Get(OriginHeader)
		name, below, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, EventPages), "/")
		if token, ok := event.ParseToken(name); ok && below == codeName && origin != "" {
			return writeCode(w, r, origin+EventPages+token.String())
		}
		if below != "" {
			return 0, event.ErrEventNotFound
		}
		e, err := s.Event(r.Context(), name)
		if err != nil {
			return 0, err
		}
		return write(w, r, http.StatusOK, ".html", edgeCache, before+preview(e, origin)+after), nil
	}
	// The app shows what is wrong, and tries again by itself.
	fail := func(w http.ResponseWriter, r *http.Request, err error) int {
		return write(w, r, StatusOf(err), ".html", "no-store", page)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request.Handle(log, PageName, request.Answerer{Answer: answer, Fail: fail}, w, r)
	})
}

// StatusOf returns the status for an error of reading an event.
func StatusOf(err error) int {
	switch {
	case errors.Is(err, event.ErrEventNotFound):
		return http.StatusNotFound
	case errors.Is(err, event.ErrUnavailable):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// write answers with what belongs to an event, and returns the status.
func write(w http.ResponseWriter, r *http.Request, status int, kind, cache, content string) int {
	setHeaders(w, SecurityHeaders)
	setHeaders(w, EventHeaders)
	w.Header().Set("Cache-Control", cache)
	w.Header().Set("Content-Type", ContentTypes[kind])
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, content) // the client may have gone
	}
	return status
}
