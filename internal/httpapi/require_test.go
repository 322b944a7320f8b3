package httpapi

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestHost: the port and the case of a name do not matter. Any other difference does.
func TestHost(t *testing.T) {
	names := []string{"127.0.0.1", "[::1]", "localhost", "turnout.example.org"}
	for host, want := range map[string]int{
		"127.0.0.1": 204, "127.0.0.1:3000": 204, "[::1]": 204, "[::1]:80": 204, "LocalHost:3000": 204,
		"turnout.example.org": 204, "TURNOUT.example.org:443": 204,

		"": 421, ":3000": 421, "evil.example": 421, "evil.example:3000": 421, "127.0.0.1.evil.example": 421,
		"localhost.": 421, "turnout.example.org.": 421, "www.turnout.example.org": 421, "turnout.example.orgs": 421,
		"localhost:": 421, "localhost:x": 421, "localhost:99999": 421, "localhost:-1": 421, "localhost:80:80": 421,
		"evil.example:80@localhost": 421, "localhost@evil.example": 421, "localhost, evil.example": 421, " localhost": 421,
		"::1": 421, "[::1": 421, "[::]:3000": 421, "[::ffff:127.0.0.1]": 421, "0.0.0.0:3000": 421, "127.1": 421, "2130706433": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		got := statusOf(t, r, func(log *slog.Logger, next http.Handler) http.Handler {
			return RequireHost(names, log, next)
		})
		if got != want {
			t.Errorf("%q: %d", host, got)
		}
	}
}

// TestOriginSecret: a request with one of the secrets passes, and the handler does not see the secret. Other requests
// are refused.
func TestOriginSecret(t *testing.T) {
	for _, secrets := range [][]string{nil, {"a"}, {"a", "b"}} {
		for _, sent := range [][]string{nil, {""}, {"x"}, {"a"}, {"b"}, {"a,b"}, {"a", "b"}, {"a,"}, {","}} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["X-Origin-Secret"] = sent
			want := http.StatusForbidden
			if secrets == nil || len(sent) == 1 && slices.Contains(secrets, sent[0]) {
				want = http.StatusNoContent
			}
			got := statusOf(t, r, func(log *slog.Logger, next http.Handler) http.Handler {
				return RequireOriginSecret(secrets, log, next)
			})
			if passed := r.Header.Get("X-Origin-Secret"); got != want || secrets != nil && passed != "" {
				t.Errorf("%q where %q are known: %d, passed on is %q", sent, secrets, got, passed)
			}
		}
	}
}

// statusOf sends a request through a requirement, and returns the status. The status is 204 if the request passes.
// statusOf checks that a refusal is a problem document and is logged.
func statusOf(t *testing.T, r *http.Request, requirement func(*slog.Logger, http.Handler) http.Handler) int {
	t.Helper()
	var log bytes.Buffer
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	w := httptest.NewRecorder()
	requirement(slog.New(slog.NewJSONHandler(&log, nil)), next).ServeHTTP(w, r)
	refused := w.Header().Get("Content-Type") == "application/problem+json" &&
		strings.Contains(log.String(), fmt.Sprintf(`"endpoint":"refused","status":%d}`, w.Code))
	if refused != (w.Code != http.StatusNoContent) {
		t.Errorf("%d %s, log %s", w.Code, w.Body, &log)
	}
	return w.Code
}
