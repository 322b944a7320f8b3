package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/card"
)

// turnout is the service with its site, on a store in memory.
func turnout(t *testing.T) http.Handler {
	t.Helper()
	files, err := bundle.Files()
	if err != nil {
		t.Fatal(err)
	}
	service, log := event.NewService(new(storetest.Memory)), slog.New(slog.DiscardHandler)
	api, pages := httpapi.New(service, log, httpapi.Endpoints()...), site.NewEventPages(service, log)
	cards, rest := card.NewHandler(service, log), site.NewHandler(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set(site.OriginHeader, "http://"+r.Host)
		switch _, token, isPage := strings.Cut(r.URL.Path, site.EventPages); {
		case strings.HasPrefix(r.URL.Path, "/api/"):
			api.ServeHTTP(w, r)
		case strings.HasSuffix(r.URL.Path, "/"+site.CardName):
			cards.ServeHTTP(w, r)
		case isPage && token != "":
			pages.ServeHTTP(w, r)
		default:
			rest.ServeHTTP(w, r)
		}
	})
}

// TestSmoke: a correct Turnout passes, and each fault of a deployment is found by the
// check for it.
func TestSmoke(t *testing.T) {
	service := turnout(t)
	problem := func(status int) func(w http.ResponseWriter, r *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(status)
			fmt.Fprint(w, `{"title":"Broken"}`)
		}
	}
	page := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<title>Turnout</title>")
	}
	without := func(header string) func(*http.Response) { return func(r *http.Response) { r.Header.Del(header) } }
	answer := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) }
	}
	var found sync.Map // the checks that failed
	isRSVP := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/rsvps") }
	for name, broken := range map[string]struct {
		at     func(r *http.Request) bool
		serve  http.HandlerFunc     // in place of Turnout
		change func(*http.Response) // what Turnout answers
		want   string
	}{
		"nothing":       {},
		"origin secret": {at: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/api") }, serve: problem(403), want: "the API answers: GET /api/health: answered 403 Broken, want 200"},
		"no table":      {at: func(r *http.Request) bool { return r.URL.Path == "/api/health" }, serve: problem(503), want: "the API answers"},
		"not ready":     {at: func(r *http.Request) bool { return r.URL.Path == "/api/health" }, serve: answer(`{"status":"starting"}`), want: `/api/health says "starting"`},
		"no JSON":       {at: func(r *http.Request) bool { return r.URL.Path == "/api/health" }, serve: page, want: "no JSON"},
		"no tokens": {at: func(r *http.Request) bool { return r.Method == "POST" && !isRSVP(r) }, change: func(r *http.Response) { r.Body = io.NopCloser(strings.NewReader("{}")) },
			want: "an event is created: the answer lacks a token"},
		"no files":           {at: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".js") }, serve: http.NotFound, want: "the site's files are served"},
		"page for script":    {at: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".js") }, serve: page, want: "the site's files are served"},
		"no page":            {at: func(r *http.Request) bool { return r.URL.Path == "/" }, serve: page, want: "the site's files are served"},
		"no headers":         {at: func(r *http.Request) bool { return r.URL.Path == "/" }, change: without("Content-Security-Policy"), want: "Content-Security-Policy"},
		"throttled":          {at: func(r *http.Request) bool { return r.Method == "POST" }, serve: problem(429), want: "an event is created"},
		"no right to write":  {at: isRSVP, serve: problem(500), want: "an RSVP is stored and counted"},
		"lost RSVP":          {at: isRSVP, serve: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(201); fmt.Fprint(w, `{"rsvpToken":"x"}`) }, want: "0 guests"},
		"no preview":         {at: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/e/") }, serve: page, want: "does not name the event"},
		"no picture":         {at: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/card.png") }, serve: http.NotFound, want: "the page of the event has its preview: GET /e/…/card.png: answered 404"},
		"page for picture":   {at: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/card.png") }, serve: page, want: "the picture of the preview is served as"},
		"indexed":            {at: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/e/") }, change: without("X-Robots-Tag"), want: "noindex"},
		"no query passed on": {at: func(r *http.Request) bool { r.URL.RawQuery = ""; return false }, want: "the list of attendees has the guest"},
		"no withdrawal":      {at: func(r *http.Request) bool { return r.Method == "DELETE" }, serve: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) }, want: "the RSVP is cancelled"},
		"no cancel":          {at: func(r *http.Request) bool { return r.Method == "PATCH" }, serve: func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) }, want: "no longer accepts RSVPs"},
		"pages for errors": {at: func(r *http.Request) bool { return r.Method == "GET" }, change: func(r *http.Response) {
			if r.StatusCode == 404 {
				r.Header.Set("Content-Type", "text/html")
			}
		}, want: "the API's 404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				isBroken := broken.at != nil && broken.at(r)
				if isBroken && broken.serve != nil {
					broken.serve(w, r)
					return
				}
				recorder := httptest.NewRecorder()
				service.ServeHTTP(recorder, r)
				response := recorder.Result()
				if isBroken && broken.change != nil {
					broken.change(response)
				}
				maps.Copy(w.Header(), response.Header)
				w.WriteHeader(response.StatusCode)
				_, _ = io.Copy(w, response.Body)
			}))
			defer server.Close()
			var out bytes.Buffer
			err := run(t.Context(), server.Client(), server.URL, 0, &out)
			if err != nil {
				what, _, _ := strings.Cut(err.Error(), ":")
				found.Store(what, true)
			}
			if broken.want == "" && err != nil || broken.want != "" && (err == nil || !strings.Contains(err.Error(), broken.want)) {
				t.Errorf("%v, want %q; it printed\n%s", err, broken.want, &out)
			}
		})
	}

	t.Cleanup(func() {
		for _, check := range (&visit{}).checks(0) {
			if _, ok := found.Load(check.what); !ok {
				t.Errorf("no fault of this test fails the check %q", check.what)
			}
		}
	})
}

// TestAddresses: what the first address answers decides whether a deployment is undone;
// a domain without its record does not.
func TestAddresses(t *testing.T) {
	const good, bad = "turnout.example.org", "broken.example.org"
	sound := httptest.NewServer(turnout(t))
	defer sound.Close()
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		switch host {
		case good:
			address = sound.Listener.Addr().String()
		case bad:
			address = broken.Listener.Addr().String()
		case "missing.example.org":
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}}
	for _, test := range []struct {
		addresses string
		status    int
		told      string
	}{
		{good, 0, ""},
		{good + " " + good, 0, ""},
		{bad, 1, "answered 404"},
		{bad + " " + good, 1, "answered 404"},
		{"missing.example.org", 3, "no such host"},
		{good + " missing.example.org", 3, "http://" + good + " is in order. Is there a record that leads from missing.example.org to it"},
		{good + " " + bad, 3, "is in order"},
	} {
		var addresses []string
		for host := range strings.FieldsSeq(test.addresses) {
			addresses = append(addresses, "http://"+host)
		}
		var told bytes.Buffer
		if got := runAll(t.Context(), client, addresses, 0, io.Discard, &told); got != test.status || !strings.Contains(told.String(), test.told) {
			t.Errorf("%s: %d, want %d; it printed %s", test.addresses, got, test.status, &told)
		}
	}
}

// TestNoTokenIsPrinted: no error contains a token.
func TestNoTokenIsPrinted(t *testing.T) {
	const token = "0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10"
	for _, broken := range []http.HandlerFunc{
		func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) },
		func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) },
	} {
		server := httptest.NewServer(broken)
		v := &visit{ctx: t.Context(), client: server.Client(), base: server.URL}
		v.event.EventToken, v.event.OrganizerToken, v.rsvp.RSVPToken = token, token, token
		for _, check := range []func() error{v.createRSVP, v.preview, v.list, v.cancelRSVP, v.cancelEvent} {
			if err := check(); err == nil || strings.Contains(err.Error(), token) {
				t.Error(err)
			}
		}
		server.Close()
	}
}

func TestAddressIsChecked(t *testing.T) {
	for _, address := range []string{"", "turnout.example.org", "ftp://example.org", "https://", "%"} {
		if err := run(t.Context(), http.DefaultClient, address, time.Minute, io.Discard); err == nil || !strings.Contains(err.Error(), "is not an address") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
