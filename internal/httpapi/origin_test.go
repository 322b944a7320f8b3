package httpapi

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestOriginSecret: requests with one of the secrets pass, without it. The others are
// answered with a problem, and logged as refused.
func TestOriginSecret(t *testing.T) {
	for _, secrets := range [][]string{nil, {"a"}, {"a", "b"}} {
		for _, sent := range [][]string{nil, {""}, {"x"}, {"a"}, {"b"}, {"a,b"}, {"a", "b"}, {"a,"}, {","}} {
			passed := ""
			next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				passed = r.Header.Get("X-Origin-Secret")
				w.WriteHeader(http.StatusNoContent)
			})
			var log bytes.Buffer
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["X-Origin-Secret"] = sent
			w := httptest.NewRecorder()
			RequireOriginSecret(secrets, slog.New(slog.NewJSONHandler(&log, nil)), next).ServeHTTP(w, r)

			if secrets == nil || len(sent) == 1 && slices.Contains(secrets, sent[0]) {
				if w.Code != http.StatusNoContent || secrets != nil && passed != "" {
					t.Errorf("%q where %q are known: %d, passed on is %q", sent, secrets, w.Code, passed)
				}
				continue
			}
			if w.Code != http.StatusForbidden || w.Header().Get("Content-Type") != "application/problem+json" ||
				!strings.Contains(log.String(), `"endpoint":"refused","status":403}`) {
				t.Errorf("%q where %q are known: %d %s, log %s", sent, secrets, w.Code, w.Body, &log)
			}
		}
	}
}
