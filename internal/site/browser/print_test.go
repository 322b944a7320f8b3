package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

const blackOnWhite = "rgb(255, 255, 255)rgb(17, 17, 17)"

// papers clicks a button that prints, and shows the result.
func papers(v *visitor, name string) {
	v.Helper()
	eval[struct{}](v, `void (window.print = () => { window.printed = true; })`)
	v.Click(name)
	v.Until("the printer", `window.printed`)
	toPaper(v)
}

// toPaper shows the page as it is printed, in dark mode.
func toPaper(v *visitor) {
	v.Helper()
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
}

// A printed page is dark on white, without controls.
func TestPrintedPages(t *testing.T) {
	event := announce(t, supper(), guests...)
	v := newVisitor(t, manner{Dark: true})
	// In this order: home shows the list of events once one is saved.
	for _, row := range [][2]string{{"/", "Who’s coming?"}, {"/nothing", "There’s no page at this address."}, {event.public(), "Bring something warm"}, {event.private(), "Tove"}} {
		v.Open(row[0])
		v.Sees(row[1])
		toPaper(v)
		v.Sees(row[1])
		is(v, `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color`, blackOnWhite)
		is(v, `[...document.querySelectorAll('button, input, select, textarea, a.primary, summary')]
			.filter((control) => control.getClientRects().length).map(({ outerHTML }) => outerHTML)`, []string{})
		v.Check(row[0]+" has no empty card on paper",
			`![...document.querySelectorAll('.card')].some((card) => card.getClientRects().length && !card.innerText.trim())`)
		v.Axe("color-contrast", "on paper")
		v.Scheme(true)
	}
}

// A poster tells guests all they need and nothing about others. The check-in sheet has all names.
func TestPosterAndCheckInSheet(t *testing.T) {
	event := announce(t, supper(), guests...)
	v := newVisitor(t, manner{Dark: true})
	v.Open(event.private())
	v.Click("Share the link")
	papers(v, "Print a poster")
	got := v.Text()
	says(t, got, "Rooftop supper", "Saturday, 12 December 2099", "Weserstraße 12", "Scan for details", base+event.public())
	if strings.Contains(got, "Ada") || strings.Contains(got, "organizer") {
		t.Errorf("the poster says too much:\n%s", got)
	}
	v.Check("the code is there", `document.querySelector('.paper img').naturalWidth > 0`)
	const band = `getComputedStyle(document.querySelector('.band'))`
	is(v, `getComputedStyle(document.body).backgroundColor + `+band+`.color`, blackOnWhite)
	file := string(call(v, page.PrintToPDF, page.PrintToPDFParams{}).Data)
	same(v, "pages of the poster", strings.Count(file, "/Type /Page\n"), 1)
	v.Scheme(true)
	v.Open(event.private())
	papers(v, "Print check-in sheet")
	is(v, `document.querySelectorAll('.boxes li').length`, len(guests))
	is(v, `[...document.querySelectorAll('.boxes li')].slice(0, 3).map((item) => item.textContent)`, []string{"Ada", "Béla", "Çağla"})
	v.Check("the page is not printed", `!document.querySelector('main').getClientRects().length`)
}

// The browser's own command prints all names, also those that the page folds away.
func TestPrintedListIsWhole(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Open(announce(t, supper(), crowd(61)...).private())
	v.Sees("Guest 61")
	eval[struct{}](v, `void addEventListener('beforeprint', () => { window.rows = document.querySelectorAll('#guests li').length; })`)
	call(v, page.PrintToPDF, page.PrintToPDFParams{})
	is(v, `[window.rows, document.querySelectorAll('#guests li').length]`, []int{61, 8})
}
