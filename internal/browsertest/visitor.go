package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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

// Lines are collected by one goroutine and read by another.
type Lines struct {
	sync.Mutex
	all []string
}

func (l *Lines) Add(line string) {
	l.Lock()
	defer l.Unlock()
	l.all = append(l.all, line)
}

func (l *Lines) Take() []string {
	l.Lock()
	defer l.Unlock()
	return slices.Clone(l.all)
}

// Manner is how a visitor comes: the zero value reads English in Berlin on a
// desktop by day.
type Manner struct {
	Language string // a tag such as de-AT
	Zone     string // an IANA name
	Dark     bool
	Width    int64
	Height   int64
	Scale    float64
}

// Visitor is one person with one browser, which shares nothing with others'. Its
// methods end the test where something does not come about within a minute.
type Visitor struct {
	*testing.T
	Context   context.Context
	browser   *Browser
	base      string
	manner    Manner
	downloads string
	trouble   *Lines
}

// Visitor opens a tab for the site at base, such as http://127.0.0.1:3000. What
// the tab complains about fails the test.
func (b *Browser) Visitor(t *testing.T, base string, m Manner) *Visitor {
	t.Helper()
	return newTab(b.context, &Visitor{T: t, browser: b, base: base, manner: m}, chromedp.WithNewBrowserContext())
}

// Tab is another tab of the same visitor, who comes in the same manner.
func (v *Visitor) Tab() *Visitor {
	v.Helper()
	return newTab(v.Context, &Visitor{T: v.T, browser: v.browser, base: v.base, manner: v.manner})
}

func newTab(parent context.Context, v *Visitor, options ...chromedp.ContextOption) *Visitor {
	v.Helper()
	ctx, cancel := chromedp.NewContext(parent, options...)
	v.Cleanup(cancel)
	v.Context, v.downloads, v.trouble = ctx, v.TempDir(), &Lines{}
	m := v.manner
	v.Must(chromedp.Do(ctx))
	m.Language, m.Zone, m.Scale = cmp.Or(m.Language, "en-GB"), cmp.Or(m.Zone, "Europe/Berlin"), cmp.Or(m.Scale, 1)
	m.Width, m.Height = cmp.Or(m.Width, 1280), cmp.Or(m.Height, 900)
	language, _, _ := strings.Cut(m.Language, "-")
	agent, err := chromedp.Run(ctx, chromedp.Evaluate[string](`navigator.userAgent`))
	v.Must(err)
	Call(v, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: m.Zone})
	Call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: m.Language + "," + language})
	v.Scheme(m.Dark)
	v.Must(chromedp.Do(ctx, chromedp.EmulateViewport(m.Width, m.Height, chromedp.EmulateScale(m.Scale))))
	yes := true
	_, err = chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		DownloadPath:     v.downloads,
		EventsEnabled:    &yes,
	})
	v.Must(err)
	Call(v, log.Enable, cdp.Empty{})
	v.Must(chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			v.trouble.Add(event.ExceptionDetails.Text + " " + fmt.Sprint(event.ExceptionDetails.Exception))
		case *log.EventEntryAdded:
			// Answers of 4xx are reported here too, and are no mistake of the page.
			if event.Entry.Level == log.EntryLevelError && event.Entry.Source != log.EntrySourceNetwork {
				v.trouble.Add(event.Entry.Text)
			}
		}
	}))
	v.Cleanup(func() {
		for _, line := range v.trouble.Take() {
			v.Error("the browser complains:", line)
		}
	})
	return v
}

// Scheme is the system's setting, by day or by night.
func (v *Visitor) Scheme(dark bool) {
	v.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	Call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

func (v *Visitor) Must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

func Call[P, R any](v *Visitor, command cdp.Command[P, R], params P) R {
	v.Helper()
	result, err := chromedp.Call(v.Context, command, params)
	v.Must(err)
	return result
}

func Do(v *Visitor, steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context, patience)
	defer cancel()
	v.Must(chromedp.Do(ctx, steps...))
}

// Eval returns the value of an expression, awaited where it is a promise.
func Eval[T any](v *Visitor, expression string, args ...any) T {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context, patience)
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

// Until waits for an expression to become true, looking again whenever the page
// changes.
func (v *Visitor) Until(what, expression string, args ...any) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context, patience)
	defer cancel()
	script := `new Promise((done) => {
		const holds = () => ` + quoted(expression, args) + `;
		if (holds()) return done(true);
		const observer = new MutationObserver(() => { if (holds()) { observer.disconnect(); done(true); } });
		observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
	})`
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		v.Fatalf("waiting for %s: %v\nthe page says:\n%s", what, err, v.Text())
	}
}

// Plain is a text without the marks that isolate values in it.
func Plain(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
}

// Find is an expression for the visible control of this accessible name, inside
// the open dialog if there is one.
const Find = `[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, summary, a[href], input, select, textarea')].find((element) => {
	const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
	return label.replace(/[\u2068\u2069]/g, '').replace(/ optional$/, '').trim() === %s && element.getClientRects().length;
})`

// started holds once the script has taken over what arrived as HTML.
const started = `document.querySelector('#top a') && document.querySelector('main h1') && !document.querySelector('[aria-busy], #panel:empty')`

// Open goes to a path of the site.
func (v *Visitor) Open(path string) {
	v.Helper()
	Do(v, chromedp.Navigate(v.base+path))
	v.Until("the page", started)
}

func (v *Visitor) Reload() {
	v.Helper()
	Do(v, chromedp.Reload())
	v.Until("the page", started)
}

// Idle waits until the page has dealt with what has arrived.
func (v *Visitor) Idle() {
	v.Helper()
	Eval[chromedp.Void](v, `new Promise((done) => setTimeout(done, 300)).then(() => {})`)
}

func (v *Visitor) Path() string { return Eval[string](v, `location.pathname + location.hash`) }

func (v *Visitor) Text() string { return Plain(Eval[string](v, `document.body.innerText`)) }

// Shown is an expression for what the page says.
const Shown = `document.body.innerText.replace(/[\u2068\u2069]/g, '')`

func (v *Visitor) Sees(text string) {
	v.Helper()
	v.Until(fmt.Sprintf("%q", text), Shown+`.includes(%s)`, text)
}

func (v *Visitor) SeesNot(text string) {
	v.Helper()
	if strings.Contains(v.Text(), text) {
		v.Errorf("the page says %q:\n%s", text, v.Text())
	}
}

// Click presses and releases the mouse on a control. What moves away from under
// the mouse is looked for again, and nothing else is clicked instead.
func (v *Visitor) Click(name string) {
	v.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		v.Until(fmt.Sprintf("a control %q", name), Find, name)
		point := Eval[[]float64](v, `new Promise((done, fail) => {
			const element = `+Find+`;
			if (!element) return done(null);
			element.scrollIntoView({ block: 'center', behavior: 'instant' });
			const { x, y, width, height } = element.getBoundingClientRect();
			const top = document.elementFromPoint(x + width / 2, y + height / 2);
			if (!element.contains(top)) return fail(new Error('covered by ' + top?.outerHTML.slice(0, 100)));
			window.clicked = false;
			const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
			const meet = (event) => {
				const hit = element.contains(event.target);
				if (!hit) { event.preventDefault(); event.stopImmediatePropagation(); }
				if (event.type === 'click') window.clicked = hit;
			};
			for (const type of types) addEventListener(type, meet, true);
			window.letGo = () => { for (const type of types) removeEventListener(type, meet, true); return window.clicked; };
			done([x + width / 2, y + height / 2]);
		})`, name)
		if point == nil {
			continue
		}
		Do(v, chromedp.MouseClickXY(point[0], point[1]))
		// A page that was left by the click has no letGo.
		if Eval[bool](v, `window.letGo?.() ?? true`) {
			return
		}
	}
	v.Fatalf("%q does not stand still to be clicked", name)
}

// Write replaces what a field holds, as if typed.
func (v *Visitor) Write(label, text string) {
	v.Helper()
	v.Until(fmt.Sprintf("a field %q", label), Find, label)
	Eval[chromedp.Void](v, `(() => { const field = `+Find+`; field.focus(); field.select(); })()`, label)
	if text == "" {
		Do(v, chromedp.KeyEvent("\b"))
		return
	}
	Call(v, input.InsertText, input.InsertTextParams{Text: text})
}

// Pick sets a field that has a picker of its own: a date, a time, a choice.
func (v *Visitor) Pick(label, value string) {
	v.Helper()
	v.Until(fmt.Sprintf("a field %q", label), Find, label)
	if got := Eval[string](v, `(() => {
		const field = `+Find+`;
		field.focus();
		field.value = %s;
		field.dispatchEvent(new Event('input', { bubbles: true }));
		field.dispatchEvent(new Event('change', { bubbles: true }));
		return field.value;
	})()`, label, value); got != value {
		v.Fatalf("field %q does not take %q", label, value)
	}
}

func (v *Visitor) Value(label string) string {
	v.Helper()
	v.Until(fmt.Sprintf("a field %q", label), Find, label)
	return Eval[string](v, Find+`.value`, label)
}

func (v *Visitor) Focused() string {
	return Plain(Eval[string](v, `(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent).trim(); })()`))
}

// Download clicks, and returns the file that the browser was given.
func (v *Visitor) Download(name string) (file, content string) {
	v.Helper()
	var suggested string
	done := make(chan string, 1)
	ctx, cancel := context.WithTimeout(v.Context, patience)
	defer cancel()
	v.Must(chromedp.ListenBrowser(ctx, func(event any) {
		switch event := event.(type) {
		case *browser.EventDownloadWillBegin:
			suggested = event.SuggestedFilename
		case *browser.EventDownloadProgress:
			if event.State == browser.DownloadProgressStateCompleted {
				done <- event.GUID
			}
		}
	}))
	v.Click(name)
	select {
	case guid := <-done:
		content, err := os.ReadFile(filepath.Join(v.downloads, guid))
		v.Must(err)
		return suggested, string(content)
	case <-ctx.Done():
		v.Fatalf("%q downloads nothing", name)
		return "", ""
	}
}

// Grant lets the page use the clipboard, as a person would be asked to.
func (v *Visitor) Grant() {
	v.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(v.Context, browser.SetPermission, browser.SetPermissionParams{
			BrowserContextID: chromedp.FromContext(v.Context).BrowserContextID,
			Origin:           v.base,
			Permission:       &browser.PermissionDescriptor{Name: name},
			Setting:          browser.PermissionSettingGranted,
		})
		v.Must(err)
	}
}

// Offline takes the network away or gives it back.
func (v *Visitor) Offline(is bool) {
	v.Helper()
	v.Unreachable(is)
	Call(v, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: is, DownloadThroughput: -1, UploadThroughput: -1})
}

// Unreachable cuts the connection without telling the browser.
func (v *Visitor) Unreachable(is bool) {
	v.Helper()
	Call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: is, DownloadThroughput: -1, UploadThroughput: -1}},
	})
}

// A Disturbance stands between the page and the service, as a gateway or a bad
// connection does.
type Disturbance int

const (
	Throttled Disturbance = iota // the gateway refuses, in its own words
	Forbidden                    // something before the service refuses, with a page
	Lost                         // the service does its work, the answer is lost
	Unsure                       // the service does its work, and says that it may not have
	Held                         // the answer waits until the test releases it
)

// Disturb acts on the next requests of this method, until restored. With held,
// release lets each waiting answer through.
func (v *Visitor) Disturb(method string, kind Disturbance) (restore func(), release chan<- struct{}) {
	v.Helper()
	stage := fetch.RequestStageResponse
	if kind == Throttled || kind == Forbidden {
		stage = fetch.RequestStageRequest
	}
	gate := make(chan struct{})
	ctx, cancel := context.WithCancel(v.Context)
	events := chromedp.Events(ctx, fetch.RequestPaused)
	Call(v, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/api/*", RequestStage: stage}}})
	meet := func(event fetch.EventRequestPaused) {
		switch id := event.RequestID; {
		case event.Request.Method != method:
			_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
		case kind == Throttled:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusTooManyRequests,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/json"}},
				Body:            []byte(`{"message":"Too Many Requests"}`),
			})
		case kind == Forbidden:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusForbidden,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}},
				Body:            []byte(`<!doctype html><title>ERROR</title><p>Request blocked.`),
			})
		case kind == Lost:
			_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonConnectionReset})
		case kind == Unsure:
			_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
				RequestID: id, ResponseCode: http.StatusServiceUnavailable,
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "application/problem+json"}},
				Body:            []byte(`{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"What was asked may have happened, or not."}`),
			})
		case kind == Held:
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
		Call(v, fetch.Disable, cdp.Empty{})
		cancel()
		met.Wait()
	}, gate
}
