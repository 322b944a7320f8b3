package site_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"turnout/internal/bolt"
	"turnout/internal/event"
	"turnout/internal/site"
)

// TestPictureAndAddress are there where the site has an address, and nowhere else.
func TestPictureAndAddress(t *testing.T) {
	store, err := bolt.Open(filepath.Join(t.TempDir(), "turnout.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	service := event.NewService(store)
	text := func(s string) event.Field[string] { return event.Field[string]{Value: &s} }
	e, _, err := service.CreateEvent(t.Context(), event.CreateEventInput{Title: text("Picnic"), DateTime: text("2027-05-01T12:00:00Z"), Timezone: text("UTC")}, event.Key{})
	if err != nil {
		t.Fatal(err)
	}
	path := site.EventPages + e.Token.String()
	for siteURL, want := range map[string]int{"https://turnout.example.org": 1, "": 0} {
		w := httptest.NewRecorder()
		site.NewPreview(service, slog.New(slog.DiscardHandler), siteURL).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		for _, tag := range []string{
			`<meta property="og:url" content="https://turnout.example.org` + path + `">`,
			`<meta property="og:image" content="https://turnout.example.org/icon-512.png">`,
		} {
			if got := strings.Count(w.Body.String(), tag); got != want {
				t.Errorf("%q: %d times %s", siteURL, got, tag)
			}
		}
		if got := strings.Count(w.Body.String(), "og:url") + strings.Count(w.Body.String(), "og:image"); got != 2*want {
			t.Errorf("%q: %d tags with an address", siteURL, got)
		}
	}
	if _, err := fs.Stat(site.Source, "icon-512.png"); err != nil {
		t.Error(err)
	}
}

// unavailable is a store that cannot answer.
type unavailable struct{ event.Store }

func (unavailable) EventByToken(context.Context, event.Token) (event.Event, error) {
	return event.Event{}, errors.Join(event.ErrUnavailable, errors.New("disk sdb1 broke"))
}

// TestStoreFails: the visitor gets the app, which tries by itself; the log gets the reason.
func TestStoreFails(t *testing.T) {
	var log bytes.Buffer
	w := httptest.NewRecorder()
	pages := site.NewPreview(event.NewService(unavailable{}), slog.New(slog.NewJSONHandler(&log, nil)), "")
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

// TestPreviewSurvivesAPanic: the visitor gets the app, and the log line the reason.
func TestPreviewSurvivesAPanic(t *testing.T) {
	var log bytes.Buffer
	w := httptest.NewRecorder()
	pages := site.NewPreview(event.NewService(defective{}), slog.New(slog.NewJSONHandler(&log, nil)), "")
	pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, site.EventPages+event.NewToken().String(), nil))
	if w.Code != http.StatusInternalServerError || w.Header().Get("Cache-Control") != "no-store" || w.Body.String() != site.Page() {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if !strings.Contains(log.String(), "a defect") {
		t.Errorf("log %s", &log)
	}
}
