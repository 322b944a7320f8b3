package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A manner describes a visitor. The zero value reads English in Berlin on a desktop, in light mode.
type manner struct {
	Language string // a tag such as de-AT
	Zone     string // an IANA name
	Dark     bool
	Width    int64
	Height   int64
	Scale    float64
}

// A visitor is one person with one Chromium, whose data no other visitor shares.
type visitor struct {
	*sitePage
	manner    manner
	downloads string
}

// newVisitor opens a tab, and opens the paths in it one after the other. Errors of the page fail the test.
func newVisitor(t *testing.T, m manner, paths ...string) *visitor {
	t.Helper()
	needBrowser(t)
	return newTab(chrome, t, m, paths, chromedp.WithNewBrowserContext())
}

// Tab opens another tab of the same visitor, with the same manner.
func (v *visitor) Tab(paths ...string) *visitor {
	v.Helper()
	return newTab(v.Context, v.T, v.manner, paths)
}

func newTab(
	parent context.Context, t *testing.T, m manner, paths []string, options ...chromedp.ContextOption,
) *visitor {
	t.Helper()
	v := &visitor{sitePage: &sitePage{T: t}, manner: m}
	ctx, cancel := chromedp.NewContext(parent, options...)
	v.Cleanup(cancel)
	v.Context, v.driver, v.downloads = ctx, chromiumTab{}, v.TempDir()
	v.Must(chromedp.Do(ctx))
	v.watch()
	m.Language, m.Zone, m.Scale = cmp.Or(m.Language, "en-GB"), cmp.Or(m.Zone, "Europe/Berlin"), cmp.Or(m.Scale, 1)
	m.Width, m.Height = cmp.Or(m.Width, 1280), cmp.Or(m.Height, 900)
	language, _, _ := strings.Cut(m.Language, "-")
	agent, err := chromedp.Run(ctx, chromedp.Evaluate[string](`navigator.userAgent`))
	v.Must(err)
	call(v, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: m.Zone})
	call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent:      agent,
		AcceptLanguage: m.Language + "," + language,
	})
	call(v, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	v.Scheme(m.Dark)
	v.Must(chromedp.Do(ctx, chromedp.EmulateViewport(m.Width, m.Height, chromedp.EmulateScale(m.Scale))))
	call(v, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		DownloadPath:     v.downloads,
		EventsEnabled:    new(true),
	})
	call(v, log.Enable, cdp.Empty{})
	// Do not attach DevTools to service workers. To replace such a worker, Chromium stops the worker even while it
	// handles a navigation, and then the navigation never ends.
	call(v, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: false})
	v.Prepare(fn("count"))
	v.Must(chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			v.complain(event.ExceptionDetails.Text + " " + fmt.Sprint(event.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			for _, argument := range event.Args {
				v.console.Add(string(event.Type) + ": " + string(argument.Value) + argument.Description)
			}
		case *log.EventEntryAdded:
			// Responses with 4xx are reported here too, but they are not errors of the page.
			if event.Entry.Level == log.EntryLevelError && event.Entry.Source != log.EntrySourceNetwork {
				v.complain(event.Entry.Text)
			} else {
				v.console.Add(event.Entry.Text + " " + event.Entry.URL)
			}
		}
	}))
	for _, path := range paths {
		v.Open(path)
	}
	return v
}

// chromiumTab drives the tab of a context.
type chromiumTab struct{}

func (chromiumTab) Navigate(ctx context.Context, url string) error {
	return chromedp.Do(ctx, chromedp.Navigate(url))
}

func (chromiumTab) Reload(ctx context.Context) error { return chromedp.Do(ctx, chromedp.Reload()) }

func (chromiumTab) Back(ctx context.Context) error { return chromedp.Do(ctx, chromedp.NavigateBack()) }

func (chromiumTab) Evaluate(ctx context.Context, expression string) ([]byte, error) {
	content, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if left := new(cdproto.Error); errors.As(err, &left) && left.Code == serverError {
		err = errors.Join(errLeft, err)
	}
	return content, err
}

// serverError is the JSON-RPC code of DevTools' error if the page is left.
const serverError = -32000

func (chromiumTab) Click(ctx context.Context, x, y float64) error {
	return chromedp.Do(ctx, chromedp.MouseClickXY(x, y))
}

func (chromiumTab) Press(ctx context.Context, keys string) error {
	return chromedp.Do(ctx, chromedp.KeyEvent(keys))
}

func (chromiumTab) Picture(ctx context.Context) ([]byte, error) {
	picture, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	return picture.Data, err
}

// Scheme sets the system's setting for light or dark mode.
func (v *visitor) Scheme(dark bool) {
	v.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

func call[P, R any](v *visitor, command cdp.Command[P, R], params P) R {
	v.Helper()
	result, err := chromedp.Call(v.Context, command, params)
	v.Must(err)
	return result
}

func do(v *visitor, steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	v.do(func(ctx context.Context) error { return chromedp.Do(ctx, steps...) })
}

// Prepare runs a script in each page that is opened later, before the site's script.
func (v *visitor) Prepare(script string) {
	v.Helper()
	source := functions.Code + ";" + script
	call(v, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// Download clicks a button, and returns the downloaded file.
func (v *visitor) Download(name string) (file, content string) {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.Context, patience)
	defer cancel()
	begins, goesOn := chromedp.Events(ctx, browser.DownloadWillBegin), chromedp.Events(ctx, browser.DownloadProgress)
	v.Click(name)
	for event, err := range begins {
		v.Must(err)
		file = event.SuggestedFilename
		break
	}
	for event, err := range goesOn {
		v.Must(err)
		if event.State == browser.DownloadProgressStateCompleted {
			text, err := os.ReadFile(filepath.Join(v.downloads, event.GUID))
			v.Must(err)
			return file, string(text)
		}
	}
	v.Fatalf("%q downloads nothing: %v", name, ctx.Err())
	return "", ""
}

// Offline takes the network away or gives it back.
func (v *visitor) Offline(is bool) {
	v.Helper()
	v.Unreachable(is)
	v.tellOffline(is)
}

// tellOffline tells the browser that it is offline, although the network works.
func (v *visitor) tellOffline(is bool) {
	v.Helper()
	call(v, network.OverrideNetworkState, network.OverrideNetworkStateParams{
		Offline:            is,
		DownloadThroughput: -1,
		UploadThroughput:   -1,
	})
}

// Unreachable cuts the connection without telling the browser.
func (v *visitor) Unreachable(is bool) {
	v.Helper()
	call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: is, DownloadThroughput: -1, UploadThroughput: -1}},
	})
}

// Block makes requests for these URLs fail.
func (v *visitor) Block(addresses ...string) {
	v.Helper()
	var patterns []*network.BlockPattern
	for _, address := range addresses {
		patterns = append(patterns, &network.BlockPattern{URLPattern: "http://*:*" + address, Block: true})
	}
	call(v, network.Enable, network.EnableParams{})
	call(v, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: patterns})
}

// A disturbance stands between the page and the service, as a gateway or a bad connection does. It sends a response of
// its own, breaks the connection, or holds the response until it is restored.
type disturbance struct {
	stage             fetch.RequestStage // before or after the service does its work
	status            int64              // 0 for no response
	contentType, body string
}

const before, after = fetch.RequestStageRequest, fetch.RequestStageResponse

var (
	throttled = disturbance{before, http.StatusTooManyRequests, "application/json", `{"message":"Too Many Requests"}`}
	forbidden = disturbance{before, http.StatusForbidden, "text/html", `<!doctype html><title>ERROR</title><p>Blocked.`}
	// This gateway does not know the service.
	absent    = disturbance{before, http.StatusNotFound, "application/json", `{"message":"Not Found"}`}
	hollow    = disturbance{before, http.StatusCreated, "application/json", `{"organizerToken":null,"rsvpToken":null}`}
	unreached = disturbance{stage: before}
	lost      = disturbance{stage: after}
	unsure    = disturbance{after, http.StatusServiceUnavailable, "application/problem+json", `{"type":"about:blank",
		"title":"Service Unavailable","status":503,"detail":"What was asked may have happened, or not."}`}
	listTooLong = disturbance{before, http.StatusNotAcceptable, "application/problem+json",
		`{"type":"urn:turnout:problem:list-too-long","title":"List too long","status":406}`}
	held = disturbance{stage: after, status: http.StatusProcessing}
)

// Disturb disturbs the next requests with this method until restore is called. restore lets held responses through.
func (v *visitor) Disturb(method string, kind disturbance) (restore func()) {
	v.Helper()
	ctx, cancel := context.WithCancel(v.Context)
	events := chromedp.Events(ctx, fetch.RequestPaused)
	call(v, fetch.Enable, fetch.EnableParams{
		Patterns: []*fetch.RequestPattern{{URLPattern: "*/api/*", RequestStage: kind.stage}},
	})
	var met sync.WaitGroup
	met.Go(func() {
		for event, err := range events {
			switch id := event.RequestID; {
			case err != nil:
				return
			case event.Request.Method != method:
				_, _ = chromedp.Call(ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: id})
			case kind == held:
			case kind.status > 0:
				_, _ = chromedp.Call(ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
					RequestID: id, ResponseCode: kind.status, Body: []byte(kind.body),
					ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: kind.contentType}},
				})
			default:
				_, _ = chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{
					RequestID:   id,
					ErrorReason: network.ErrorReasonConnectionReset,
				})
			}
		}
	})
	return func() {
		v.Helper()
		call(v, fetch.Disable, cdp.Empty{})
		cancel()
		met.Wait()
	}
}

// startChromium starts the browser that CHROMIUM names, or else Chromium. If HEADFUL is set, Chromium has a window.
// Otherwise startChromium prefers the headless shell if it is installed, because this is the same engine and takes half
// the time. The error errMissing means that a program is not installed.
func startChromium() (stop func(), err error) {
	names, window := []string{"chromium-headless-shell", "chromium"}, chromedp.Headless
	if os.Getenv("HEADFUL") != "" {
		names, window = names[1:], chromedp.VisibleWindow
	}
	if name := os.Getenv("CHROMIUM"); name != "" {
		names = []string{name}
	}
	var path string
	for _, name := range names {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		const how = "apt-get install chromium, or name another in CHROMIUM"
		return nil, fmt.Errorf("the browser tests need Chromium, which is %w: %s", errMissing, how)
	}
	if axe, err = os.ReadFile(filepath.Join(nodeModules, "axe-core", "axe.min.js")); err != nil {
		return nil, fmt.Errorf("the browser tests need axe-core, which is %w: make node-tools", errMissing)
	}
	allocator, cancel := allocate(window, chromedp.ExecPath(path))
	var closeBrowser context.CancelFunc
	chrome, closeBrowser = chromedp.NewContext(allocator)
	stop = func() {
		closeBrowser()
		cancel()
	}
	if err := chromedp.Do(chrome); err != nil {
		stop()
		return nil, fmt.Errorf("cannot start the browser: %w", err)
	}
	return stop, nil
}

func allocate(options ...chromedp.ExecAllocatorOption) (context.Context, context.CancelFunc) {
	return chromedp.NewExecAllocator(context.Background(), append(append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.WSURLReadTimeout(patience),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
	), options...)...)
}

// errMissing is wrapped in an error that names the missing program and says how to get it, in one line.
var errMissing = errors.New("missing")
