package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// failing is a store in which every read goes wrong in its own way.
type failing struct {
	event.Store
	fail func() error
}

func (f failing) EventByToken(context.Context, event.Token) (event.Event, error) {
	return event.Event{}, f.fail()
}

func (f failing) Ready(context.Context) error { return f.fail() }

// TestServerFaults: what goes wrong behind the API is told in full to the log,
// under the instance of the problem, and to the client in no detail.
func TestServerFaults(t *testing.T) {
	const secret = "disk sdb1 broke"
	unavailable := errors.Join(event.ErrUnavailable, errors.New(secret))
	var nilMap map[string]int
	for name, test := range map[string]struct {
		path   string
		fail   func() error
		status int
		logged string
	}{
		"defect":      {"/api/events/" + event.NewToken().String(), func() error { return errors.New(secret) }, 500, secret},
		"panic":       {"/api/events/" + event.NewToken().String(), func() error { nilMap["x"]++; return nil }, 500, "nil map"},
		"unavailable": {"/api/events/" + event.NewToken().String(), func() error { return unavailable }, 503, secret},
		"not ready":   {"/api/health", func() error { return errors.New(secret) }, 503, secret},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			api := New(event.NewService(failing{fail: test.fail}), slog.New(slog.NewJSONHandler(&log, nil)), Endpoints()...)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.path, nil))

			if w.Code != test.status || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("answered %d %s", w.Code, w.Header().Get("Content-Type"))
			}
			if retry := w.Header().Get("Retry-After"); (retry != "") != (test.status == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After: %q with %d", retry, w.Code)
			}
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("the client is told %s", w.Body)
			}
			var p problem
			var line struct{ RequestID, Error string }
			if err := errors.Join(json.Unmarshal(w.Body.Bytes(), &p), json.Unmarshal(log.Bytes(), &line)); err != nil {
				t.Fatal(err)
			}
			if p.Type != "about:blank" || p.Title != http.StatusText(test.status) || p.Status != test.status {
				t.Errorf("problem %+v", p)
			}
			if p.Instance != "urn:uuid:"+line.RequestID || !strings.Contains(line.Error, test.logged) {
				t.Errorf("instance %s, log %s", p.Instance, &log)
			}
		})
	}
}

// TestRequestsEnd: an endpoint is told to end before Lambda ends the function.
func TestRequestsEnd(t *testing.T) {
	template, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	timeout := regexp.MustCompile(`\n    Timeout: (\d+)\n`).FindSubmatch(template)
	if timeout == nil {
		t.Fatal("the template has no timeout")
	}
	if seconds, _ := strconv.Atoi(string(timeout[1])); requestTimeout >= time.Duration(seconds)*time.Second {
		t.Errorf("a request may take %v, a function %d s", requestTimeout, seconds)
	}
	deadline := false
	e := Endpoint{Method: http.MethodGet, Path: "/", serve: func(_ *event.Service, r *http.Request) (reply, error) {
		_, deadline = r.Context().Deadline()
		return reply{status: http.StatusNoContent}, nil
	}}
	New(nil, slog.New(slog.DiscardHandler), e).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	if !deadline {
		t.Error("the request has no deadline")
	}
}

// TestNotFoundServesNothing: API Gateway may send it a request whose path, once
// decoded, is that of an endpoint.
func TestNotFoundServesNothing(t *testing.T) {
	for _, test := range []struct {
		method, path, allow string
		status              int
	}{
		{http.MethodPost, "/api/events", "", 404},
		{http.MethodGet, "/api/events", "POST", 405},
		{http.MethodPut, "/api/events/x", "GET, PATCH", 405},
		{http.MethodGet, "/api/health", "", 404},
		{http.MethodGet, "/", "", 404},
	} {
		w := httptest.NewRecorder()
		NotFound(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(test.method, test.path, nil))
		if w.Code != test.status || w.Header().Get("Allow") != test.allow {
			t.Errorf("%s %s: %d, Allow %q", test.method, test.path, w.Code, w.Header().Get("Allow"))
		}
	}
}
