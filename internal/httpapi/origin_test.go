package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

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
			got := guarded(t, r, func(log *slog.Logger, next http.Handler) http.Handler {
				return RequireOriginSecret(secrets, log, next)
			})
			if passed := r.Header.Get("X-Origin-Secret"); got != want || secrets != nil && passed != "" {
				t.Errorf("%q where %q are known: %d, passed on is %q", sent, secrets, got, passed)
			}
		}
	}
}
