package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"

	"turnout/internal/request"
)

// originHeader carries the secret that CloudFront sets on each request, replacing a client's
// value.
const originHeader = "X-Origin-Secret"

// RequireOriginSecret passes a request to next if it carries one of the secrets, and answers
// others with the problem 403. Two secrets are valid while one replaces the other. Without
// secrets, as on a developer's machine, all requests pass.
func RequireOriginSecret(secrets []string, log *slog.Logger, next http.Handler) http.Handler {
	if len(secrets) == 0 {
		return next
	}
	var known [][sha256.Size]byte
	for _, secret := range secrets {
		known = append(known, sha256.Sum256([]byte(secret)))
	}
	refuse := func(http.ResponseWriter, *http.Request) (int, error) { return 0, errOriginSecret }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := sha256.Sum256([]byte(strings.Join(r.Header.Values(originHeader), ",")))
		r.Header.Del(originHeader)
		pass := 0
		for _, secret := range known {
			pass |= subtle.ConstantTimeCompare(sent[:], secret[:])
		}
		if pass == 1 {
			next.ServeHTTP(w, r)
		} else {
			request.Handle(log, "refused", request.Handler{Answer: refuse, Fail: fail}, w, r)
		}
	})
}
