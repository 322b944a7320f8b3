package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for anything.
const patience = time.Minute

//go:embed testdata/driving.js
var driving string

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

func (p *sitePage) evaluate(expression string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.Context, patience)
	defer cancel()
	return p.driver.Evaluate(ctx, expression)
}

// eval returns the value of an expression, awaited if it is a promise. Null is none, but struct{} takes any.
func eval[T any](v interface{ page() *sitePage }, expression string, args ...any) T {
	p := v.page()
	p.Helper()
	content, err := p.evaluate(quoted(expression, args))
	if err != nil {
		p.Fatalf("%s: %v", strings.TrimPrefix(expression, driving), err)
	}
	value := new(T)
	if _, none := any(*value).(struct{}); none {
		return *value
	}
	if err := json.Unmarshal(content, &value); err != nil || value == nil {
		p.Fatalf("%s is %q: %v", strings.TrimPrefix(expression, driving), content, err)
	}
	return *value
}

func (p *sitePage) Must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
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

// Until waits for an expression to become true, looking again whenever the page changes.
func (p *sitePage) Until(what, expression string, args ...any) {
	p.Helper()
	script := driving + `.until(() => ` + quoted(expression, args) + `)`
	_, err := p.evaluate(script)
	for end := time.Now().Add(patience); errors.Is(err, errLeft) && time.Now().Before(end); {
		_, err = p.evaluate(script)
	}
	if err != nil {
		p.Fatalf("waiting for %s: %v\nthe page says:\n%s", what, err, p.Text())
	}
}

// named is an expression for the visible control of this name, in the open dialog if there is one.
const named = `[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button, summary, a[href], input, select, textarea')].find((element) => {
	const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
	return label.replace(/[\u2068\u2069]/g, '').replace(/ · optional$/, '').trim() === %s && element.getClientRects().length;
})`

// started holds once the script has taken over the HTML from the server.
const started = `document.getElementById('language') && document.querySelector('main h1') && !document.querySelector('[data-organizer], [aria-busy], #rsvp [disabled]')`

// Open goes to a path of the site.
func (p *sitePage) Open(path string) {
	p.Helper()
	p.do(func(ctx context.Context) error { return p.driver.Navigate(ctx, base+path) })
	p.Until("the page", started)
}

func (p *sitePage) Reload() {
	p.Helper()
	p.do(p.driver.Reload)
	p.Until("the page", started)
}

// Idle waits for the answers to the page's requests, and gives it time to react to them, for tests
// that nothing happens: there is no event to wait for.
func (p *sitePage) Idle() {
	p.Helper()
	eval[struct{}](p, driving+`.idle()`)
}

// Hold stops the long timers of the page, such as retries, as long as it is open: a slow machine must not miss
// a control that is offered until then.
func (p *sitePage) Hold() {
	p.Helper()
	eval[struct{}](p, driving+`.hold()`)
}

func (p *sitePage) Path() string { return eval[string](p, `location.pathname + location.hash`) }

// shown is an expression for the text of the page, without the marks that isolate values in it.
const shown = `(document.body?.innerText ?? '').replace(/[\u2068\u2069]/g, '')`

func (p *sitePage) Text() string { return eval[string](p, shown) }

func (p *sitePage) Sees(texts ...string) {
	p.Helper()
	p.Until(fmt.Sprintf("%q", texts), `%s.every((text) => `+shown+`.includes(text))`, texts)
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
		p.Until(fmt.Sprintf("a control %q", name), named, name)
		point := eval[[]float64](p, driving+`.meet(`+named+`)`, name)
		if len(point) == 0 {
			continue
		}
		p.do(func(ctx context.Context) error { return p.driver.Click(ctx, point[0], point[1]) })
		// A page that was left by the click has no letGo, or is just being left.
		hit, err := p.evaluate(`window.letGo?.() ?? true`)
		if err != nil && !errors.Is(err, errLeft) {
			p.Fatal(err)
		}
		if string(hit) != "false" {
			return
		}
	}
	p.Fatalf("%q does not stand still to be clicked", name)
}

// field waits for a field, and returns the value of an expression, or of a function, with it.
func field[T any](p *sitePage, label, expression string, args ...any) T {
	p.Helper()
	p.Until(fmt.Sprintf("a field %q", label), named, label)
	return eval[T](p, `((field) => `+expression+`)(`+named+`)`, append(args, label)...)
}

// Write replaces the text of a field, as if typed.
func (p *sitePage) Write(label, text string) {
	p.Helper()
	if !field[bool](p, label, driving+`.write(field, %s)`, text) {
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
	field[struct{}](p, label, `void field.focus()`)
}

// Copy clicks, and returns the text for the clipboard.
func (p *sitePage) Copy(name string) (text string) {
	p.Helper()
	eval[struct{}](p, driving+`.noteCopy()`)
	p.Click(name)
	p.Until("what was copied", `'copied' in window`)
	return eval[string](p, `copied`)
}

// Pick sets a field that has a picker of its own: a date, a time, a choice.
func (p *sitePage) Pick(label, value string) {
	p.Helper()
	if got := field[string](p, label, driving+`.pick(field, %s)`, value); got != value {
		p.Fatalf("field %q does not take %q", label, value)
	}
}

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
func is[T any](v interface{ page() *sitePage }, expression string, want T, args ...any) {
	v.page().Helper()
	same(v, expression, eval[T](v, expression, args...), want)
}

// Check fails the test unless an expression is true.
func (p *sitePage) Check(what, expression string, args ...any) {
	p.Helper()
	if !eval[bool](p, `Boolean(`+expression+`)`, args...) {
		p.Error(what, "is not true")
	}
}

// Holds, At and HasFocus check the value of a field, the address of the page, and the focused element.
func (p *sitePage) Holds(label, want string) {
	p.Helper()
	p.Until(fmt.Sprintf("%q in %s", want, label), `(`+named+`)?.value === %s`, label, want)
}

func (p *sitePage) At(path string) {
	p.Helper()
	p.Until("the address "+path, `location.pathname + location.hash === %s`, path)
}

func (p *sitePage) HasFocus(name string) {
	p.Helper()
	same(p, "the focus is on", p.Focused(), name)
}

func (p *sitePage) Focused() string {
	return eval[string](p, `(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement).replace(/[\u2068\u2069]/g, '').trim()`)
}
