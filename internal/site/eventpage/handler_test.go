package eventpage_test

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
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/site"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/pagetest"
)

// TestContract runs the suite of the pages of events in this process, so that the tests of
// this package find its defects.
func TestContract(t *testing.T) {
	service, log, mux := event.NewService(&storetest.Memory{}), slog.New(slog.DiscardHandler), http.NewServeMux()
	mux.Handle("/api/", httpapi.New(service, log, httpapi.Endpoints()...))
	mux.Handle(site.EventPages, eventpage.NewHandler(service, log, site.Config{}))
	mux.Handle(card.Path, card.NewHandler(service, log))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.SetVisitor(r.Header, "http://"+r.Host)
		mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	pagetest.Run(t, server.URL, server.URL)
}

// broken is a store whose GetEvent calls read.
type broken struct {
	event.Store
	read func() error
}

func (b broken) GetEvent(context.Context, event.Token) (event.Event, error) {
	return event.Event{}, b.read()
}

// TestStoreFails: if the store fails, the response is the app, which retries. The cause is logged.
func TestStoreFails(t *testing.T) {
	broke := errors.New("disk sdb1 broke")
	for status, read := range map[int]func() error{
		http.StatusServiceUnavailable:  func() error { return errors.Join(event.ErrUnavailable, broke) },
		http.StatusInternalServerError: func() error { panic(broke) },
	} {
		var log bytes.Buffer
		w := httptest.NewRecorder()
		service, logger := event.NewService(broken{read: read}), slog.New(slog.NewJSONHandler(&log, nil))
		pages := eventpage.NewHandler(service, logger, site.Config{})
		token, secret := event.NewToken().String(), event.NewToken().String()
		path := site.EventPages + token + "%23organizer=" + secret // some email gateways send the fragment in this form
		pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		isPage := w.Body.String() == eventpage.Page(site.Config{})
		if w.Code != status || w.Header().Get("Cache-Control") != "no-store" || !isPage {
			t.Errorf("%d, want %d: %v %s", w.Code, status, w.Header(), w.Body)
		}
		if !strings.Contains(log.String(), "disk sdb1 broke") || strings.Contains(log.String(), token) ||
			strings.Contains(log.String(), secret) {
			t.Errorf("log %s", &log)
		}
	}
}
