package site_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"turnout/internal/event"
	"turnout/internal/site"
)

// unavailable is a store that cannot answer.
type unavailable struct{ event.Store }

func (unavailable) EventByToken(context.Context, event.Token) (event.Event, error) {
	return event.Event{}, errors.Join(event.ErrUnavailable, errors.New("disk sdb1 broke"))
}

// TestStoreFails: the answer is the app, which retries; the cause is in the log.
func TestStoreFails(t *testing.T) {
	var log bytes.Buffer
	w := httptest.NewRecorder()
	pages := site.NewEventPages(event.NewService(unavailable{}), slog.New(slog.NewJSONHandler(&log, nil)))
	token := event.NewToken().String()
	pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, site.EventPages+token, nil))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Cache-Control") != "no-store" || w.Body.String() != site.Page() {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if !strings.Contains(log.String(), "disk sdb1 broke") || strings.Contains(log.String(), token) {
		t.Errorf("log %s", &log)
	}
}

// defective is a store whose reads panic.
type defective struct{ event.Store }

func (defective) EventByToken(context.Context, event.Token) (event.Event, error) { panic("a defect") }

// TestPanicIsAnswered: the answer is the app; the cause is in the log.
func TestPanicIsAnswered(t *testing.T) {
	var log bytes.Buffer
	w := httptest.NewRecorder()
	pages := site.NewEventPages(event.NewService(defective{}), slog.New(slog.NewJSONHandler(&log, nil)))
	pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, site.EventPages+event.NewToken().String(), nil))
	if w.Code != http.StatusInternalServerError || w.Header().Get("Cache-Control") != "no-store" || w.Body.String() != site.Page() {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if !strings.Contains(log.String(), "a defect") {
		t.Errorf("log %s", &log)
	}
}
