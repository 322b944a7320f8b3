package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"

	"turnout/internal/httpapi"
)

// originHeader carries the secret that CloudFront adds to each request. What a
// visitor sends under this name, CloudFront replaces.
const originHeader = "X-Origin-Secret"

// FrontDoor lets those requests pass to h that carry one of the secrets, which
// are separated by commas: two while one is being replaced by the other. Without
// any, as on a developer's machine, all pass.
func FrontDoor(secrets string, log *slog.Logger, h http.Handler) http.Handler {
	if secrets == "" {
		return h
	}
	var known [][sha256.Size]byte
	for secret := range strings.SplitSeq(secrets, ",") {
		if secret != "" { // which a request without the header would know
			known = append(known, sha256.Sum256([]byte(secret)))
		}
	}
	refused := httpapi.Refuse(log)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := sha256.Sum256([]byte(strings.Join(r.Header.Values(originHeader), ",")))
		r.Header.Del(originHeader)
		pass := 0
		for _, secret := range known {
			pass |= subtle.ConstantTimeCompare(sent[:], secret[:])
		}
		if pass == 1 {
			h.ServeHTTP(w, r)
		} else {
			refused.ServeHTTP(w, r)
		}
	})
}
