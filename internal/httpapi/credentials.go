package httpapi

import (
	"net/http"
	"net/url"

	"turnout/internal/event"
)

// organizerToken returns the query parameter of that name. One that is sent more
// than once is like one that is missing: it matches no event.
func organizerToken(query url.Values) string {
	sent := query["organizerToken"]
	if len(sent) != 1 {
		return ""
	}
	return sent[0]
}

// idempotencyKey returns the key that the header of that name holds.
func idempotencyKey(r *http.Request) event.Key {
	return event.ParseKey(r.Header["Idempotency-Key"])
}
