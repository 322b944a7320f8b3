// Command smoke checks a running Turnout as a client: smoke [-deployed] URL... It leaves a cancelled
// event that expires within an hour. Its exit status is 1 if the first address gives a wrong
// answer, and 3 if that name does not resolve or another address fails. For a minute it waits for
// a name to resolve and, with -deployed, for roles and functions to arrive: it repeats each step that
// has no answer, a 403 or a 5xx.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
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

	"github.com/google/uuid"
)

const (
	patience = time.Minute
	timeout  = 35 * time.Second // of one request: API Gateway times out after 30 s
	asJSON   = "application/json"
	problem  = "application/problem+json"
	page     = "text/html" // with the security headers and its scripts and styles
	details  = "/api/events/{eventToken}"
)

// A step is a request and its answer. In path and body, the name of a member in braces stands
// for its value in an earlier answer.
type step struct {
	shows              string
	method, path, body string
	status             int
	media              string // of the answer, or "" if it has no body
	member, value      string // that the answer must have
}

const (
	asked     = `{"title":"{title}","dateTime":"{dateTime}","timezone":"UTC"}`
	attendees = details + "/attendees?organizerToken={organizerToken}"
	unknown   = "/api/events/00000000-0000-4000-8000-000000000000"
	code      = "urn:turnout:problem:" // of the API's problems
)

var steps = []step{
	{"the API answers", "GET", "/api/health", "", 200, asJSON, "status", "ok"},
	{"the site is served", "GET", "/", "", 200, page, "", ""},
	{"an event is created", "POST", "/api/events", asked, 201, asJSON, "title", "{title}"},
	{"an RSVP is stored", "POST", details + "/rsvps", `{"name":"Smoke"}`, 201, asJSON, "name", "Smoke"},
	{"the RSVP is counted", "GET", details, "", 200, asJSON, "attendeeCount", "1"},
	{"the event has a page", "GET", "/e/{eventToken}", "", 200, page, "", ""},
	{"its preview has a picture", "GET", "/e/{eventToken}/card.png", "", 200, "image/png", "", ""},
	{"the organizer sees the guest", "GET", attendees, "", 200, asJSON, "attendees", "[map[name:Smoke]]"},
	{"the RSVP is read", "GET", details + "/rsvps/{rsvpToken}", "", 200, asJSON, "name", "Smoke"},
	{"the RSVP is cancelled", "DELETE", details + "/rsvps/{rsvpToken}", "", 204, "", "", ""},
	{"it is no longer counted", "GET", details, "", 200, asJSON, "attendeeCount", "0"},
	cancel,
	{"a cancelled event accepts no RSVP", "POST", details + "/rsvps", `{"name":"Late"}`, 409, problem, "type", code + "event-cancelled"},
	{"an unknown event is the API's 404", "GET", unknown, "", 404, problem, "type", code + "event-not-found"},
}

var cancel = step{
	shows:  "the event is cancelled",
	method: "PATCH", path: details + "?organizerToken={organizerToken}", body: `{"cancelled":true}`,
	status: 204,
}

func main() {
	deployed := flag.Bool("deployed", false, "wait a minute for roles and functions to arrive")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: smoke [-deployed] https://turnout.example.org ...")
		os.Exit(2)
	}
	v := visit{client: &http.Client{Timeout: timeout}, deployed: *deployed, until: time.Now().Add(patience)}
	os.Exit(v.runAll(flag.Args(), os.Stdout, os.Stderr))
}

// A visit takes the steps at one address after the other.
type visit struct {
	client   *http.Client
	deployed bool
	until    time.Time // when nothing is repeated any more

	base       string
	values     []string // of members, each after its name in braces
	key        string   // of the step: a repeated request is the same event, RSVP or cancel
	unanswered bool     // the last request: by the function, as far as the status tells
}

// runAll checks the addresses and returns the exit status. The first is CloudFront's own. The domain
// that points there needs a DNS record, which the deployment does not make, so a failure there is
// not the deployment's.
func (v *visit) runAll(addresses []string, out, errs io.Writer) int {
	for i, address := range addresses {
		fmt.Fprintln(out, address)
		err := v.run(address, out)
		if err == nil {
			continue
		}
		fmt.Fprintln(errs, "smoke: FAILED:", err)
		if i > 0 {
			fmt.Fprintf(errs, "smoke: %s is in order. Does a DNS record, a CNAME or an alias, lead from %s to it? "+
				"Then: make smoke URL=%[2]s\n", addresses[0], address)
		} else if !unresolved(err) {
			return 1 // the deployment is undone
		}
		return 3
	}
	return 0
}

// fill replaces the names in braces by their values.
func (v *visit) fill(text string) string { return strings.NewReplacer(v.values...).Replace(text) }

// run takes the steps in order and returns the error of the first that fails.
func (v *visit) run(base string, out io.Writer) error {
	if u, err := url.Parse(base); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an address such as https://turnout.example.org", base)
	}
	now := time.Now().UTC()
	v.base, v.values = strings.TrimRight(base, "/"), []string{
		"{title}", "Smoke test <" + now.Format(time.RFC3339) + ">",
		"{dateTime}", now.Add(time.Hour - 7*24*time.Hour).Format(time.RFC3339), // expires within the hour
	}
	defer v.take(cancel) // again, in case an earlier step has failed
	for _, s := range steps {
		v.key = uuid.NewString()
		err := v.take(s)
		for err != nil && v.mayArrive(err) && time.Now().Before(v.until) {
			time.Sleep(2 * time.Second)
			err = v.take(s)
		}
		if err != nil {
			return fmt.Errorf("%s: %s %s: %w", s.shows, s.method, s.path, err)
		}
		fmt.Fprintln(out, "ok  ", s.shows)
	}
	return nil
}

// mayArrive reports whether a step that failed with this error may succeed in a moment.
func (v *visit) mayArrive(err error) bool { return unresolved(err) || v.deployed && v.unanswered }

func unresolved(err error) bool { _, is := errors.AsType[*net.DNSError](err); return is }

// take sends the request of a step and checks the answer. Its errors have no token, because the
// log of a deployment has many readers.
func (v *visit) take(s step) error {
	request, err := http.NewRequest(s.method, v.base+v.fill(s.path), strings.NewReader(v.fill(s.body)))
	if err != nil {
		return errors.New("cannot be requested")
	}
	request.Header.Set("Content-Type", asJSON)
	request.Header.Set("Idempotency-Key", v.key)
	v.unanswered = true
	response, err := v.client.Do(request)
	if cause, ok := errors.AsType[*url.Error](err); ok {
		err = cause.Err // without the address
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // more than any answer that is checked
	if err != nil {
		return err
	}
	v.unanswered = response.StatusCode >= 500 || response.StatusCode == http.StatusForbidden
	answer := map[string]any{}
	_ = json.Unmarshal(content, &answer) // pages have no members
	if response.StatusCode != s.status {
		title, message := answer["title"], answer["message"] // of the API, of API Gateway
		return fmt.Errorf("answered %d %v %v, want %d", response.StatusCode, title, message, s.status)
	}
	if media := response.Header.Get("Content-Type"); !strings.HasPrefix(media, s.media) {
		return fmt.Errorf("answered %q, want %q", media, s.media)
	} else if s.member != "" && fmt.Sprint(answer[s.member]) != v.fill(s.value) {
		return fmt.Errorf("the answer's %s is not %s", s.member, s.value)
	}
	for name, value := range answer {
		if token, ok := value.(string); ok && strings.HasSuffix(name, "Token") {
			v.values = append(v.values, "{"+name+"}", token)
		}
	}
	if s.media == page {
		return v.checkPage(s, response.Header, content)
	}
	return nil
}

// asset finds the scripts and styles that a page loads from its own origin.
var asset = regexp.MustCompile(`(?:src|href)="(/[^"]+\.(js|css))"`)

// checkPage checks the headers of a page, its scripts and styles, and the preview of an event.
func (v *visit) checkPage(s step, header http.Header, content []byte) error {
	required := []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"}
	if strings.HasPrefix(v.base, "https:") {
		required = append(required, "Strict-Transport-Security")
	}
	if s.path != "/" { // the page of the event
		required = append(required, "X-Robots-Tag")
		if !bytes.Contains(content, []byte(`property="og:title" content="`+html.EscapeString(v.fill("{title}")))) {
			return errors.New("the page does not name the event")
		}
	}
	for _, name := range required {
		if header.Get(name) == "" {
			return fmt.Errorf("the page lacks the header %s", name)
		}
	}
	assets := asset.FindAllSubmatch(content, -1)
	if len(assets) == 0 {
		return errors.New("the page loads no scripts and styles")
	}
	for _, a := range assets {
		media := map[string]string{"js": "text/javascript", "css": "text/css"}[string(a[2])]
		if err := v.take(step{method: "GET", path: string(a[1]), status: 200, media: media}); err != nil {
			return fmt.Errorf("%s: %w", a[1], err)
		}
	}
	return nil
}
