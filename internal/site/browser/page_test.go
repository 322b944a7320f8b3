package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/site/bundle/bundletest"
)

// patience is how long a test waits for anything.
const patience = time.Minute

// A driver drives one tab of a browser.
type driver interface {
	// Navigate and Reload return when the page has loaded.
	Navigate(ctx context.Context, url string) error
	Reload(ctx context.Context) error
	// Evaluate returns the value of an expression as JSON, awaited where it is a
	// promise. Undefined is null, or nothing. It may fail with errLeft.
	Evaluate(ctx context.Context, expression string) ([]byte, error)
	// Click presses and releases the mouse at a point of the viewport.
	Click(ctx context.Context, x, y float64) error
	// Press presses keys one after the other, those without a character as in package kb.
	Press(ctx context.Context, keys string) error
	// Picture returns the content of the window as a PNG.
	Picture(ctx context.Context) ([]byte, error)
}

// errLeft means that the page was left, or loaded again, before an expression had its value.
var errLeft = errors.New("the page was left")

// A sitePage is one tab, in any browser. Its methods end the test if they wait for a minute.
type sitePage struct {
	*testing.T
	Context  context.Context
	driver   driver
	console  lines  // what the browser reported
	expected string // part of complaints that do not fail the test
}

// lines are collected by one goroutine and read by another.
type lines struct {
	sync.Mutex
	all []string
}

func (l *lines) Add(line string) {
	l.Lock()
	defer l.Unlock()
	l.all = append(l.all, line)
}

func (l *lines) Take() []string {
	l.Lock()
	defer l.Unlock()
	return slices.Clone(l.all)
}

func (p *sitePage) page() *sitePage { return p }

const complaint = "the browser complains: "

// complain records an error, which fails the test.
func (p *sitePage) complain(line string) { p.console.Add(complaint + line) }

// watch makes the test fail with the errors that the browser has reported, and keep the page if
// it fails. Call it once the driver is there.
func (p *sitePage) watch() {
	p.Cleanup(func() {
		for _, line := range p.console.Take() {
			if strings.HasPrefix(line, complaint) && (p.expected == "" || !strings.Contains(line, p.expected)) {
				p.Error(line)
			}
		}
		if p.Failed() {
			p.keep()
		}
	})
}

// keep writes a picture of the page, its HTML and its console into a folder of the test.
func (p *sitePage) keep() {
	folder, err := filepath.Abs(filepath.Join(tools, "failures", p.Name(), time.Now().Format("150405.000")))
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	// The context of a test has ended when its cleanup runs.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.Context), patience)
	defer cancel()
	picture, noPicture := p.driver.Picture(ctx)
	html, noHTML := p.driver.Evaluate(ctx, `document.documentElement.outerHTML`)
	var text string
	_ = json.Unmarshal(html, &text)
	err = errors.Join(err, noPicture, noHTML,
		os.WriteFile(filepath.Join(folder, "page.png"), picture, 0o644),
		os.WriteFile(filepath.Join(folder, "page.html"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(folder, "console.txt"), []byte(strings.Join(p.console.Take(), "\n")), 0o644))
	p.Logf("picture, HTML and console are in %s (%v)", folder, err)
}

// do gives a step its time.
func (p *sitePage) do(step func(ctx context.Context) error) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context, patience)
	defer cancel()
	p.Must(step(ctx))
}

// functions holds the helpers of testdata. Expressions call them as page.name(…).
var functions *bundletest.Script

// fn is an expression that calls a function of the page, with arguments as JSON.
func fn(name string, args ...any) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			panic(err)
		}
		texts[i] = string(text)
	}
	return fmt.Sprintf("page.%s(%s)", name, strings.Join(texts, ", "))
}

// evaluate returns the value of an expression as JSON, awaited if it is a promise. A document has the functions from
// its beginning on, as the driver's preparation runs there, or else from the first expression on.
func (p *sitePage) evaluate(expression string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.Context, patience)
	defer cancel()
	call := `page.outcome(async () => (` + expression + `))`
	content, err := p.driver.Evaluate(ctx, `globalThis.page && `+call)
	if err == nil && (len(content) == 0 || string(content) == "null") {
		content, err = p.driver.Evaluate(ctx, `(`+functions.Code+`, `+call+`)`)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	var outcome struct {
		Value json.RawMessage
		Error string
		Lines []int
	}
	if err := json.Unmarshal(content, &outcome); err != nil {
		return nil, fmt.Errorf("%s: %w in %q", expression, err, content)
	}
	if outcome.Error != "" {
		isOutcome := func(place string) bool { return strings.HasPrefix(place, "testdata/calls.ts:") }
		places := slices.DeleteFunc(functions.Places(outcome.Lines), isOutcome)
		return nil, fmt.Errorf("%s: %s %v", expression, outcome.Error, places)
	}
	return outcome.Value, nil
}

// eval returns the value of an expression, awaited if it is a promise. Null is none, but struct{} takes any.
func eval[T any](v interface{ page() *sitePage }, expression string) T {
	p := v.page()
	p.Helper()
	content, err := p.evaluate(expression)
	p.Must(err)
	value := new(T)
	if _, none := any(*value).(struct{}); none {
		return *value
	}
	if err := json.Unmarshal(content, &value); err != nil || value == nil {
		p.Fatalf("%s is %q: %v", expression, content, err)
	}
	return *value
}

// on returns the value of a function of the page.
func on[T any](v interface{ page() *sitePage }, function string, args ...any) T {
	v.page().Helper()
	return eval[T](v, fn(function, args...))
}

// errorsNameTheirLine is a flow for every engine: the error of a function of the page names it, and its line.
func errorsNameTheirLine(p *sitePage, _ string) {
	source, err := os.ReadFile("testdata/driving.ts")
	p.Must(err)
	before, _, _ := strings.Cut(string(source), "throw new Error(`${name} is no field`)")
	_, err = p.evaluate(fn("focus", "Nobody"))
	line := strings.Count(before, "\n") + 1
	want := fmt.Sprintf(`page.focus("Nobody"): Error: Nobody is no field [testdata/driving.ts:%d`, line)
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		p.Errorf("the error is %v, want %s", err, want)
	}
}

// TestFunctionsAreCalled: each function of the page is called by a test, or by another function.
func TestFunctionsAreCalled(t *testing.T) {
	tests, _ := filepath.Glob("*_test.go")
	modules, _ := filepath.Glob("testdata/*.ts")
	var sources []byte
	for _, name := range slices.Concat(tests, modules) {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source...)
	}
	exported := regexp.MustCompile(`(?m)^export (?:async )?(?:function|const) (\w+)`)
	for _, match := range exported.FindAllSubmatch(sources, -1) {
		if mentions := regexp.MustCompile(`\b`+string(match[1])+`\b`).FindAllIndex(sources, 2); len(mentions) < 2 {
			t.Errorf("nothing calls %s", match[1])
		}
	}
}

const day = 24 * time.Hour

// later is an expression that moves the clocks of the device and the service.
func later(time time.Duration) string { return fn("later", time.Milliseconds()) }

// ahead is an expression that moves the clock of the device alone.
func ahead(time time.Duration) string { return fn("setClockAhead", time.Milliseconds()) }

func (p *sitePage) Must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// Until waits for an expression to become true, looking again whenever the page changes.
func (p *sitePage) Until(what, expression string) {
	p.Helper()
	script := `page.until(() => ` + expression + `)`
	_, err := p.evaluate(script)
	for end := time.Now().Add(patience); errors.Is(err, errLeft) && time.Now().Before(end); {
		_, err = p.evaluate(script)
	}
	if err != nil {
		p.Fatalf("waiting for %s: %v\nthe page says:\n%s", what, err, p.Text())
	}
}

// Started waits until the script has taken over the HTML from the server.
func (p *sitePage) Started() {
	p.Helper()
	p.Until("the page", fn("started"))
}

// Open goes to a path of the site.
func (p *sitePage) Open(path string) {
	p.Helper()
	p.do(func(ctx context.Context) error { return p.driver.Navigate(ctx, base+path) })
	p.Started()
}

func (p *sitePage) Reload() {
	p.Helper()
	p.do(p.driver.Reload)
	p.Started()
}

// Idle waits for the answers to the page's requests, and gives it time to react to them, for tests
// that nothing happens: there is no event to wait for.
func (p *sitePage) Idle() {
	p.Helper()
	on[struct{}](p, "idle")
}

// Hold stops the long timers of the page, such as retries, as long as it is open: a slow machine must not miss
// a control that is offered until then.
func (p *sitePage) Hold() {
	p.Helper()
	on[struct{}](p, "hold")
}

func (p *sitePage) Path() string { return on[string](p, "path") }

// Text returns the page's text without bidi isolates.
func (p *sitePage) Text() string { return on[string](p, "shown") }

func (p *sitePage) Sees(texts ...string) {
	p.Helper()
	p.Until(fmt.Sprintf("%q", texts), fn("shows", texts))
}

// SeesNoMore waits until the page no longer says a text.
func (p *sitePage) SeesNoMore(text string) {
	p.Helper()
	p.Until(fmt.Sprintf("no %q", text), `!`+fn("shows", []string{text}))
}

func (p *sitePage) SeesNot(texts ...string) {
	p.Helper()
	for _, text := range texts {
		if said := p.Text(); strings.Contains(said, text) {
			p.Errorf("the page says %q:\n%s", text, said)
		}
	}
}

// Click presses and releases the mouse on a control. One that moves away from under
// the mouse is looked for again, and nothing else is clicked instead.
func (p *sitePage) Click(name string) {
	p.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		p.Offers(name)
		point := on[[]float64](p, "meetNamed", name)
		if len(point) == 0 {
			continue
		}
		p.do(func(ctx context.Context) error { return p.driver.Click(ctx, point[0], point[1]) })
		// The click may have left the page, or is just leaving it.
		hit, err := p.evaluate(fn("letGo"))
		if err != nil && !errors.Is(err, errLeft) {
			p.Fatal(err)
		}
		if string(hit) != "false" {
			return
		}
	}
	p.Fatalf("%q does not stand still to be clicked", name)
}

// field calls a function of the page for a field, once that is there.
func field[T any](p *sitePage, function, label string, args ...any) T {
	p.Helper()
	p.Offers(label)
	return on[T](p, function, append([]any{label}, args...)...)
}

// Write replaces the text of a field, as if typed.
func (p *sitePage) Write(label, text string) {
	p.Helper()
	if !field[bool](p, "write", label, text) {
		p.Fatalf("field %q does not take %q", label, text)
	}
}

// Press presses keys, those without a character as in package kb, on the focused element.
func (p *sitePage) Press(keys string) {
	p.Helper()
	p.do(func(ctx context.Context) error { return p.driver.Press(ctx, keys) })
}

// Focus puts the focus on a field.
func (p *sitePage) Focus(label string) {
	p.Helper()
	field[struct{}](p, "focus", label)
}

// Copy clicks, and returns the text for the clipboard.
func (p *sitePage) Copy(name string) (text string) {
	p.Helper()
	on[struct{}](p, "noteCopy")
	p.Click(name)
	p.Until("what was copied", fn("copiedText"))
	return on[string](p, "copiedText")
}

// Pick sets a field that has a picker of its own: a date, a time, a choice.
func (p *sitePage) Pick(label, value string) {
	p.Helper()
	if got := field[string](p, "pick", label, value); got != value {
		p.Fatalf("field %q does not take %q", label, value)
	}
}

// A box is the place of an element in the window.
type box struct{ Left, Top, Right, Bottom, Width, Height float64 }

// same fails the test unless a value is the one that is wanted.
func same[T any](v interface{ page() *sitePage }, what string, got, want T) {
	p := v.page()
	p.Helper()
	if !reflect.DeepEqual(got, want) {
		p.Errorf("at %s: %s: %#v, want %#v", p.Path(), what, got, want)
	}
}

// says fails the test unless a text contains these parts.
func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

// is fails the test unless an expression has the value that is wanted.
func is[T any](v interface{ page() *sitePage }, expression string, want T) {
	v.page().Helper()
	same(v, expression, eval[T](v, expression), want)
}

// Check fails the test unless an expression is true.
func (p *sitePage) Check(what, expression string) {
	p.Helper()
	if !eval[bool](p, `Boolean(`+expression+`)`) {
		p.Error(what, "is not true")
	}
}

// Offers waits for a control of this name, NoDialog for the end of the question that is asked, FocusOn for the focus on
// an element that a selector matches, and AllSent for the answers to what the device sends.
func (p *sitePage) Offers(name string) {
	p.Helper()
	p.Until(fmt.Sprintf("a control %q", name), fn("named", name))
}

func (p *sitePage) NoDialog() {
	p.Helper()
	p.Until("no dialog", `!document.querySelector('dialog')`)
}

func (p *sitePage) FocusOn(selector string) {
	p.Helper()
	p.Until("the focus on "+selector, fn("hasFocus", selector))
}

func (p *sitePage) AllSent() {
	p.Helper()
	unseen(p, fn("outboxIsEmpty"))
}

// Holds, At and HasFocus check the value of a field, the address of the page, and the focused element.
func (p *sitePage) Holds(label, want string) {
	p.Helper()
	p.Until(fmt.Sprintf("%q in %s", want, label), fn("hasValue", label, want))
}

func (p *sitePage) At(path string) {
	p.Helper()
	p.Until("the address "+path, fn("isAt", path))
}

func (p *sitePage) HasFocus(name string) {
	p.Helper()
	same(p, "the focus is on", p.Focused(), name)
}

func (p *sitePage) Focused() string { return on[string](p, "focused") }
