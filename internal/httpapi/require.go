package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"turnout/internal/middleware"
)

// RequireHost passes a request to next if its Host is one of the names, with any port. Other requests get the problem
// 421. Without this check, a web page whose own name was made to resolve to this machine (DNS rebinding) could read the
// server's responses.
func RequireHost(names []string, log *slog.Logger, next http.Handler) http.Handler {
	return require(log, errMisdirected, next, func(r *http.Request) bool {
		return slices.Contains(names, hostName(r.Host))
	})
}

// hostName returns a Host without its port, in lower case, or "" if the port is not a number.
func hostName(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		if _, err := strconv.ParseUint(host[i+1:], 10, 16); err != nil {
			return ""
		}
		host = host[:i]
	}
	return strings.ToLower(host)
}

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
	return require(log, errOriginSecret, next, func(r *http.Request) bool {
		sent := sha256.Sum256([]byte(strings.Join(r.Header.Values(originHeader), ",")))
		r.Header.Del(originHeader)
		pass := 0
		for _, secret := range known {
			pass |= subtle.ConstantTimeCompare(sent[:], secret[:])
		}
		return pass == 1
	})
}

// require passes requests to next if pass accepts them. Other requests get the problem of err.
func require(log *slog.Logger, err error, next http.Handler, pass func(*http.Request) bool) http.Handler {
	refuse := func(http.ResponseWriter, *http.Request) (int, error) { return 0, err }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pass(r) {
			next.ServeHTTP(w, r)
		} else {
			middleware.Handle(log, "refused", middleware.Handler{Answer: refuse, Fail: fail}, w, r)
		}
	})
}
