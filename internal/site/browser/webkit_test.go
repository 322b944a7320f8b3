package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// webkit opens pages in one WebKitGTK, on a display of its own. WebKitWebDriver drives it by WebDriver
// (https://www.w3.org/TR/webdriver2/). The tests need few commands, and tebeka/selenium, the client for Go, has not
// been maintained since 2021.
type webkit struct{ session string } // the session's URL

// startWebKit starts the driver and a browser, which end with the test. If a program is not installed, it skips the
// test.
func startWebKit(t *testing.T) *webkit {
	t.Helper()
	for _, program := range []string{"WebKitWebDriver", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") != "true" {
			t.Skipf("%s is %v: apt-get install webkit2gtk-driver xvfb", program, errMissing)
		}
	}
	home, err := os.MkdirTemp("", "webkit-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	start := func(program *exec.Cmd, environment ...string) {
		program.Env = append(os.Environ(), append(environment, "TZ=Europe/Berlin", "LC_ALL=en_US.UTF-8",
			"HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home)...)
		program.Cancel, program.WaitDelay = func() error { return program.Process.Signal(syscall.SIGTERM) }, patience
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = program.Wait() })
	}
	// An X server without a given display chooses one, and writes its number. Browsers that outlive the driver end with
	// the X server.
	number, inherited, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer number.Close()
	options := []string{"-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset"}
	server := exec.CommandContext(t.Context(), "Xvfb", options...)
	server.ExtraFiles = []*os.File{inherited}
	start(server)
	inherited.Close()
	display, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		t.Fatal("no display from Xvfb:", err)
	}
	// The driver cannot choose a port itself. This port is outside the range from which systems choose ports, so that
	// no other program gets it meanwhile.
	port := strconv.Itoa(20_000 + rand.IntN(10_000))
	start(exec.CommandContext(t.Context(), "WebKitWebDriver", "--port="+port),
		"DISPLAY=:"+strings.TrimSpace(display), "GDK_BACKEND=x11", "MESA_SHADER_CACHE_DISABLE=true",
		"WEBKIT_SKIA_ENABLE_CPU_RENDERING=1") // a graphics card simulated in software is slower
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	limit := patience.Milliseconds()
	capabilities := object{"alwaysMatch": object{"timeouts": object{"script": limit, "pageLoad": limit}}}
	for w := (&webkit{"http://127.0.0.1:" + port + "/session"}); ; {
		var session struct{ SessionID string }
		err := w.command(ctx, "", object{"capabilities": capabilities}, &session)
		if err == nil {
			w.session += "/" + session.SessionID
			return w
		}
		select {
		case <-ctx.Done():
			t.Fatal("no browser from WebKitWebDriver:", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

type object map[string]any

// command sends a command and decodes the value of the response. Without parameters it sends a GET.
func (w *webkit) command(ctx context.Context, path string, params object, value any) error {
	method, body := http.MethodGet, []byte(nil)
	if params != nil {
		var err error
		if body, err = json.Marshal(params); err != nil {
			return err
		}
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, w.session+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, answer.Value)
	}
	if value == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, value)
}

// Page opens the browser without stored data, about as narrow as a phone. Errors of the page fail the test.
func (w *webkit) Page(t *testing.T) *sitePage {
	t.Helper()
	alone(t)
	p := &sitePage{T: t, Context: t.Context()}
	tab := &webkitTab{webkit: w, page: p}
	p.driver = tab
	p.watch()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, _ = tab.Evaluate(ctx, "0") // get the last collected errors
	})
	p.do(func(ctx context.Context) error {
		return tab.command(ctx, "/window/rect", object{"width": 390, "height": 844}, nil)
	})
	p.Open("/nothing")
	eval[struct{}](p, `void (localStorage.clear(), sessionStorage.clear())`)
	return p
}

type webkitTab struct {
	*webkit
	page *sitePage
}

// WebDriver reports no errors of a page, so the page collects them and sends them with the next value. Errors during
// loading are missed.
func (tab *webkitTab) Navigate(ctx context.Context, url string) error {
	return tab.load(ctx, "/url", object{"url": url})
}

func (tab *webkitTab) Reload(ctx context.Context) error { return tab.load(ctx, "/refresh", object{}) }

func (tab *webkitTab) Back(ctx context.Context) error { return tab.load(ctx, "/back", object{}) }

func (tab *webkitTab) load(ctx context.Context, command string, params object) error {
	// Get the last page's collected errors, before loading another page loses them.
	if _, err := tab.Evaluate(ctx, "0"); err != nil && !errors.Is(err, errLeft) {
		return err
	}
	if err := tab.command(ctx, command, params, nil); err != nil {
		return err
	}
	script := functions.Code + ";" + fn("collectTrouble") + ";" + fn("count")
	return tab.command(ctx, "/execute/sync", object{"script": script, "args": []any{}}, nil)
}

func (tab *webkitTab) Evaluate(ctx context.Context, expression string) ([]byte, error) {
	var answer struct {
		Value   json.RawMessage
		Error   string
		Trouble []string
	}
	err := tab.command(ctx, "/execute/async", object{"script": `
		const done = arguments[0], trouble = () => globalThis.page?.takeTrouble();
		Promise.resolve(` + expression + `).then(
			(value) => done({ value: value ?? null, trouble: trouble() }),
			(error) => done({ error: String(error), trouble: trouble() }));`, "args": []any{}}, &answer)
	if err != nil && strings.Contains(err.Error(), "no such frame") {
		err = errors.Join(errLeft, err)
	}
	for _, line := range answer.Trouble {
		tab.page.complain(line)
	}
	if err == nil && answer.Error != "" {
		err = errors.New(answer.Error)
	}
	return answer.Value, err
}

func (tab *webkitTab) Click(ctx context.Context, x, y float64) error {
	return tab.act(ctx, object{"type": "pointer", "id": "mouse", "actions": []object{
		{"type": "pointerMove", "x": math.Floor(x), "y": math.Floor(y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	}})
}

func (tab *webkitTab) act(ctx context.Context, device object) error {
	return tab.command(ctx, "/actions", object{"actions": []object{device}}, nil)
}

// These code points stand for keys without a character (https://www.w3.org/TR/webdriver2/#keyboard-actions).
var codePoints = strings.NewReplacer(
	kb.Backspace, "\ue003",
	kb.Tab, "\ue004",
	kb.Enter, "\ue006",
	"\n", "\ue006",
	kb.Escape, "\ue00c",
)

// keySteps returns the steps that press and release each key.
func keySteps(keys string) (steps []object) {
	for _, key := range codePoints.Replace(keys) {
		for _, step := range []string{"keyDown", "keyUp"} {
			steps = append(steps, object{"type": step, "value": string(key)})
		}
	}
	return steps
}

func (tab *webkitTab) Press(ctx context.Context, keys string) error {
	return tab.act(ctx, object{"type": "key", "id": "keyboard", "actions": keySteps(keys)})
}

func (tab *webkitTab) Picture(ctx context.Context) (picture []byte, err error) {
	err = tab.command(ctx, "/screenshot", nil, &picture)
	return picture, err
}
