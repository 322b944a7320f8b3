package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"turnout/internal/event"
)

// failing is a store whose reads all fail.
type failing struct {
	event.Store
	fail func() error
}

func (f failing) GetEvent(context.Context, event.Token) (event.Event, error) {
	return event.Event{}, f.fail()
}

func (f failing) Health(context.Context) error { return f.fail() }

// TestServerFaults: the cause of a 5xx is logged under the instance of the problem, and is not in the response.
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
		"no health":   {"/api/health", func() error { return unavailable }, 503, secret},
		"not ready":   {"/api/health", func() error { return errors.New(secret) }, 503, secret},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			service := event.NewService(failing{fail: test.fail})
			api := New(service, slog.New(slog.NewJSONHandler(&log, nil)), Endpoints()...)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.path, nil))

			if w.Code != test.status || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("answered %d %s", w.Code, w.Header().Get("Content-Type"))
			}
			if retry := w.Header().Get("Retry-After"); (retry != "") != (test.status == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After: %q with %d", retry, w.Code)
			}
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("the answer contains the cause: %s", w.Body)
			}
			var p problem
			var line struct{ RequestID, Error string }
			if err := errors.Join(json.Unmarshal(w.Body.Bytes(), &p), json.Unmarshal(log.Bytes(), &line)); err != nil {
				t.Fatal(err)
			}
			if p.Type != "about:blank" || p.Title != http.StatusText(test.status) || p.Status != test.status {
				t.Errorf("problem %+v", p)
			}
			if p.Instance != "urn:uuid:"+line.RequestID || !strings.Contains(line.Error, test.logged) ||
				strings.Count(line.Error, event.ErrUnavailable.Error()) > 1 {
				t.Errorf("instance %s, log %s", p.Instance, &log)
			}
		})
	}
}

// TestNotFoundServesNothing: API Gateway may route a request to NotFound although the decoded path is an endpoint's.
// NotFound does not serve it.
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

// TestBodyBreaksOff: if a body stops before its end, the response asks for another attempt, and the log does not count
// a fault of the service. The cause contains the client's address, so it is not logged. infra/turnout tests the cases
// that net/http distinguishes.
func TestBodyBreaksOff(t *testing.T) {
	client := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}
	reset := &net.OpError{Op: "read", Addr: client, Err: syscall.ECONNRESET}
	for _, cause := range []error{io.ErrUnexpectedEOF, reset} {
		var log bytes.Buffer
		broken := io.MultiReader(strings.NewReader(`{"title":`), iotest.ErrReader(cause))
		w := httptest.NewRecorder()
		api := New(nil, slog.New(slog.NewTextHandler(&log, nil)), CreateEvent)
		api.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/events", broken))
		again := w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "1"
		if !again || !strings.HasSuffix(log.String(), "status=499\n") {
			t.Errorf("%v: %d %s, log %s", cause, w.Code, w.Body, &log)
		}
	}
}
