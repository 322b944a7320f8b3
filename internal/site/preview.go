package site

import (
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"turnout/internal/event"
	"turnout/internal/request"
)

// PreviewName is that of the folder under functions, and of the function in template.yaml.
const PreviewName = "share-event"

// edgeCache is how long a preview may be kept: after it a cancellation shows.
const edgeCache = "public, max-age=60"

// own finds what the page says of itself, which the preview replaces.
var own = regexp.MustCompile(`(?s)<title>.*?</title>(\s*<meta name="description"[^>]*>)?`)

// NewPreview serves the pages below EventPages. The preview has a picture and an
// address where siteURL, such as https://turnout.example.org, is known: messengers
// take no relative ones.
func NewPreview(s *event.Service, log *slog.Logger, siteURL string) http.Handler {
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
		e, err := s.Event(r.Context(), strings.TrimPrefix(r.URL.Path, EventPages))
		if err != nil {
			return 0, err
		}
		return writePage(w, r, http.StatusOK, edgeCache, before+preview(e, siteURL)+after), nil
	}
	// The app shows what is wrong, and tries again by itself.
	fail := func(w http.ResponseWriter, r *http.Request, err error) int {
		return writePage(w, r, statusOf(err), "no-store", page)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request.Handle(log, PreviewName, request.Answerer{Answer: answer, Fail: fail}, w, r)
	})
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, event.ErrEventNotFound):
		return http.StatusNotFound
	case errors.Is(err, event.ErrUnavailable):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

func writePage(w http.ResponseWriter, r *http.Request, status int, cache, page string) int {
	setHeaders(w, SecurityHeaders)
	setHeaders(w, EventHeaders)
	w.Header().Set("Cache-Control", cache)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, page) // the client may have gone
	}
	return status
}

// preview returns the title of the page and what Open Graph and Twitter's cards
// tell of the event.
func preview(e event.Event, siteURL string) string {
	title, text := e.Title, summary(e)
	if e.Cancelled {
		title = "Cancelled: " + title
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s · Turnout</title>", html.EscapeString(title))
	tag := func(kind, name, content string) {
		fmt.Fprintf(&b, "\n<meta %s=\"%s\" content=\"%s\">", kind, name, html.EscapeString(content))
	}
	tag("name", "description", text)
	tag("property", "og:site_name", "Turnout")
	tag("property", "og:type", "website")
	tag("property", "og:title", title)
	tag("property", "og:description", text)
	if siteURL != "" {
		tag("property", "og:url", siteURL+EventPages+e.Token.String())
		tag("property", "og:image", siteURL+"/icon-512.png")
	}
	tag("name", "twitter:card", "summary")
	tag("name", "twitter:title", title)
	tag("name", "twitter:description", text)
	return b.String()
}

// summary says when and where, then what the organizer wrote: of a cancelled
// event the reason, else the first lines of the description.
func summary(e event.Event) string {
	lines := []string{when(e)}
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

// when is the date in the zone of the event.
func when(e event.Event) string {
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(e.DateTime))
	if err != nil {
		return e.DateTime
	}
	if zone, err := time.LoadLocation(e.Timezone); err == nil {
		at = at.In(zone)
	}
	return at.Format("Monday, 2 January 2006, 15:04") + " (" + e.Timezone + ")"
}

const (
	excerptLines = 3
	excerptRunes = 200
)

// excerpt returns the first lines of a text that hold anything.
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
