// Command smoke checks a running Turnout as a client: smoke URL... It leaves a cancelled
// event that expires within an hour. Its exit status is 1 if the first address gives a wrong
// answer, and 3 if that name does not resolve or another address fails.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

const (
	patience     = time.Minute      // until a new distribution's name resolves everywhere
	checkTimeout = 35 * time.Second // of one request: API Gateway times out after 30 s
	maxBody      = 1 << 20          // more than any answer that is checked
)

// Exit statuses. After wrongAnswer the deployment is undone.
const (
	wrongAnswer = 1
	noAddress   = 3
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: smoke https://turnout.example.org ...")
		os.Exit(2)
	}
	client := &http.Client{Timeout: checkTimeout}
	os.Exit(runAll(context.Background(), client, os.Args[1:], patience, os.Stdout, os.Stderr))
}

// runAll checks one address after the other and returns the exit status. The first is
// CloudFront's own. The domain that points there needs a record in DNS, which somebody has
// to make; what it answers until then says nothing about the deployment.
func runAll(ctx context.Context, client *http.Client, addresses []string, patience time.Duration, out, errs io.Writer) int {
	for i, address := range addresses {
		fmt.Fprintln(out, address)
		err := run(ctx, client, address, patience, out)
		if err == nil {
			patience = 0 // what is deployed is there
			continue
		}
		fmt.Fprintln(errs, "smoke: FAILED:", err)
		_, unresolved := errors.AsType[*net.DNSError](err)
		if i == 0 && !unresolved {
			return wrongAnswer
		}
		if i > 0 {
			fmt.Fprintf(errs, "smoke: %s is in order. Is there a record that leads from %s to it, a CNAME or an alias? Then: make smoke URL=%s\n",
				addresses[0], host(address), address)
		}
		return noAddress
	}
	return 0
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}

// A visit checks one deployment, with an event that it creates there.
type visit struct {
	ctx    context.Context
	client *http.Client
	base   string
	title  string
	event  struct{ EventToken, OrganizerToken string }
	rsvp   struct{ RSVPToken string }
}

// run makes the checks in order and returns the error of the first that fails.
func run(ctx context.Context, client *http.Client, base string, patience time.Duration, out io.Writer) error {
	if u, err := url.Parse(base); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an address such as https://turnout.example.org", base)
	}
	v := &visit{ctx: ctx, client: client, base: strings.TrimRight(base, "/"), title: "Smoke test <" + time.Now().UTC().Format(time.RFC3339) + ">"}
	defer func() {
		if v.event.EventToken != "" {
			_ = v.cancelEvent() // once more, where a check failed before
		}
	}()
	for _, check := range v.checks(patience) {
		if err := check.do(); err != nil {
			return fmt.Errorf("%s: %w", check.what, err)
		}
		fmt.Fprintln(out, "ok  ", check.what)
	}
	return nil
}

type check struct {
	what string
	do   func() error
}

// checks returns the checks in order: each needs what those before it have created.
func (v *visit) checks(patience time.Duration) []check {
	return []check{
		{"the API answers", func() error { return v.untilHealthy(patience) }},
		{"the site's files are served", v.site},
		{"an event is created", v.createEvent},
		{"an RSVP is stored and counted", v.createRSVP},
		{"the page of the event has its preview", v.preview},
		{"the list of attendees has the guest", v.list},
		{"the RSVP is cancelled", v.cancelRSVP},
		{"the event is cancelled and no longer accepts RSVPs", v.cancelEvent},
		{"an unknown event is answered with the API's 404", v.unknown},
	}
}

func (v *visit) untilHealthy(patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Second) {
		var health struct{ Status string }
		_, _, err := v.call("GET", "/api/health", nil, 200, &health)
		if err == nil && health.Status != "ok" {
			err = fmt.Errorf("/api/health says %q", health.Status)
		}
		if err == nil || v.ctx.Err() != nil || time.Now().After(end) {
			return err
		}
	}
}

// asset finds the scripts and styles that a page loads from its own origin.
var asset = regexp.MustCompile(`(?:src|href)="(/[^"]+\.(?:js|css))"`)

func (v *visit) site() error {
	header, page, err := v.call("GET", "/", nil, 200, nil)
	if err == nil {
		err = v.securityHeaders(header)
	}
	if err != nil {
		return err
	}
	assets := asset.FindAllSubmatch(page, -1)
	if len(assets) == 0 {
		return errors.New("the page loads no scripts and styles")
	}
	for _, a := range assets {
		header, _, err := v.call("GET", string(a[1]), nil, 200, nil)
		if err != nil {
			return err
		}
		if media := header.Get("Content-Type"); !strings.HasPrefix(media, "text/javascript") && !strings.HasPrefix(media, "text/css") {
			return fmt.Errorf("%s is served as %q", a[1], media)
		}
	}
	return nil
}

func (v *visit) securityHeaders(header http.Header) error {
	names := []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"}
	if strings.HasPrefix(v.base, "https:") {
		names = append(names, "Strict-Transport-Security")
	}
	for _, name := range names {
		if header.Get(name) == "" {
			return fmt.Errorf("the page lacks the header %s", name)
		}
	}
	return nil
}

func (v *visit) createEvent() error {
	// Expired, by its date plus seven days, within the hour.
	date := time.Now().Add(time.Hour - 7*24*time.Hour).UTC().Format(time.RFC3339)
	_, _, err := v.call("POST", "/api/events", map[string]string{"title": v.title, "dateTime": date, "timezone": "UTC"}, 201, &v.event)
	if err == nil && (v.event.EventToken == "" || v.event.OrganizerToken == "") {
		err = errors.New("the answer lacks a token")
	}
	return err
}

func (v *visit) createRSVP() error {
	if _, _, err := v.call("POST", v.path("/rsvps"), map[string]string{"name": "Smoke"}, 201, &v.rsvp); err != nil {
		return err
	}
	return v.counted(1)
}

func (v *visit) counted(want int) error {
	var details struct {
		Title         string
		AttendeeCount int
	}
	_, _, err := v.call("GET", v.path(""), nil, 200, &details)
	if err == nil && (details.Title != v.title || details.AttendeeCount != want) {
		err = fmt.Errorf("%d guests at %q, want %d at %q", details.AttendeeCount, details.Title, want, v.title)
	}
	return err
}

func (v *visit) preview() error {
	header, page, err := v.call("GET", "/e/"+v.event.EventToken, nil, 200, nil)
	switch {
	case err != nil:
		return err
	case !bytes.Contains(page, []byte(`property="og:title" content="`+html.EscapeString(v.title))):
		return errors.New("the page does not name the event")
	case header.Get("X-Robots-Tag") != "noindex":
		return errors.New("the page lacks the header X-Robots-Tag: noindex")
	}
	if err := v.securityHeaders(header); err != nil {
		return err
	}
	header, _, err = v.call("GET", "/e/"+v.event.EventToken+"/card.png", nil, 200, nil)
	if err == nil && header.Get("Content-Type") != "image/png" {
		err = fmt.Errorf("the picture of the preview is served as %q", header.Get("Content-Type"))
	}
	return err
}

func (v *visit) list() error {
	var list struct{ Attendees []struct{ Name string } }
	_, _, err := v.call("GET", v.path("/attendees")+v.organizer(), nil, 200, &list)
	if err == nil && (len(list.Attendees) != 1 || list.Attendees[0].Name != "Smoke") {
		err = fmt.Errorf("the list holds %d names", len(list.Attendees))
	}
	return err
}

func (v *visit) cancelRSVP() error {
	if _, _, err := v.call("DELETE", v.path("/rsvps/"+v.rsvp.RSVPToken), nil, 204, nil); err != nil {
		return err
	}
	return v.counted(0)
}

func (v *visit) cancelEvent() error {
	if _, _, err := v.call("PATCH", v.path("")+v.organizer(), map[string]bool{"cancelled": true}, 204, nil); err != nil {
		return err
	}
	_, _, err := v.call("POST", v.path("/rsvps"), map[string]string{"name": "Late"}, 409, nil)
	return err
}

// unknown: a page in place of the API's errors would break every client.
func (v *visit) unknown() error {
	header, _, err := v.call("GET", "/api/events/00000000-0000-4000-8000-000000000000", nil, 404, nil)
	if err == nil && header.Get("Content-Type") != "application/problem+json" {
		err = fmt.Errorf("the 404 is served as %q", header.Get("Content-Type"))
	}
	return err
}

func (v *visit) path(below string) string { return "/api/events/" + v.event.EventToken + below }

func (v *visit) organizer() string { return "?organizerToken=" + v.event.OrganizerToken }

var token = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`)

// call sends a request with a JSON body, if any, and reads the body of the answer
// into answer, if any. Errors contain no token: the log of a deployment
// has many readers.
func (v *visit) call(method, path string, body any, want int, answer any) (http.Header, []byte, error) {
	fail := func(what string, details ...any) (http.Header, []byte, error) {
		return nil, nil, fmt.Errorf("%s %s: %s", method, token.ReplaceAllString(path, "…"), fmt.Sprintf(what, details...))
	}
	var sent bytes.Buffer
	if body != nil {
		_ = json.NewEncoder(&sent).Encode(body) // maps of strings and booleans
	}
	request, err := http.NewRequestWithContext(v.ctx, method, v.base+path, &sent)
	if err != nil {
		return fail("cannot be asked for")
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := v.client.Do(request)
	if err != nil {
		if cause, ok := errors.AsType[*url.Error](err); ok { // it quotes the address
			err = cause.Err
		}
		return nil, nil, fmt.Errorf("%s %s: %w", method, token.ReplaceAllString(path, "…"), err)
	}
	defer response.Body.Close()
	received, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return fail("%v", err)
	}
	if response.StatusCode != want {
		var problem struct{ Title, Message string } // of the API, of API Gateway
		_ = json.Unmarshal(received, &problem)
		return fail("answered %d %s, want %d", response.StatusCode, problem.Title+problem.Message, want)
	}
	if answer != nil && json.Unmarshal(received, answer) != nil {
		return fail("the answer is no JSON of the expected form")
	}
	return response.Header, received, nil
}
