package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
	files, err := bundle.Files(site.Config{})
	service, log := event.NewService(new(storetest.Memory)), slog.New(slog.DiscardHandler)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", httpapi.New(service, log, httpapi.Endpoints()...))
	mux.Handle(site.EventPages+"{token}", eventpage.NewHandler(service, log, site.Config{}))
	mux.Handle(site.EventPages+"{token}/"+site.CardName, card.NewHandler(service, log))
	mux.Handle("/", site.NewHandler(files))
	return mux
}

// fault changes the responses to some requests.
type fault struct {
	at      func(r *http.Request) bool
	change  func(*http.Response)
	service http.Handler
}

func (f fault) RoundTrip(r *http.Request) (*http.Response, error) {
	hit, recorder := f.at(r), httptest.NewRecorder()
	f.service.ServeHTTP(recorder, r)
	response := recorder.Result()
	if hit {
		f.change(response)
	}
	if err := unanswered[response.StatusCode]; err != nil {
		return nil, err
	}
	return response, nil
}

// unanswered has the errors of requests without a response. A fault chooses an error by the status that it sets.
var unanswered = map[int]error{0: &net.DNSError{}, 1: io.ErrUnexpectedEOF}

// check runs the smoke test against a service with a fault.
func (f fault) check(service http.Handler, deployed bool) error {
	f.service = service
	v := visit{client: &http.Client{Transport: f}, deployed: deployed, until: time.Now().Add(patience)}
	return v.run("http://turnout.example.org", io.Discard)
}

func body(text string) func(*http.Response) {
	return func(r *http.Response) { r.Body = io.NopCloser(strings.NewReader(text)) }
}

// TestEachStepFails: each step fails because of a wrong status, media type or member. No error contains a token.
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
			}}.check(service, false)
			if err == nil {
				t.Errorf("%s, fault %d goes unnoticed", s.shows, number)
				continue
			}
			beside := strings.ReplaceAll(err.Error(), s.path, "")
			if !strings.HasPrefix(err.Error(), s.shows+": ") || token.MatchString(beside) {
				t.Errorf("%s, fault %d: %v", s.shows, number, err)
			}
		}
	}
}

// TestFaults: smoke also finds faults of a deployment that no single response shows, and faults of a page.
func TestFaults(t *testing.T) {
	service := turnout(t)
	below := func(path string) func(*http.Request) bool {
		return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, path) }
	}
	home := func(r *http.Request) bool { return r.URL.Path == "/" }
	for want, f := range map[string]fault{
		"":                             {at: func(*http.Request) bool { return false }},
		"the organizer sees the guest": {at: func(r *http.Request) bool { r.URL.RawQuery = ""; return false }},
		"the site is served: GET /: /": {at: below("/assets/"), change: func(r *http.Response) { r.StatusCode = http.StatusNotFound }},
		"the site is served: GET /: the page loads no": {at: home, change: body("<title>Turnout</title>")},
		"lacks the header Content-Security-Policy":     {at: home, change: func(r *http.Response) { r.Header.Del("Content-Security-Policy") }},
		"does not name the event":                      {at: below("/e/"), change: body("<title>Turnout</title>")},
		"lacks the header X-Robots-Tag":                {at: below("/e/"), change: func(r *http.Response) { r.Header.Del("X-Robots-Tag") }},
	} {
		err := f.check(service, false)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestPatience: for a minute after a deployment, a request is repeated if a role or a function that has not arrived may
// have caused its response. A repeated write is executed once. A wrong response fails at once.
func TestPatience(t *testing.T) {
	service := turnout(t)
	for _, test := range []struct {
		deployed    bool
		status      int
		until, took int // seconds; until 0: first attempts of writes fail
		err         string
	}{
		{true, 500, 29, 30, ""},
		{true, 502, 0, 10, ""},
		{true, 403, 61, 60, "the API answers: GET /api/health: answered 403"},
		{true, 404, 61, 0, "answered 404"},
		{true, 1, 29, 30, ""},
		{false, 0, 29, 30, ""},
		{false, 1, 61, 0, "unexpected EOF"},
		{false, 500, 61, 0, "answered 500"},
	} {
		synctest.Test(t, func(t *testing.T) {
			start, seen := time.Now(), map[string]bool{"": true}
			took := func() int { return int(time.Since(start).Seconds()) }
			err := fault{change: func(r *http.Response) { r.StatusCode = test.status }, at: func(r *http.Request) bool {
				first := r.Method != http.MethodGet && !seen[r.Header.Get("Idempotency-Key")]
				seen[r.Header.Get("Idempotency-Key")] = true
				return took() < test.until || test.until == 0 && first
			}}.check(service, test.deployed)
			expected := (err == nil) == (test.err == "") && strings.Contains(fmt.Sprint(err), test.err)
			if took() != test.took || !expected {
				t.Errorf("%+v: %v after %d s", test, err, took())
			}
		})
	}
}

// TestAddresses: only the responses of the first address decide whether a deployment is undone. A domain without a DNS
// record does not undo a deployment.
func TestAddresses(t *testing.T) {
	sound, wrong := httptest.NewServer(turnout(t)), httptest.NewServer(http.NotFoundHandler())
	defer sound.Close()
	defer wrong.Close()
	const missing = "http://missing.example.org"
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix("http://"+address, missing) {
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial}}
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
		v := visit{client: client}
		got := v.runAll(test.addresses, io.Discard, &printed)
		if got != test.status || !strings.Contains(printed.String(), test.printed) {
			t.Errorf("%s: %d, want %d; it printed %s", test.addresses, got, test.status, &printed)
		}
	}
}
