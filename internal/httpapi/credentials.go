package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"turnout/internal/event"
)

// organizerToken returns the query parameter organizerToken. A repeated parameter is no token.
func organizerToken(query url.Values) string {
	return strings.Join(query["organizerToken"], ",")
}

// idempotencyKey parses the header Idempotency-Key.
func idempotencyKey(r *http.Request) event.Key {
	return event.ParseKey(r.Header["Idempotency-Key"])
}
