package site_test

import (
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
	"turnout/internal/site/previewtest"
)

// TestContract runs the suite of the pages of events in this process, so that the
// tests of this package find what breaks them.
func TestContract(t *testing.T) {
	service, log := event.NewService(&storetest.Memory{}), slog.New(slog.DiscardHandler)
	api := httpapi.New(service, log, httpapi.Endpoints()...)
	pages, cards := site.NewEventPages(service, log), card.NewHandler(service, log)
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(site.OriginHeader, server.URL)
		r.Header.Set(site.LanguageHeader, site.Language(r.Header.Get("Accept-Language")))
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			api.ServeHTTP(w, r)
		case strings.HasSuffix(r.URL.Path, "/"+site.CardName):
			cards.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	previewtest.Run(t, server.URL, server.URL)
}
