package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/card"
	"turnout/internal/site/eventpage"
)

// turnout is the service with its site, on a store in memory.
func turnout(t *testing.T) http.Handler {
	t.Helper()
	files, err := bundle.Files()
	service, log := event.NewService(new(storetest.Memory)), slog.New(slog.DiscardHandler)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", httpapi.New(service, log, httpapi.Endpoints()...))
	mux.Handle(site.EventPages+"{token}", eventpage.NewHandler(service, log))
	mux.Handle(site.EventPages+"{token}/"+site.CardName, card.NewHandler(service, log))
	mux.Handle("/", site.NewHandler(files))
	return mux
}

// fault changes the answers to some requests.
type fault struct {
	at     func(r *http.Request) bool
	change func(*http.Response)
}

// check checks a Turnout with a fault.
func (f fault) check(service http.Handler) error {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hit := f.at(r)
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, r)
		response := recorder.Result()
		if hit {
			f.change(response)
		}
		maps.Copy(w.Header(), response.Header)
		w.Header().Del("Content-Length") // a fault may change it
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	}))
	defer server.Close()
	return run(server.Client(), server.URL, 0, io.Discard)
}

func body(text string) func(*http.Response) {
	return func(r *http.Response) { r.Header.Del("Content-Length"); r.Body = io.NopCloser(strings.NewReader(text)) }
}

// TestEachStepFails: by the status, the media type and the member of its answer. No error has a token.
func TestEachStepFails(t *testing.T) {
	service := turnout(t)
	token := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4`)
	for n, s := range steps {
		faults := []func(*http.Response){func(r *http.Response) { r.StatusCode = http.StatusInternalServerError }}
		if s.media != "" {
			faults = append(faults, func(r *http.Response) { r.Header.Set("Content-Type", "text/plain") })
		}
		if s.member != "" {
			faults = append(faults, body(`{}`))
		}
		for number, change := range faults {
			requests := -1
			err := fault{change: change, at: func(r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, "/assets/") {
					requests++
				}
				return requests == n
			}}.check(service)
			if err == nil || !strings.HasPrefix(err.Error(), s.shows+": ") || token.MatchString(strings.ReplaceAll(err.Error(), s.path, "")) {
				t.Errorf("%s, fault %d: %v", s.shows, number, err)
			}
		}
	}
}

// TestFaults of a deployment that a single answer does not show, or that a page has.
func TestFaults(t *testing.T) {
	service := turnout(t)
	below := func(path string) func(*http.Request) bool {
		return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, path) }
	}
	home := func(r *http.Request) bool { return r.URL.Path == "/" }
	for want, f := range map[string]fault{
		"":                             {at: func(*http.Request) bool { return false }},
		"the organizer sees the guest": {at: func(r *http.Request) bool { r.URL.RawQuery = ""; return false }},
		"the site is served: GET /: /": {below("/assets/"), func(r *http.Response) { r.StatusCode = http.StatusNotFound }},
		"the site is served: GET /: the page loads no": {home, body("<title>Turnout</title>")},
		"lacks the header Content-Security-Policy":     {home, func(r *http.Response) { r.Header.Del("Content-Security-Policy") }},
		"does not name the event":                      {below("/e/"), body("<title>Turnout</title>")},
		"lacks the header X-Robots-Tag":                {below("/e/"), func(r *http.Response) { r.Header.Del("X-Robots-Tag") }},
	} {
		err := f.check(service)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestAddresses: the answers of the first address decide whether a deployment is undone; a
// domain without its record does not.
func TestAddresses(t *testing.T) {
	sound, wrong := httptest.NewServer(turnout(t)), httptest.NewServer(http.NotFoundHandler())
	defer sound.Close()
	defer wrong.Close()
	const missing = "http://missing.example.org"
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix("http://"+address, missing) {
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}}
	for _, test := range []struct {
		addresses []string
		status    int
		printed   string
	}{
		{[]string{sound.URL, sound.URL}, 0, ""},
		{[]string{wrong.URL, sound.URL}, 1, "answered 404"},
		{[]string{missing}, 3, "no such host"},
		{[]string{sound.URL, missing}, 3, sound.URL + " is in order. Does a DNS record, a CNAME or an alias, lead from " + missing},
		{[]string{sound.URL, wrong.URL}, 3, "is in order"},
		{[]string{"turnout.example.org"}, 1, "is not an address"},
		{[]string{"ftp://example.org"}, 1, "is not an address"},
	} {
		var printed bytes.Buffer
		if got := runAll(client, test.addresses, 0, io.Discard, &printed); got != test.status || !strings.Contains(printed.String(), test.printed) {
			t.Errorf("%s: %d, want %d; it printed %s", test.addresses, got, test.status, &printed)
		}
	}
}
