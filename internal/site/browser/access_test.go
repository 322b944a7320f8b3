package browser

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"turnout/internal/site/locale"
)

// narrow is the smallest supported screen.
var narrow = manner{Width: 320, Height: 640}

// fitsNarrowScreen checks that no part of the page scrolls sideways, with text of the usual size and of twice that
// size.
func fitsNarrowScreen(v *visitor) {
	v.Helper()
	for _, size := range []string{"100%", "200%"} {
		for _, problem := range on[[]string](v, "scrollsSideways", size) {
			v.Errorf("text of %s: %s", size, problem)
		}
	}
}

// Axe fails the test with axe-core's findings, by all rules or by one rule. It reports undecided findings, too.
func (v *visitor) Axe(rule, when string) {
	v.Helper()
	if !eval[bool](v, `'axe' in window`) {
		v.do(func(ctx context.Context) error {
			_, err := v.driver.Evaluate(ctx, string(axe)+"; 0")
			return err
		})
	}
	type findings struct {
		Passes   int
		Problems []struct {
			ID, Help string
			Nodes    []string
		}
	}
	report := on[findings](v, "axeFindings", rule)
	if report.Passes == 0 {
		v.Error("axe checked nothing")
	}
	for _, problem := range report.Problems {
		v.Errorf("%s, %s: %s: %s\n%s", v.Path(), when, problem.ID, problem.Help, strings.Join(problem.Nodes, "\n"))
	}
}

// TestNothingIsCutOff: at 360 px no text is cut off, in each language and in each state with long texts. The text has
// the usual size and twice that size.
func TestNothingIsCutOff(t *testing.T) {
	abroad := supper("timezone", "America/Argentina/Buenos_Aires", "dateTime", "2099-12-12T19:30:00-03:00")
	coming, off := announce(t, abroad, guests...), announce(t, supper(), "Ada")
	cancel(t, off, "")
	moved, done, long := movedEvent(t), announce(t, days(-1), "Ada"), announce(t, past())
	today, theirs := announce(t, days(0), "Ada"), announce(t, days(0), "Ada")
	v := newVisitor(t, manner{Width: 360, Height: 780}, coming.private(), coming.public())
	come(v, "Anna")
	v.Open(today.private())
	remember(v, theirs, "Anna")
	for _, path := range []string{
		"/", "/?new", "/nowhere", "/e/00000000-0000-4000-8000-000000000000",
		coming.public() + "#organizer=x", coming.public(), coming.private(),
		off.public(), off.private(), done.public(), done.private(), long.public(), long.private(),
		moved.public(), moved.private(), "/?change=" + coming.EventToken,
	} {
		v.Open(path)
		eval[struct{}](v, `Promise.all([...document.fonts].map((face) => face.load()))`) // loads all fonts
		for _, language := range locale.Languages() {
			choose(v, language)
			details, submit := "h1, details:not([open]) > summary", "#check-in, #announce [type=submit]"
			for _, targets := range []string{details, submit, "#cancel"} {
				if on[int](v, "clickAll", targets) == 0 {
					continue
				}
				for _, problem := range on[[]string](v, "cutOff") {
					t.Error(problem)
				}
			}
			eval[struct{}](v, `document.querySelector('dialog[open]')?.close()`)
		}
	}
}

// In forced colours, the primary button, the chosen day and the visitor's own marks have the system's colours, and
// differ from their surroundings.
func TestForcedColours(t *testing.T) {
	_, v := invited(t, guests[:3]...)
	style := func(selector, property string) string {
		t.Helper()
		return on[string](v, "styleOf", selector, property)
	}
	primary := style(".primary", "backgroundColor")
	if style(".facts .tally .next", "strokeDasharray") == "none" {
		t.Error("the next stroke is not dashed")
	}
	come(v, "Anna")
	own := style(".facts .tally .own", "stroke")
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}},
	})
	colours := map[string]bool{
		own:                                   true,
		style("body", "backgroundColor"):      true,
		style(".facts .tally .own", "stroke"): true,
		style(".facts .tally path:not(.own, .halo)", "stroke"): true,
	}
	if len(colours) < 4 {
		t.Errorf("strokes have no colours of their own: %v", slices.Collect(maps.Keys(colours)))
	}
	v.Open("/?new")
	eval[struct{}](v, `document.querySelector('.chips button').click()`)
	for _, button := range []string{".primary", ".chips button"} {
		others := []string{primary, style(button, "color"), style(".chips button:last-child", "backgroundColor")}
		if got := style(button, "backgroundColor"); slices.Contains(others, got) {
			t.Errorf("%s has the background %s, as one of %q", button, got, others)
		}
	}
}

// The accessible name of a button contains its text, also while the button says that it has copied. After a second tap,
// too, the label comes back.
func TestNameOfTheCopyButton(t *testing.T) {
	_, v := organizing(t)
	v.Open("/")
	v.Click("More for Rooftop supper")
	on[struct{}](v, "clickAndNoteLabels", ".entries button")
	v.Click("Copied")
	v.Until("the label to come back", fn("hasLabelAgain"))
	is(v, fn("notedLabels"), []string{"Copy link", "Copied", "Copied", "Copy link"})
}
