package browser

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// Firefox is a running Firefox without a window, driven by WebDriver BiDi
// (https://www.w3.org/TR/webdriver-bidi/) over a WebSocket. Few commands are needed,
// and there is no maintained client for Go; Debian has no geckodriver, which the older
// protocol needs.
type Firefox struct {
	conn      *websocket.Conn
	connected context.Context
	mu        sync.Mutex
	last      int
	waiting   map[int]chan answer
	trouble   map[string]*Lines // by the tab's context
}

// An answer is the result of a command or, without an id, an event.
type answer struct {
	ID             int
	Result         json.RawMessage
	Error, Message string
	Params         struct {
		Level, Text string
		Source      struct{ Context string }
	}
}

var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// StartFirefox starts the browser that FIREFOX names, or firefox-esr. A
// *MissingError says what is not installed.
func StartFirefox() (f *Firefox, stop func(), err error) {
	path, err := exec.LookPath(cmp.Or(os.Getenv("FIREFOX"), "firefox-esr"))
	if err != nil {
		return nil, nil, &MissingError{"Firefox is missing: apt-get install firefox-esr, or name another in FIREFOX"}
	}
	run, err := newPrograms()
	if err != nil {
		return nil, nil, err
	}
	connected, disconnect := context.WithCancel(context.Background())
	end := func() {
		disconnect()
		run.stop()
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	program := exec.Command(path, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", run.home)
	out, err := program.StderrPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := run.start(program); err != nil {
		return nil, nil, err
	}
	silent := time.AfterFunc(patience, func() { _ = program.Process.Kill() })
	var said, address string
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); said += lines.Text() + "\n" {
		if match := listening.FindStringSubmatch(lines.Text()); match != nil {
			address = match[1]
		}
	}
	silent.Stop()
	if address == "" {
		return nil, nil, fmt.Errorf("cannot start Firefox: %s", said)
	}
	go io.Copy(io.Discard, out)
	ctx, cancel := context.WithTimeout(connected, patience)
	defer cancel()
	f = &Firefox{connected: connected, waiting: map[int]chan answer{}, trouble: map[string]*Lines{}}
	if f.conn, _, err = websocket.Dial(ctx, address+"/session", nil); err != nil {
		return nil, nil, err
	}
	f.conn.SetReadLimit(-1)
	go f.read(disconnect)
	if err := f.command(ctx, "session.new", object{"capabilities": object{}}, nil); err != nil {
		return nil, nil, err
	}
	if err := f.command(ctx, "session.subscribe", object{"events": []string{"log.entryAdded"}}, nil); err != nil {
		return nil, nil, err
	}
	return f, end, nil
}

func (f *Firefox) read(disconnect func()) {
	defer disconnect()
	for {
		var a answer
		if err := wsjson.Read(f.connected, f.conn, &a); err != nil {
			return
		}
		f.mu.Lock()
		if lines := f.trouble[a.Params.Source.Context]; lines != nil && a.Params.Level == "error" {
			lines.Add(a.Params.Text)
		}
		if wait := f.waiting[a.ID]; wait != nil {
			wait <- a
		}
		f.mu.Unlock()
	}
}

// command sends a command, and decodes its result.
func (f *Firefox) command(ctx context.Context, method string, params object, result any) error {
	wait := make(chan answer, 1)
	f.mu.Lock()
	f.last++
	id := f.last
	f.waiting[id] = wait
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.waiting, id)
		f.mu.Unlock()
	}()
	if err := wsjson.Write(ctx, f.conn, object{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	select {
	case a := <-wait:
		if a.Error != "" {
			return fmt.Errorf("%s: %s: %s", method, a.Error, a.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(a.Result, result)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case <-f.connected.Done():
		return errors.New("the connection to Firefox has ended")
	}
}

// Page opens a tab that shares nothing with others', for the site at base. What
// the page complains about fails the test.
func (f *Firefox) Page(t *testing.T, base string) *Page {
	t.Helper()
	var trouble Lines
	var user struct{ UserContext string }
	var tab struct{ Context string }
	p := &Page{T: t, Context: t.Context(), base: base}
	p.watch(&trouble)
	send := func(method string, params object, result any) {
		t.Helper()
		p.do(func(ctx context.Context) error { return f.command(ctx, method, params, result) })
	}
	send("browser.createUserContext", object{}, &user)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(f.connected, patience)
		defer cancel()
		if err := f.command(ctx, "browser.removeUserContext", object{"userContext": user.UserContext}, nil); err != nil {
			t.Error(err)
		}
	})
	send("browsingContext.create", object{"type": "tab", "userContext": user.UserContext}, &tab)
	f.mu.Lock()
	f.trouble[tab.Context] = &trouble
	f.mu.Unlock()
	p.driver = firefoxTab{f, tab.Context}
	p.Size(1280, 900)
	return p
}

type firefoxTab struct {
	*Firefox
	context string
}

func (tab firefoxTab) Navigate(ctx context.Context, url string) error {
	return tab.command(ctx, "browsingContext.navigate", object{"context": tab.context, "url": url, "wait": "complete"}, nil)
}

func (tab firefoxTab) Reload(ctx context.Context) error {
	return tab.command(ctx, "browsingContext.reload", object{"context": tab.context, "wait": "complete"}, nil)
}

func (tab firefoxTab) Evaluate(ctx context.Context, expression string) ([]byte, error) {
	var answer struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := tab.command(ctx, "script.evaluate", object{
		"expression":   `Promise.resolve(` + expression + `).then((value) => JSON.stringify(value ?? null))`,
		"target":       object{"context": tab.context},
		"awaitPromise": true,
	}, &answer)
	if err == nil && answer.ExceptionDetails.Text != "" {
		err = errors.New(answer.ExceptionDetails.Text)
	}
	return []byte(answer.Result.Value), err
}

func (tab firefoxTab) Click(ctx context.Context, x, y float64) error {
	return tab.command(ctx, "input.performActions", object{"context": tab.context, "actions": click(x, y)}, nil)
}

func (tab firefoxTab) Type(ctx context.Context, text string) error {
	return tab.command(ctx, "input.performActions", object{"context": tab.context, "actions": keystrokes(text)}, nil)
}

func (tab firefoxTab) Size(ctx context.Context, width, height int) error {
	return tab.command(ctx, "browsingContext.setViewport", object{"context": tab.context, "viewport": object{"width": width, "height": height}}, nil)
}
