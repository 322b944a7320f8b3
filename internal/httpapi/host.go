package httpapi

import (
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"turnout/internal/request"
)

// RequireHost passes a request to next if its Host is one of the names, with any port. Other requests get the problem
// 421. Without this check, a web page whose own name was made to resolve to this machine (DNS rebinding) could read the
// server's responses.
func RequireHost(names []string, log *slog.Logger, next http.Handler) http.Handler {
	return guard(log, errMisdirected, next, func(r *http.Request) bool {
		return slices.Contains(names, hostName(r.Host))
	})
}

// guard passes requests to next if pass accepts them. Other requests get the problem of err.
func guard(log *slog.Logger, err error, next http.Handler, pass func(*http.Request) bool) http.Handler {
	refuse := func(http.ResponseWriter, *http.Request) (int, error) { return 0, err }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pass(r) {
			next.ServeHTTP(w, r)
		} else {
			request.Handle(log, "refused", request.Handler{Answer: refuse, Fail: fail}, w, r)
		}
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
