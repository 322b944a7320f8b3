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

// patience is the time that a test waits for any condition.
const patience = time.Minute

// A driver drives one tab of a browser.
type driver interface {
	// Navigate and Reload return when the page has loaded.
	Navigate(ctx context.Context, url string) error
	Reload(ctx context.Context) error
	// Back goes to another document of the history, as the browser's button does.
	Back(ctx context.Context) error
	// Evaluate returns the value of an expression as JSON, after awaiting a promise. For undefined it returns null or
	// nothing. It may fail with errLeft.
	Evaluate(ctx context.Context, expression string) ([]byte, error)
	// Click presses and releases the mouse at a point of the viewport.
	Click(ctx context.Context, x, y float64) error
	// Press presses keys one after the other. Keys without a character are written as in package kb.
	Press(ctx context.Context, keys string) error
	// Picture returns the content of the window as a PNG.
	Picture(ctx context.Context) ([]byte, error)
}

// errLeft means that the page was left or loaded again before an expression had its value.
var errLeft = errors.New("the page was left")

// A sitePage is one tab, in any browser. Its methods end the test if they wait for a minute.
type sitePage struct {
	*testing.T
	Context  context.Context
	driver   driver
	console  lines  // messages of the browser
	expected string // part of errors that do not fail the test
}

// lines collects lines in one goroutine for another.
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

// watch makes the test fail if the browser has reported errors. If the test fails, watch keeps the page. Call watch
// once the driver exists.
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

// keep writes an image of the page, the HTML and the console into a folder of the test.
func (p *sitePage) keep() {
	folder, err := filepath.Abs(filepath.Join(tools, "failures", p.Name(), time.Now().Format("150405.000")))
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	// A test's own context has ended when its cleanup runs.
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

// do runs a step with a limited time.
func (p *sitePage) do(step func(ctx context.Context) error) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context, patience)
	defer cancel()
	p.Must(step(ctx))
}

// functions holds the functions in testdata. Expressions call them as page.name(…).
var functions *bundletest.Script

// fn returns an expression that calls a function in testdata, with arguments as JSON.
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

// evaluate returns the value of an expression as JSON, after awaiting a promise. If the driver can prepare a document,
// the document has the functions from the start. Otherwise it has them from the first expression on.
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

// eval returns the value of an expression, after awaiting a promise. A null fails the test unless T is struct{}, which
// stands for any value.
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

// on returns the value of a function in testdata.
func on[T any](v interface{ page() *sitePage }, function string, args ...any) T {
	v.page().Helper()
	return eval[T](v, fn(function, args...))
}

// errorsNameTheirLine is a flow for every engine: the error of a function in testdata names the function and the line.
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

// TestFunctionsAreCalled: a test or another function calls each function in testdata.
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

// later returns an expression that moves the clocks of the device and the service.
func later(time time.Duration) string { return fn("later", time.Milliseconds()) }

// ahead returns an expression that moves only the device's clock.
func ahead(time time.Duration) string { return fn("setClockAhead", time.Milliseconds()) }

func (p *sitePage) Must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// Until waits for an expression to become true. It evaluates the expression again whenever the page changes.
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

// Started waits until the script has taken over the server's HTML.
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

// Idle waits for the responses to the page's requests, and gives the page time to react. Use it in a test that a change
// does not happen, because there is no event to wait for.
func (p *sitePage) Idle() {
	p.Helper()
	on[struct{}](p, "idle")
}

// Hold stops the page's long timers, such as retries, while the page is open. Otherwise a slow machine might miss a
// control that the page shows for a limited time.
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

// Click presses and releases the mouse on a control. If the control moves away from under the mouse, Click looks for it
// again, and clicks nothing else.
func (p *sitePage) Click(name string) {
	p.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		p.Offers(name)
		point := on[[]float64](p, "meetNamed", name)
		if len(point) == 0 {
			continue
		}
		p.do(func(ctx context.Context) error { return p.driver.Click(ctx, point[0], point[1]) })
		// The click may have left the page, or may be leaving it.
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

// field calls a function in testdata for a field, once the field is on the page.
func field[T any](p *sitePage, function, label string, args ...any) T {
	p.Helper()
	p.Offers(label)
	return on[T](p, function, append([]any{label}, args...)...)
}

// Write replaces the text of a field, as if a visitor typed.
func (p *sitePage) Write(label, text string) {
	p.Helper()
	if !field[bool](p, "write", label, text) {
		p.Fatalf("field %q does not take %q", label, text)
	}
}

// Press presses keys on the focused element. Keys without a character are written as in package kb.
func (p *sitePage) Press(keys string) {
	p.Helper()
	p.do(func(ctx context.Context) error { return p.driver.Press(ctx, keys) })
}

// Focus focuses a field.
func (p *sitePage) Focus(label string) {
	p.Helper()
	field[struct{}](p, "focus", label)
}

// Copy clicks a button, and returns the copied text.
func (p *sitePage) Copy(name string) (text string) {
	p.Helper()
	on[struct{}](p, "noteCopy")
	p.Click(name)
	p.Until("what was copied", fn("copiedText"))
	return on[string](p, "copiedText")
}

// Pick sets a field that has a picker: a date, a time or a choice.
func (p *sitePage) Pick(label, value string) {
	p.Helper()
	if got := field[string](p, "pick", label, value); got != value {
		p.Fatalf("field %q does not take %q", label, value)
	}
}

// A box is the place of an element in the window.
type box struct{ Left, Top, Right, Bottom, Width, Height float64 }

// same fails the test unless two values are equal.
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

// is fails the test unless an expression has this value.
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

// Offers waits for a control with this name. NoDialog waits until the dialog is closed. FocusOn waits until an element
// that matches a selector has the focus. AllSent waits for the responses to all items of the device.
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

// Holds, At and HasFocus check the value of a field, the page's URL, and the focused element.
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
