package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
)

// originHeader carries the secret that CloudFront adds to each request. CloudFront replaces a client's own value.
const originHeader = "X-Origin-Secret"

// RequireOriginSecret passes a request to next if it carries one of the secrets. Other requests get the problem 403.
// Two secrets are valid while one replaces the other. If there are no secrets, as on a developer's machine, all
// requests pass.
func RequireOriginSecret(secrets []string, log *slog.Logger, next http.Handler) http.Handler {
	if len(secrets) == 0 {
		return next
	}
	var known [][sha256.Size]byte
	for _, secret := range secrets {
		known = append(known, sha256.Sum256([]byte(secret)))
	}
	return guard(log, errOriginSecret, next, func(r *http.Request) bool {
		sent := sha256.Sum256([]byte(strings.Join(r.Header.Values(originHeader), ",")))
		r.Header.Del(originHeader)
		pass := 0
		for _, secret := range known {
			pass |= subtle.ConstantTimeCompare(sent[:], secret[:])
		}
		return pass == 1
	})
}
