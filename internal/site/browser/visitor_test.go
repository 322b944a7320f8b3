package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience ends a wait for something that does not come.
const patience = time.Minute

// lines are collected by one goroutine and read by another.
type lines struct {
	sync.Mutex
	all []string
}

func (l *lines) add(line string) {
	l.Lock()
	defer l.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) take() []string {
	l.Lock()
	defer l.Unlock()
	return slices.Clone(l.all)
}

// logged is what the local server wrote.
var logged lines

// manner is how a visitor comes: the zero value reads English in Berlin on a
// desktop by day.
type manner struct {
	language string
	zone     string
	dark     bool
	width    int64
	height   int64
	scale    float64
}

// visitor is one person with one browser, which shares nothing with others'.
type visitor struct {
	*testing.T
	ctx       context.Context
	downloads string
	trouble   *lines
}

func newVisitor(t *testing.T, m manner) *visitor {
	t.Helper()
	if missing != "" {
		t.Skip(missing)
	}
	ctx, cancel := chromedp.NewContext(chrome, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	v := &visitor{T: t, ctx: ctx, downloads: t.TempDir(), trouble: &lines{}}
	v.must(chromedp.Do(ctx))
	if m.language == "" {
		m.language = "en-GB"
	}
	if m.zone == "" {
		m.zone = "Europe/Berlin"
	}
	if m.width == 0 {
		m.width, m.height = 1280, 900
	}
	if m.scale == 0 {
		m.scale = 1
	}
	language, _, _ := strings.Cut(m.language, "-")
	agent, err := chromedp.Run(ctx, chromedp.Evaluate[string](`navigator.userAgent`))
	v.must(err)
	call(v, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: m.zone})
	call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: m.language + "," + language})
	v.scheme(m.dark)
	v.must(chromedp.Do(ctx, chromedp.EmulateViewport(m.width, m.height, chromedp.EmulateScale(m.scale))))
	yes := true
	_, err = chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		DownloadPath:     v.downloads,
		EventsEnabled:    &yes,
	})
	v.must(err)
	call(v, log.Enable, cdp.Empty{})
	v.must(chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			v.trouble.add(event.ExceptionDetails.Text + " " + fmt.Sprint(event.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			// Answers of 4xx are reported here too, and are no mistake of the page.
			if event.Entry.Level == log.EntryLevelError && event.Entry.Source != log.EntrySourceNetwork {
				v.trouble.add(event.Entry.Text)
			}
		}
	}))
	t.Cleanup(func() {
		for _, line := range v.trouble.take() {
			t.Error("the browser complains:", line)
		}
	})
	return v
}

// scheme is the system's setting, by day or by night.
func (v *visitor) scheme(dark bool) {
	v.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

func (v *visitor) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

func call[P, R any](v *visitor, command cdp.Command[P, R], params P) R {
	v.Helper()
	result, err := chromedp.Call(v.ctx, command, params)
	v.must(err)
	return result
}

func do(v *visitor, steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	v.must(chromedp.Do(ctx, steps...))
}

// eval returns the value of an expression, awaited where it is a promise.
func eval[T any](v *visitor, expression string, args ...any) T {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	result, err := chromedp.Run(ctx, chromedp.Evaluate[T](quoted(expression, args), chromedp.EvalAwaitPromise))
	if err != nil {
		v.Fatalf("%s: %v", expression, err)
	}
	return result
}

// quoted puts arguments into an expression as JSON, one for each %s.
func quoted(expression string, args []any) string {
	texts := make([]any, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			panic(err)
		}
		texts[i] = string(text)
	}
	if len(texts) == 0 {
		return expression
	}
	return fmt.Sprintf(expression, texts...)
}

// until waits for an expression to become true, looking again whenever the page
// changes.
func (v *visitor) until(what, expression string, args ...any) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	script := `new Promise((done) => {
		const holds = () => ` + quoted(expression, args) + `;
		if (holds()) return done(true);
		const observer = new MutationObserver(() => { if (holds()) { observer.disconnect(); done(true); } });
		observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
	})`
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		v.Fatalf("waiting for %s: %v\nthe page says:\n%s", what, err, v.text())
	}
}

// find is an expression for the visible control of this accessible name, inside
// the open dialog if there is one.
const find = `[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, a[href], input, select, textarea')].find((element) => {
	const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
	return label.replace(/[\u2068\u2069]/g, '').replace(/ optional$/, '').trim() === %s && element.getClientRects().length;
})`

func (v *visitor) open(path string) {
	v.Helper()
	do(v, chromedp.Navigate(base+path))
	v.until("the page", `document.querySelector('main h1') && !document.querySelector('[aria-busy]')`)
}

func (v *visitor) reload() {
	v.Helper()
	do(v, chromedp.Reload())
	v.until("the page", `document.querySelector('main h1') && !document.querySelector('[aria-busy]')`)
}

// idle waits until the page has dealt with what has arrived.
func (v *visitor) idle() {
	v.Helper()
	eval[chromedp.Void](v, `new Promise((done) => setTimeout(done, 300)).then(() => {})`)
}

func (v *visitor) path() string { return eval[string](v, `location.pathname + location.hash`) }

func (v *visitor) text() string { return plain(eval[string](v, `document.body.innerText`)) }

const shown = `document.body.innerText.replace(/[\u2068\u2069]/g, '')`

func (v *visitor) sees(text string) {
	v.Helper()
	v.until(fmt.Sprintf("%q", text), shown+`.includes(%s)`, text)
}

func (v *visitor) seesNot(text string) {
	v.Helper()
	if strings.Contains(v.text(), text) {
		v.Errorf("the page says %q:\n%s", text, v.text())
	}
}

func (v *visitor) click(name string) {
	v.Helper()
	v.until(fmt.Sprintf("a control %q", name), find, name)
	point := eval[[]float64](v, `(() => {
		const element = `+find+`;
		element.scrollIntoView({ block: 'center', behavior: 'instant' });
		const { x, y, width, height } = element.getBoundingClientRect();
		const top = document.elementFromPoint(x + width / 2, y + height / 2);
		if (!element.contains(top)) throw new Error('covered by ' + top?.outerHTML.slice(0, 100));
		return [x + width / 2, y + height / 2];
	})()`, name)
	do(v, chromedp.MouseClickXY(point[0], point[1]))
}

// write replaces what a field holds, as if typed.
func (v *visitor) write(label, text string) {
	v.Helper()
	v.until(fmt.Sprintf("a field %q", label), find, label)
	eval[chromedp.Void](v, `(() => { const field = `+find+`; field.focus(); field.select(); })()`, label)
	if text == "" {
		do(v, chromedp.KeyEvent("\b"))
		return
	}
	call(v, input.InsertText, input.InsertTextParams{Text: text})
}

// pick sets a field that has a picker of its own: a date, a time, a choice.
func (v *visitor) pick(label, value string) {
	v.Helper()
	v.until(fmt.Sprintf("a field %q", label), find, label)
	if got := eval[string](v, `(() => {
		const field = `+find+`;
		field.value = %s;
		field.dispatchEvent(new Event('input', { bubbles: true }));
		field.dispatchEvent(new Event('change', { bubbles: true }));
		return field.value;
	})()`, label, value); got != value {
		v.Fatalf("field %q does not take %q", label, value)
	}
}

func (v *visitor) value(label string) string {
	v.Helper()
	v.until(fmt.Sprintf("a field %q", label), find, label)
	return eval[string](v, find+`.value`, label)
}

func (v *visitor) focused() string {
	return plain(eval[string](v, `(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent).trim(); })()`))
}

// download clicks, and returns the file that the browser was given.
func (v *visitor) download(name string) (file, content string) {
	v.Helper()
	var suggested string
	done := make(chan string, 1)
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	v.must(chromedp.ListenBrowser(ctx, func(event any) {
		switch event := event.(type) {
		case *browser.EventDownloadWillBegin:
			suggested = event.SuggestedFilename
		case *browser.EventDownloadProgress:
			if event.State == browser.DownloadProgressStateCompleted {
				done <- event.GUID
			}
		}
	}))
	v.click(name)
	select {
	case guid := <-done:
		content, err := os.ReadFile(filepath.Join(v.downloads, guid))
		v.must(err)
		return suggested, string(content)
	case <-ctx.Done():
		v.Fatalf("%q downloads nothing", name)
		return "", ""
	}
}

// grant lets the page use the clipboard, as a person would be asked to.
func grant(v *visitor) {
	v.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(v.ctx, browser.SetPermission, browser.SetPermissionParams{
			BrowserContextID: chromedp.FromContext(v.ctx).BrowserContextID,
			Origin:           base,
			Permission:       &browser.PermissionDescriptor{Name: name},
			Setting:          browser.PermissionSettingGranted,
		})
		v.must(err)
	}
}

// offline takes the network away or gives it back.
func (v *visitor) offline(is bool) {
	v.Helper()
	v.unreachable(is)
	call(v, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: is, DownloadThroughput: -1, UploadThroughput: -1})
}

// unreachable cuts the connection without telling the browser.
func (v *visitor) unreachable(is bool) {
	v.Helper()
	call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: is, DownloadThroughput: -1, UploadThroughput: -1}},
	})
}

// A disturbance stands between the page and the service, as a gateway or a bad
// connection does.
type disturbance int

const (
	throttled disturbance = iota // the gateway refuses, in its own words
	forbidden                    // something before the service refuses, with a page
	lost                         // the service does its work, the answer is lost
	unsure                       // the service does its work, and says that it may not have
	held                         // the answer waits until the test releases it
)

// disturb acts on the next requests of this method, until restored. With held,
// release lets each waiting answer through.
func (v *visitor) disturb(method string, kind disturbance) (restore func(), release chan<- struct{}) {
	v.Helper()
	stage := fetch.RequestStageResponse
	if kind == throttled || kind == forbidden {
		stage = fetch.RequestStageRequest
	}
	gate := make(chan struct{})
	ctx, cancel := context.WithCancel(v.ctx)
	events := chromedp.Events(ctx, fetch.RequestPaused)
	call(v, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/api/*", RequestStage: stage}}})
	meet := func(event fetch.EventRequestPaused) {
		switch id := event.RequestID; {
		case event.Request.Method != method:
			_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
		case kind == throttled:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusTooManyRequests,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/json"}},
				Body:            []byte(`{"message":"Too Many Requests"}`),
			})
		case kind == forbidden:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusForbidden,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}},
				Body:            []byte(`<!doctype html><title>ERROR</title><p>Request blocked.`),
			})
		case kind == lost:
			_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonConnectionReset})
		case kind == unsure:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusServiceUnavailable,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/problem+json"}},
				Body:            []byte(`{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"What was asked may have happened, or not."}`),
			})
		case kind == held:
			select {
			case <-gate:
				_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
			case <-ctx.Done():
			}
		}
	}
	var met sync.WaitGroup
	met.Go(func() {
		for event, err := range events {
			if err != nil {
				return
			}
			met.Go(func() { meet(event) })
		}
	})
	return func() {
		v.Helper()
		call(v, fetch.Disable, cdp.Empty{})
		cancel()
		met.Wait()
	}, gate
}

// created is an event as its organizer knows it.
type created struct {
	EventToken     string `json:"eventToken"`
	OrganizerToken string `json:"organizerToken"`
	Title          string `json:"title"`
}

func (c created) public() string  { return "/e/" + c.EventToken }
func (c created) private() string { return c.public() + "#organizer=" + c.OrganizerToken }

// api talks to the service without a browser, to arrange and to look.
func api[T any](t *testing.T, method, path string, body any) T {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, base+"/api/events"+path, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, answer, err)
	}
	var result T
	if len(answer) > 0 {
		if err := json.Unmarshal(answer, &result); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
	}
	return result
}

type fields map[string]any

func supper() fields {
	return fields{
		"title": "Rooftop supper", "dateTime": "2099-12-12T19:30:00+01:00", "timezone": "Europe/Berlin",
		"location":    "Weserstraße 12, top floor, Berlin",
		"description": "Bring something warm to share – soup, bread, a story.\n\nThe door opens at seven. Directions: https://example.org/roof (no lift!).",
	}
}

// announce creates an event, with guests who are coming.
func announce(t *testing.T, event fields, guests ...string) created {
	t.Helper()
	if missing != "" {
		t.Skip(missing)
	}
	result := api[created](t, http.MethodPost, "", event)
	for _, name := range guests {
		api[fields](t, http.MethodPost, "/"+result.EventToken+"/rsvps", fields{"name": name})
	}
	return result
}

func cancel(t *testing.T, event created, reason string) {
	t.Helper()
	body := fields{"cancelled": true}
	if reason != "" {
		body["cancellationReason"] = reason
	}
	api[fields](t, http.MethodPatch, "/"+event.EventToken+"?organizerToken="+event.OrganizerToken, body)
}

// attendees are the names that the service has.
func attendees(t *testing.T, event created) []string {
	t.Helper()
	answer := api[struct{ Attendees []struct{ Name string } }](t, http.MethodGet, "/"+event.EventToken+"/attendees?organizerToken="+event.OrganizerToken, nil)
	names := []string{}
	for _, attendee := range answer.Attendees {
		names = append(names, attendee.Name)
	}
	return names
}
