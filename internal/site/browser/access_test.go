package browser

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"turnout/internal/site/locale"
)

// narrow is the smallest screen that is supported.
var narrow = manner{Width: 320, Height: 640}

// fitsNarrowScreen checks that nothing scrolls sideways, with text of the usual size and of twice that.
func fitsNarrowScreen(v *visitor) {
	v.Helper()
	for _, size := range []string{"100%", "200%"} {
		for _, problem := range eval[[]string](v, `(() => {
			document.documentElement.style.fontSize = %s;
			const found = [...document.querySelectorAll('html, dialog')].filter((box) => box.scrollWidth > box.clientWidth).map((box) => {
				const last = [...box.querySelectorAll('*')].reduce((a, b) => (b.getBoundingClientRect().right > a.getBoundingClientRect().right ? b : a));
				return location.pathname + ' in ' + document.documentElement.lang + ': ' + box.nodeName + ' scrolls from ' + box.clientWidth + ' to ' + box.scrollWidth + ' px: ' + last.outerHTML.slice(0, 100);
			});
			document.documentElement.style.removeProperty('font-size');
			return found;
		})()`, size) {
			v.Errorf("text of %s: %s", size, problem)
		}
	}
}

// Axe fails the test with axe-core's findings, undecided ones too, by all rules or by one.
func (v *visitor) Axe(rule, when string) {
	v.Helper()
	if !eval[bool](v, `'axe' in window`) {
		eval[struct{}](v, string(axe)+"; ({})")
	}
	report := eval[struct {
		Passes   int
		Problems []struct {
			ID, Help string
			Nodes    []string
		}
	}](v, `axe.run(document, {
		rules: { 'target-size': { enabled: true } },
		...(%s && { runOnly: [%s] }),
	}).then(({ passes, violations, incomplete }) => ({
		passes: passes.length,
		problems: [...violations, ...incomplete].map(({ id, help, nodes }) =>
			({ id, help, nodes: nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary) })),
	}))`, rule, rule)
	if report.Passes == 0 {
		v.Error("axe checked nothing")
	}
	for _, problem := range report.Problems {
		v.Errorf("%s, %s: %s: %s\n%s", v.Path(), when, problem.ID, problem.Help, strings.Join(problem.Nodes, "\n"))
	}
}

// cutOff are the texts that their boxes cut off. Fields may hold longer values, and boxes of users' text keep it.
//
//go:embed testdata/cut-off.js
var cutOff string

// TestNothingIsCutOff: at 360 px, in each language and in each state that its words make long, with text of the usual
// size and of twice that.
func TestNothingIsCutOff(t *testing.T) {
	abroad := supper("timezone", "America/Argentina/Buenos_Aires", "dateTime", "2099-12-12T19:30:00-03:00")
	coming, off := announce(t, abroad, guests...), announce(t, supper(), "Ada")
	cancel(t, off, "")
	moved, done, long := movedEvent(t), announce(t, days(-1), "Ada"), announce(t, past())
	today, theirs := announce(t, days(0), "Ada"), announce(t, days(0), "Ada")
	for _, path := range []string{
		"/", "/?new", "/nowhere", "/e/00000000-0000-4000-8000-000000000000", coming.public() + "#organizer=x", coming.public(), coming.private(),
		off.public(), off.private(), done.public(), done.private(), long.public(), long.private(),
		moved.public(), moved.private(), "/?change=" + coming.EventToken,
	} {
		t.Run(path, func(t *testing.T) {
			v := newVisitor(t, manner{Width: 360, Height: 780}, coming.private())
			v.Open(coming.public())
			come(v, "Anna")
			if path == "/" {
				v.Open(today.private())
				remember(v, theirs, "Anna")
			}
			v.Open(path)
			for _, language := range locale.Languages() {
				choose(v, language)
				for _, targets := range []string{"h1, details:not([open]) > summary", "#check-in, #announce [type=submit]", "#cancel"} {
					if eval[int](v, `[...document.querySelectorAll(%s)].filter((one) => !one.click()).length`, targets) > 0 {
						for _, problem := range eval[[]string](v, cutOff) {
							t.Error(problem)
						}
					}
				}
				eval[struct{}](v, `document.querySelector('dialog[open]')?.close()`)
			}
		})
	}
}

// In forced colours the primary button, the chosen day and the visitor's own marks have
// colours of the system, and differ from their surroundings.
func TestForcedColours(t *testing.T) {
	_, v := invited(t, guests[:3]...)
	primary := eval[string](v, `getComputedStyle(document.querySelector('.primary')).backgroundColor`)
	v.Check("the next stroke is dashed", `getComputedStyle(document.querySelector('.facts .tally .next')).strokeDasharray !== 'none'`)
	come(v, "Anna")
	own := eval[string](v, `getComputedStyle(document.querySelector('.facts .tally .own')).stroke`)
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}})
	v.Check("strokes have colours of their own", `new Set([%s, getComputedStyle(document.body).backgroundColor,
		...['.own', 'path:not(.own, .halo)'].map((one) => getComputedStyle(document.querySelector('.facts .tally ' + one)).stroke)]).size === 4`, own)
	v.Open("/?new")
	eval[struct{}](v, `void document.querySelector('.chips button').click()`)
	v.Check("the primary button and the chosen day have a colour of their own", `['.primary', '.chips button'].every((button) => {
		const { backgroundColor, color } = getComputedStyle(document.querySelector(button));
		return ![%s, color, getComputedStyle(document.querySelector('.chips button:last-child')).backgroundColor].includes(backgroundColor);
	})`, primary)
}

// The accessible name of a button contains its text, also while it says that it copied.
func TestNameOfTheCopyButton(t *testing.T) {
	_, v := organizing(t)
	v.Open("/")
	v.Click("More for Rooftop supper")
	eval[struct{}](v, `void (() => {
		navigator.clipboard.writeText = async () => {};
		const button = document.querySelector('.entries button');
		window.seen = [];
		const look = () => seen.push(button.textContent);
		look();
		new MutationObserver(look).observe(button, { childList: true, characterData: true, subtree: true }); // a drawing keeps the node
		button.click();
	})()`)
	const before = "Copy link"
	v.Until("the label to come back", `seen.length > 2 && seen.at(-1) === %s`, before)
	is(v, `seen`, []string{before, "Copied", before})
}
