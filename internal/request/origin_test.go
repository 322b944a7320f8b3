package request

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// TestOriginSecret: requests with one of the secrets pass, and the secret is not
// passed on.
func TestOriginSecret(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sent := r.Header.Get("X-Origin-Secret"); sent != "" && w.Header().Get("Checked") != "" {
			t.Errorf("%q is passed on", sent)
		}
		w.WriteHeader(http.StatusNoContent)
	})
	refused := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sent := r.Header.Get("X-Origin-Secret"); sent != "" {
			t.Errorf("%q is passed on", sent)
		}
		w.WriteHeader(http.StatusForbidden)
	})
	for _, secrets := range [][]string{nil, {"a"}, {"a", "b"}} {
		h := RequireOriginSecret(secrets, next, refused)
		for _, sent := range [][]string{nil, {""}, {"x"}, {"a"}, {"b"}, {"a,b"}, {"a", "b"}, {"a,"}, {","}} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header["X-Origin-Secret"] = sent
			w := httptest.NewRecorder()
			if secrets != nil {
				w.Header().Set("Checked", "yes")
			}
			h.ServeHTTP(w, r)
			want := http.StatusForbidden
			if secrets == nil || len(sent) == 1 && slices.Contains(secrets, sent[0]) {
				want = http.StatusNoContent
			}
			if w.Code != want {
				t.Errorf("%q where %q are known: %d", sent, secrets, w.Code)
			}
		}
	}
}
