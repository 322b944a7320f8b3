package httpapi

import (
	"net/http"
	"net/url"

	"turnout/internal/event"
)

// organizerToken returns the query parameter of that name. A repeated one counts as missing:
// it matches no event.
func organizerToken(query url.Values) string {
	sent := query["organizerToken"]
	if len(sent) != 1 {
		return ""
	}
	return sent[0]
}

// idempotencyKey parses the header Idempotency-Key.
func idempotencyKey(r *http.Request) event.Key {
	return event.ParseKey(r.Header["Idempotency-Key"])
}
