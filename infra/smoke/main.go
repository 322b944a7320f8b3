// Command smoke checks a running Turnout as a client: smoke [-deployed] URL... It leaves a cancelled event that expires
// within an hour. Its exit status is 1 if a response of the first address is wrong, and 3 if the first address's name
// does not resolve or another address fails. For a minute smoke waits for a name to resolve. With -deployed it also
// waits for roles and functions to arrive: for a minute it repeats each step that gets no response, a 403 or a 5xx.
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
	timeout  = 35 * time.Second // timeout of one request; API Gateway times out after 30 s
	asJSON   = "application/json"
	problem  = "application/problem+json"
	page     = "text/html" // for this type, the security headers, scripts and styles are checked, too
	details  = "/api/events/{eventToken}"
)

// A step is a request and the expected response. In path and body, a member's name in braces stands for the member's
// value in an earlier response.
type step struct {
	shows              string
	method, path, body string
	status             int
	media              string // media type of the response, or "" for a response without a body
	member, value      string // a member that the response must have
}

const (
	asked     = `{"title":"{title}","dateTime":"{dateTime}","timezone":"UTC"}`
	attendees = details + "/attendees?organizerToken={organizerToken}"
	unknown   = "/api/events/00000000-0000-4000-8000-000000000000"
	code      = "urn:turnout:problem:" // prefix of the types of the API's problems
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

// A visit takes all steps at one address after the other.
type visit struct {
	client   *http.Client
	deployed bool
	until    time.Time // end of all repetitions

	base       string
	values     []string // values of members, each after its name in braces
	key        string   // Idempotency-Key of the step; a repeated request is the same event, RSVP or cancel
	unanswered bool     // whether the function did not respond to the last request, judging by the status
}

// runAll checks the addresses and returns the exit status. The first address is CloudFront's own. The domain's DNS
// record, which leads there, is not a part of the deployment. So a failure of the domain is not a failure of the
// deployment.
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
			return 1 // make deploy then undoes the deployment
		}
		return 3
	}
	return 0
}

// fill replaces the names in braces with their values.
func (v *visit) fill(text string) string { return strings.NewReplacer(v.values...).Replace(text) }

// run takes the steps in order, and returns the error of the first failed step.
func (v *visit) run(base string, out io.Writer) error {
	if u, err := url.Parse(base); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an address such as https://turnout.example.org", base)
	}
	now := time.Now().UTC()
	v.base, v.values = strings.TrimRight(base, "/"), []string{
		"{title}", "Smoke test <" + now.Format(time.RFC3339) + ">",
		"{dateTime}", now.Add(time.Hour - 7*24*time.Hour).Format(time.RFC3339), // makes the event expire within an hour
	}
	defer v.take(cancel) // cancel the event even if an earlier step has failed
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

// mayArrive reports whether a step that failed with this error may succeed soon.
func (v *visit) mayArrive(err error) bool { return unresolved(err) || v.deployed && v.unanswered }

func unresolved(err error) bool { _, is := errors.AsType[*net.DNSError](err); return is }

// take sends the request of a step and checks the response. Its errors contain no token, because many people read the
// log of a deployment.
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
		err = cause.Err // an error without the URL, which may contain a token
	}
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // longer than any response that is checked
	if err != nil {
		return err
	}
	v.unanswered = response.StatusCode >= 500 || response.StatusCode == http.StatusForbidden
	answer := map[string]any{}
	_ = json.Unmarshal(content, &answer) // pages have no members
	if response.StatusCode != s.status {
		title, message := answer["title"], answer["message"] // members of problems, and of API Gateway
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

// asset matches the scripts and styles that a page loads from its own origin.
var asset = regexp.MustCompile(`(?:src|href)="(/[^"]+\.(js|css))"`)

// checkPage checks a page's headers, its scripts and styles, and an event page's preview.
func (v *visit) checkPage(s step, header http.Header, content []byte) error {
	required := []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"}
	if strings.HasPrefix(v.base, "https:") {
		required = append(required, "Strict-Transport-Security")
	}
	if s.path != "/" { // this is the event page
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
