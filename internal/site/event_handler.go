package site

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"turnout/internal/event"
	"turnout/internal/middleware"
)

// edgeCache is the cache rule of files that show an event, so that a cancellation is visible after a minute. While the
// service fails, CloudFront serves its copy for ten more minutes. A longer time would hide a cancellation.
const edgeCache = "public, max-age=60, stale-if-error=600"

// NoStore is the cache rule of files that may be different at the next request.
const NoStore = "no-store"

// CardName is the name of an event's card, below the path of the event page.
const CardName = "card.png"

// NewEventFile returns a file that is served below EventPages, with the content type of name.
func NewEventFile(name string, content []byte) File {
	file := NewFile("/"+name, content)
	file.CacheControl = edgeCache
	return file
}

// EventPath returns the token in a path below EventPages, and the name of the file below the event page, or "". As in
// src/lib/urls.ts, a token is 36 characters long, and neither a letter nor a digit follows. Other programs append text
// to links, such as the end of a sentence, a parameter, or a fragment whose # became %23.
func EventPath(path string) (token, below string) {
	const length = 36
	token = strings.TrimPrefix(path, EventPages)
	if len(token) <= length || beginsWithLetter(token[length:]) {
		return token, ""
	}
	token, below = token[:length], token[length:]
	if name, ok := strings.CutPrefix(below, "/"); ok && beginsWithLetter(name) {
		return token, name
	}
	return token, ""
}

// beginsWithLetter reports whether a text begins with a letter or a digit.
func beginsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// EventHandler serves the file that read returns for a request below EventPages. If read fails, EventHandler serves the
// file that failed returns for the status, without caching.
func EventHandler(
	endpoint string, log *slog.Logger, read func(*http.Request) (File, error), failed func(status int) File,
) http.Handler {
	write := func(w http.ResponseWriter, r *http.Request, status int, file File) int {
		setHeaders(w, SecurityHeaders)
		setHeaders(w, EventHeaders())
		w.Header().Set("Content-Type", file.ContentType)
		w.Header().Set("Cache-Control", file.CacheControl)
		w.Header().Set("Content-Length", strconv.Itoa(len(file.Content)))
		if file.ContentType == ContentTypes[".html"] { // files below an event page have no language
			w.Header().Add("Vary", "Accept-Language") // decides on LanguageHeader, which the page depends on
		}
		w.WriteHeader(status)
		if r.Method == http.MethodGet {
			_, _ = w.Write(file.Content) // the client may have closed the connection
		}
		return status
	}
	handler := middleware.Handler{
		Answer: func(w http.ResponseWriter, r *http.Request) (int, error) {
			if !readOnly(w, r) {
				return http.StatusMethodNotAllowed, nil
			}
			file, err := read(r)
			if err != nil {
				return 0, err
			}
			return write(w, r, http.StatusOK, file), nil
		},
		Fail: func(w http.ResponseWriter, r *http.Request, err error) int {
			status := statusOf(err)
			file := failed(status)
			file.CacheControl = NoStore
			return write(w, r, status, file)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		middleware.Handle(log, endpoint, handler, w, r)
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
