package browser

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// Chromium resends a POST by itself when a kept connection breaks after the
// service has stored it: one tap, one fetch, two requests (promise P24).
func TestRequestThatArrivesTwiceIsDoneOnce(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	upstream, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	var posts atomic.Int32
	forward := httputil.NewSingleHostReverseProxy(upstream)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || posts.Add(1) > 1 {
			forward.ServeHTTP(w, r)
			return
		}
		stored := httptest.NewRecorder()
		forward.ServeHTTP(stored, r)
		if stored.Code != http.StatusCreated {
			t.Errorf("the service answered %d", stored.Code)
		}
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = connection.Close()
	}))
	t.Cleanup(proxy.Close)
	needBrowser(t)
	v := visitorAt(t, proxy.URL, manner{})
	v.Open(event.public())
	submit(v, "Anna")
	v.Sees("You’re coming")
	v.Sees("1 is coming")
	if posts.Load() < 2 {
		t.Error("the request arrived once: nothing was tested")
	}
	hasGuests(t, event, 1)
}
