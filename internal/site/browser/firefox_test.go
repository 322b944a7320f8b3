package browser

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// firefox opens pages in one Firefox. It speaks WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/) with Firefox
// directly, without a driver.
type firefox struct {
	connection *websocket.Conn

	mu      sync.Mutex
	last    int                    // id of the last command
	answers map[int]chan message   // responses by the id of the command
	tabs    map[string]*firefoxTab // tabs by context, the protocol's word for a tab

	channels map[string]chan outcome
	ends     map[string]chan struct{} // channels by realm and by navigation
}

// An outcome is the value of an expression, or its error.
type outcome struct {
	Value json.RawMessage
	Error string
}

// A message is the response to a command, or an event.
type message struct {
	ID             int
	Method         string
	Result, Params json.RawMessage
	Error, Message string
}

// firefoxPreferences allow workers and caches at *.localhost without HTTPS, as in the other engines.
const firefoxPreferences = `
user_pref("dom.caches.testing.enabled", true);
user_pref("dom.serviceWorkers.testing.enabled", true);
user_pref("intl.accept_languages", "en-US, en");
user_pref("ui.prefersReducedMotion", 1);
`

var bidiAddress = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// startFirefox starts a browser, which ends with the test. It skips the test if Firefox is not installed.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		path, err = exec.LookPath("firefox")
	}
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("the browser Firefox is %v: apt-get install firefox-esr", errMissing)
	}
	profile, err := os.MkdirTemp("", "firefox-")
	if err == nil {
		err = os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxPreferences), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	program := exec.CommandContext(t.Context(), path, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port", "0")
	program.Env = append(os.Environ(), "TZ=Europe/Berlin", "LC_ALL=en_US.UTF-8", "HOME="+profile)
	program.Cancel = func() error { return program.Process.Signal(syscall.SIGTERM) }
	program.WaitDelay = patience
	output, err := program.StderrPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Wait() })
	lines := bufio.NewScanner(output)
	var address string
	for address == "" && lines.Scan() {
		if match := bidiAddress.FindStringSubmatch(lines.Text()); match != nil {
			address = match[1]
		}
	}
	go func() {
		for lines.Scan() {
		}
	}()
	f := &firefox{
		answers:  map[int]chan message{},
		tabs:     map[string]*firefoxTab{},
		channels: map[string]chan outcome{},
		ends:     map[string]chan struct{}{},
	}
	if f.connection, _, err = websocket.Dial(t.Context(), address+"/session", nil); err != nil {
		t.Fatalf("Firefox does not answer at %q: %v", address, err)
	}
	f.connection.SetReadLimit(-1)
	t.Cleanup(func() { _ = f.connection.CloseNow() })
	go f.read(t.Context())
	err = f.command(t.Context(), "session.new", object{"capabilities": object{}}, nil)
	if err == nil {
		events := []string{
			"browsingContext.fragmentNavigated", "browsingContext.load", "browsingContext.navigationFailed",
			"log.entryAdded", "script.message", "script.realmDestroyed",
		}
		err = f.command(t.Context(), "session.subscribe", object{"events": events}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// read passes each message on to its command or its tab.
func (f *firefox) read(ctx context.Context) {
	for {
		var m message
		if err := wsjson.Read(ctx, f.connection, &m); err != nil {
			return
		}
		f.mu.Lock()
		answer := f.answers[m.ID]
		delete(f.answers, m.ID)
		f.mu.Unlock()
		if answer != nil {
			answer <- m
		} else {
			f.event(m)
		}
	}
}

// event notes that a page has loaded or ended, and collects the outcomes and errors that a page sends.
func (f *firefox) event(m message) {
	var event struct {
		Context    string
		Source     struct{ Context string }
		Type       string
		Level      string
		Text       string
		Channel    string
		Data       struct{ Value string }
		Realm      string
		Navigation string
	}
	if json.Unmarshal(m.Params, &event) != nil {
		return
	}
	switch m.Method {
	case "browsingContext.fragmentNavigated", "browsingContext.load", "browsingContext.navigationFailed":
		f.ended(event.Navigation)
	case "script.realmDestroyed":
		f.ended(event.Realm)
		return
	case "script.message":
		f.mu.Lock()
		outcomes := f.channels[event.Channel]
		f.mu.Unlock()
		var one outcome
		if outcomes != nil && json.Unmarshal([]byte(event.Data.Value), &one) == nil {
			outcomes <- one
		}
		return
	}
	f.mu.Lock()
	tab := f.tabs[event.Context+event.Source.Context]
	f.mu.Unlock()
	switch {
	case tab == nil:
	case m.Method == "browsingContext.load":
		select {
		case tab.loaded <- struct{}{}:
		default:
		}
	case event.Level == "error":
		tab.page.complain(event.Text)
	default:
		tab.page.console.Add(event.Level + ": " + event.Text)
	}
}

// command sends a command, and decodes the result.
func (f *firefox) command(ctx context.Context, method string, params object, result any) error {
	answer := make(chan message, 1)
	f.mu.Lock()
	f.last++
	id := f.last
	f.answers[id] = answer
	f.mu.Unlock()
	command := object{"id": id, "method": method, "params": params}
	if err := wsjson.Write(ctx, f.connection, command); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case m := <-answer:
		if m.Error != "" {
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// Page opens a tab without stored data. Errors of the page fail the test.
func (f *firefox) Page(t *testing.T) *sitePage {
	t.Helper()
	alone(t) // a tab in the background does not draw
	p := &sitePage{T: t, Context: t.Context()}
	tab := &firefoxTab{firefox: f, page: p, loaded: make(chan struct{}, 1)}
	p.driver = tab
	p.do(func(ctx context.Context) error {
		var user struct{ UserContext string }
		if err := f.command(ctx, "browser.createUserContext", object{}, &user); err != nil {
			return err
		}
		var created struct{ Context string }
		params := object{"type": "tab", "userContext": user.UserContext}
		if err := f.command(ctx, "browsingContext.create", params, &created); err != nil {
			return err
		}
		tab.context = created.Context
		f.mu.Lock()
		f.tabs[tab.context] = tab
		f.mu.Unlock()
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(p.Context), patience)
			defer cancel()
			_ = f.command(ctx, "browser.removeUserContext", object{"userContext": user.UserContext}, nil)
		})
		return f.command(ctx, "script.addPreloadScript", object{
			"functionDeclaration": `() => { ` + functions.Code + `;` + fn("count") + `; }`,
			"contexts":            []string{tab.context},
		}, nil)
	})
	p.watch()
	return p
}

type firefoxTab struct {
	*firefox
	page    *sitePage
	context string
	loaded  chan struct{} // has a value once a page has loaded
}

// Navigate waits for the page itself. If the command waited, the wait would end when the page that is left calls
// history.replaceState.
func (tab *firefoxTab) Navigate(ctx context.Context, url string) error {
	var begun struct{ Navigation string }
	params := object{"context": tab.context, "url": url, "wait": "none"}
	if err := tab.command(ctx, "browsingContext.navigate", params, &begun); err != nil {
		return err
	}
	select {
	case <-tab.end(begun.Navigation):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Reload reloads the page as the browser's button does. The protocol's own command would bypass workers.
func (tab *firefoxTab) Reload(ctx context.Context) error {
	select {
	case <-tab.loaded:
	default:
	}
	if _, err := tab.Evaluate(ctx, "void location.reload()"); err != nil && !errors.Is(err, errLeft) {
		return err
	}
	select {
	case <-tab.loaded:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (tab *firefoxTab) Back(ctx context.Context) error {
	return tab.command(ctx, "browsingContext.traverseHistory", object{"context": tab.context, "delta": -1}, nil)
}

// Evaluate makes the page send the value on a channel. After a garbage collection, Firefox may never respond to a
// command that awaits a promise.
func (tab *firefoxTab) Evaluate(ctx context.Context, expression string) ([]byte, error) {
	channel, outcomes := tab.listen()
	defer tab.close(channel)
	var called struct {
		Realm            string
		ExceptionDetails *struct{ Text string }
	}
	err := tab.command(ctx, "script.callFunction", object{
		"functionDeclaration": `(send) => {
			const evaluate = async () => (` + expression + `);
			evaluate().then(
				(value) => send(JSON.stringify({ value: value ?? null })),
				(error) => send(JSON.stringify({ error: String(error) })),
			);
		}`,
		"arguments":    []object{{"type": "channel", "value": object{"channel": channel}}},
		"target":       object{"context": tab.context},
		"awaitPromise": false,
	}, &called)
	switch {
	case err != nil && (strings.Contains(err.Error(), "no such frame") || strings.Contains(err.Error(), "destroyed")):
		return nil, errors.Join(errLeft, err)
	case err != nil:
		return nil, err
	case called.ExceptionDetails != nil:
		return nil, errors.New(called.ExceptionDetails.Text)
	}
	select {
	case outcome := <-outcomes:
		if outcome.Error != "" {
			return nil, errors.New(outcome.Error)
		}
		return outcome.Value, nil
	case <-tab.end(called.Realm):
		return nil, errLeft
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// listen opens a channel on which a page can send an outcome.
func (f *firefox) listen() (string, chan outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	channel, outcomes := strconv.Itoa(f.last), make(chan outcome, 1)
	f.channels[channel] = outcomes
	return channel, outcomes
}

func (f *firefox) close(channel string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.channels, channel)
}

// end returns a channel that is closed once a navigation or a realm has ended. A realm is the world of one page's
// scripts.
func (f *firefox) end(id string) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ends[id] == nil {
		f.ends[id] = make(chan struct{})
	}
	return f.ends[id]
}

// ended closes the channel of a realm or navigation. Firefox may report a navigation twice.
func (f *firefox) ended(id string) {
	ended := f.end(id)
	select {
	case <-ended:
	default:
		close(ended)
	}
}

func (tab *firefoxTab) Click(ctx context.Context, x, y float64) error {
	return tab.act(ctx, object{"type": "pointer", "id": "mouse", "actions": []object{
		{"type": "pointerMove", "x": math.Floor(x), "y": math.Floor(y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	}})
}

func (tab *firefoxTab) Press(ctx context.Context, keys string) error {
	return tab.act(ctx, object{"type": "key", "id": "keyboard", "actions": keySteps(keys)})
}

func (tab *firefoxTab) act(ctx context.Context, device object) error {
	return tab.command(ctx, "input.performActions", object{"context": tab.context, "actions": []object{device}}, nil)
}

func (tab *firefoxTab) Picture(ctx context.Context) ([]byte, error) {
	var picture struct{ Data string }
	params := object{"context": tab.context}
	if err := tab.command(ctx, "browsingContext.captureScreenshot", params, &picture); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(picture.Data)
}
