package browser

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// titled returns an event with a title of this many characters. It does not use the sample event, so that a new field
// does not change the measured pages.
func titled(length int) fields {
	const long = "Supper on the roof with everybody who has ever been on it, and with those who want to be, too"
	return fields{
		"title":       (long + strings.Repeat("!", length))[:length],
		"dateTime":    "2099-12-12T19:30:00+01:00",
		"timezone":    "Europe/Berlin",
		"location":    "Weserstraße 12, top floor, Berlin",
		"description": "Bring something warm to share – soup, bread, a story.",
	}
}

var screens = []manner{{Width: 390, Height: 844}, {Width: 360, Height: 640}, {Width: 1280, Height: 800}}

// onScreen checks that elements are completely on the first screen.
func onScreen(v *visitor, m manner, what string, selectors ...string) {
	v.Helper()
	for _, selector := range selectors {
		bottom := on[float64](v, "endOnScreen", selector)
		if bottom > float64(m.Height) {
			v.Errorf("%d×%d, %s: %s ends at %.0f px", m.Width, m.Height, what, selector, bottom)
		}
	}
}

// The form is on the first screen even for a German reader in another zone, for whom the facts above it are longest.
func TestMainActionIsOnTheFirstScreen(t *testing.T) {
	type size struct{ title, guests int }
	events := map[size]created{}
	for _, s := range []size{{12, 0}, {12, 12}, {90, 0}, {90, 120}} {
		events[s] = announce(t, titled(s.title), crowd(s.guests)...)
	}
	for _, m := range screens {
		v, far := newVisitor(t, m), m
		far.Language, far.Zone = "de-DE", "America/Argentina/Buenos_Aires"
		abroad := newVisitor(t, far)
		for size, event := range events {
			what := fmt.Sprintf("%+v", size)
			for _, guest := range []*visitor{v, abroad} {
				guest.Open(event.public())
				onScreen(guest, m, what, "#name", "#rsvp [type=submit]")
			}
			v.Open(event.private())
			if size.guests == 0 {
				onScreen(v, m, what, ".guest-section > .large")
				continue
			}
			onScreen(v, m, what, "#guests-title", "#first > :first-child", ".guests li:first-child")
			most := 12 // eight names at first, and four more
			if m.Width > 1000 {
				most = 24
			} else {
				onScreen(v, m, what, ".guests li:nth-child(2)")
			}
			if n := len(on[[]string](v, "rows")); n > most {
				t.Errorf("%s: the list begins with %d names, more than %d", what, n, most)
			}
		}
		abroad.Open(events[size{12, 12}].public() + "#organize")
		onScreen(abroad, m, "without the secret", ".notice p")
		var languages []string
		if m.Width < 400 {
			languages = append(slices.Clone(locale.Languages()), "en")
		}
		v.Open("/?new")
		for _, language := range languages {
			choose(v, language)
			what := "announce in " + language
			onScreen(v, m, what, "#title", "#date", "#time", ".chips", "#zone", "#announce [type=submit]")
			if covered := on[float64](v, "mostCovered", ".send", "#zone"); covered > 0 {
				t.Errorf("%s, %d px wide: the button covers %.0f px of what is required", what, m.Width, covered)
			}
		}
		for _, length := range []int{12, 90} {
			v.Open("/?new")
			fill(v)
			v.Write("What are you planning?", titled(length)["title"].(string))
			v.Click("Announce it")
			v.Sees("Announced")
			onScreen(v, m, fmt.Sprintf("announced with a title of %d", length), ".guest-section > .large")
		}
	}
}

// In each language the smallest phone has the offered days in one row, on each day of the year.
func TestOfferedDaysAreOneRow(t *testing.T) {
	v := newVisitor(t, manner{Width: 320, Height: 568}, "/")
	for _, language := range locale.Languages() {
		choose(v, language)
		eval[struct{}](v, `Promise.all([...document.fonts].map((face) => face.load()))`)
		for _, row := range on[[]string](v, "brokenRows") {
			t.Errorf("%s: %q", language, row)
		}
	}
}

// In each language, the host's name and the beginning of the description leave room for the form on a phone's first
// screen. On the smallest phone they move the form only a little.
func TestHostLeavesRoomForTheForm(t *testing.T) {
	bare := titled(12)
	delete(bare, "description")
	plain := announce(t, bare, crowd(12)...)
	bare["host"], bare["description"] = "Mara & Jo", titled(12)["description"]
	hosted := announce(t, bare, crowd(12)...)
	bottom := fn("endOf", "#rsvp [type=submit]")
	v := newVisitor(t, manner{Width: 390, Height: 664})
	for _, language := range locale.Languages() {
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(390, 664)))
		v.Open(hosted.public())
		choose(v, language)
		v.Sees("Mara & Jo", locale.Of(language).Text("event.kicker"))
		if got := eval[float64](v, bottom); got > 650 {
			t.Errorf("390×664 in %s: the button ends at %.0f px", language, got)
		}
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(320, 568)))
		with := eval[float64](v, bottom)
		v.Open(plain.public())
		if without := eval[float64](v, bottom); with > without+5 {
			t.Errorf("320×568 in %s: the button ends at %.0f px, without a host at %.0f px", language, with, without)
		}
	}
}

// With a short title, a description of two lines and twenty guests, the form's button is well above the end of the
// screen. On the smallest phone it is at most as low as when short titles were smaller.
func TestButtonLeavesRoom(t *testing.T) {
	text := strings.Repeat("I’d love to have you all in one place. ", 2)
	party := announce(t, supper("title", "Mara turns 30", "location", "Café Kotti", "description", text), guests...)
	for _, c := range []struct{ width, height, most int64 }{{390, 664, 600}, {320, 568, 617}} {
		v := newVisitor(t, manner{Width: c.width, Height: c.height}, party.public())
		if got := on[float64](v, "endOf", "#rsvp [type=submit]"); got > float64(c.most) {
			t.Errorf("%d×%d: the button ends at %.1f px, and may at %d", c.width, c.height, got, c.most)
		}
	}
}

// The page has the description once, below the facts. A phone shows two lines of it, which end with an ellipsis, and
// unfolds the rest, which stays unfolded when the page is drawn anew. On a low phone the description is below the form,
// on a desktop beside the form. If the script does not load, the description is shown completely once the page says so.
func TestDescriptionIsUnfolded(t *testing.T) {
	short := announce(t, supper("description", "Bring cake."))
	long := announce(t, supper("description", strings.Repeat("Bring cake. ", 20)+"\n\nThe end of it."))
	lines := fn("linesOf", ".description .prose")
	v := newVisitor(t, manner{Width: 390, Height: 844}, short.public())
	v.Idle()
	v.SeesNot("more")
	v.Open(long.public())
	v.Offers("more")
	is(v, lines, 2)
	v.Check("the facts come first", fn("isAbove", ".facts", ".description"))
	is(v, `getComputedStyle(document.querySelector('.rest'), '::before').content[1]`, "…")
	same(v, "times that it is there", strings.Count(v.Text(), "The end of it."), 1)
	v.Click("more")
	v.Until("all of it", lines+` > 5`)
	v.SeesNot("more")
	come(v, "Anna")
	v.Check("it stays", lines+` > 5`)

	alone := newVisitor(t, manner{Width: 390, Height: 844})
	alone.Block("/assets/app-*.js")
	do(alone, chromedp.Navigate(base+long.public()))
	is(alone, lines, 2)
	alone.Check("the facts come first in the HTML, too", fn("isAbove", ".facts", ".description"))
	on[struct{}](alone, "finishAnimations") // acts as if six seconds had passed
	alone.Sees("This is taking a while.", "The end of it.")
	alone.Until("all of it", lines+` > 5`)

	v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(320, 568)))
	v.Open(long.public())
	v.Check("below the form", fn("isAbove", "#panel", ".description"))
	v.Check("all of it", lines+` > 5`)
	v.SeesNot("more")
	v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(1280, 800)))
	v.Check("beside the form", fn("isLeftOf", ".description", "#panel"))
	v.Check("below the facts", fn("isAbove", ".facts", ".description"))
	v.Check("more than two lines", lines+` > 2`)
}

// The strokes take at most two lines. With a long title the strokes are a step smaller.
func TestSizeOfStrokes(t *testing.T) {
	v := newVisitor(t, screens[1])
	for i, length := range []int{24, 25} {
		event, coming := announce(t, titled(length)), 0
		for _, row := range [][3]int{
			{0, 70, 44}, {14, 70, 44}, {15, 44, 24}, {29, 44, 24}, {30, 24, 20}, {99, 24, 20}, {130, 20, 20},
		} {
			for ; coming < row[0]; coming++ {
				signUp(t, event, "Ada")
			}
			v.Open(event.public())
			v.Until("the count", fmt.Sprint(fn("strokes"), ` === `, coming+1))
			groups := map[float64]bool{} // groups of strokes by their vertical position
			for _, group := range on[[]box](v, "boxes", ".who svg") {
				groups[group.Top] = true
			}
			is(v, `document.querySelector('.who svg').clientHeight`, row[i+1])
			same(v, "at most two lines", len(groups) < 3, true)
		}
	}
}

// In each language, the first screen after a yes shows the confirmation completely. The number is there once. The facts
// stay below the title. Before the responses no other part moves. The responses draw the stroke, at once if the visitor
// prefers reduced motion.
func TestMomentIsOnTheFirstScreen(t *testing.T) {
	supper := supper()
	supper["description"] = strings.Repeat("Bring a dish to share.\n", 5)
	event := announce(t, supper, crowd(15)...)
	v := newVisitor(t, screens[0])
	v.Prepare(fn("noteInvitation"))
	for n, language := range locale.Languages() {
		v.Open(event.public())
		choose(v, language)
		before := on[string](v, "placesOfParts")
		on[struct{}](v, "noteStrokes")
		v.Focus(locale.Of(language).Text("rsvp.name"))
		if n == 0 {
			call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		}
		v.Press("Lena" + kb.Enter)
		number := locale.Of(language).Text("yours.number", 16+n)
		v.Sees(number)
		v.Until("the stroke", fmt.Sprint(fn("drawnStrokes"), ` === `, max(0, 1-n)))
		v.Scheme(false)
		onScreen(v, screens[0], language, ".tally .own", "#yours-title", "#yours-facts")
		onScreen(v, screens[0], language, ".yours .primary", ".yours .secondary")
		is(v, fn("placesOfParts"), before)
		is(v, fn("numbersOfStrokes"), 1)
		v.SeesNot(locale.Of(language).Text("event.kicker"), locale.Of(language).Text("rsvp.hint"))
		v.Reload()
		v.Until("what is left", `document.querySelector('#yours-title')`)
		is(v, fn("wasInvited"), false) // the invitation is not shown even before the script has run
		v.SeesNot(number)
		eval[struct{}](v, `localStorage.clear()`) // the next visitor is another person
	}
}

// While the organizer types, a desktop shows the poster beside the form, and a phone above it. The promise about links
// and names is below the preview on a desktop, and below the button on a phone. Both are there before the first letter.
func TestPreviewOfThePoster(t *testing.T) {
	const inHead, beside, promise = ".home .sketch", ".beside .sketch", ".beside .hint"
	v := newVisitor(t, manner{Width: 1024, Height: 768}, "/")
	v.Check("the promise is below", fn("isAbove", beside, promise))
	v.Check("a preview without a title", fn("isLeftOf", ".sheet .control", beside))
	fill(v)
	v.Write("Your name", "Mara & Jo")
	is(v, fn("texts", beside+" > *"), []string{
		"Mara & Jo", "Rooftop supper", "Saturday, 12 December 2099 at 19:30", "Weserstraße 12, top floor, Berlin",
	})
	v.Check("beside the form", fn("isLeftOf", ".sheet .control", beside))
	v.Check("not in the head", fn("isHidden", inHead))
	eval[struct{}](v, `scrollTo(0, 1e6)`)
	is(v, fn("boxOf", beside)+`.top >= 0`, true)
	for _, width := range []int64{1000, 390, 320} {
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(width, 844)))
		v.Check("above the form", fn("isAbove", inHead, ".sheet"))
		v.Check("not beside the form", fn("isHidden", beside))
		v.Check("the promise is below the button", fn("isAbove", ".send", promise))
	}
}

// An event has its title's colour everywhere: in the preview once the organizer leaves the title's field, on its pages
// and in the browser's bars, on home, and when it is announced again. The preview and home cut a long title.
func TestColourFollowsTheTitle(t *testing.T) {
	const title = "Cafe\u0301 & Crêpes, and with them a walk along the river to the old mill, where there is a band, " +
		"a bar and a room for all who have come so far, and for those who come later"
	const head, preview = ":root", ".sketch"
	v, colour := newVisitor(t, manner{}), site.ColourOf(title)
	has := func(element, where string) {
		t.Helper()
		v.Until(where+" in its colour", fn("hasColour", element, colour))
		v.Until(where+" with its title in three lines", fn("titlesAreCut"))
	}
	v.Open("/?new")
	fill(v)
	v.Write("What are you planning?", title)
	is(v, fn("hasColour", preview, colour), false) // the colour does not change with every letter
	v.Focus("Place")
	has(preview, "the preview")
	v.Click("Announce it")
	v.Sees("Announced")
	has(head, "the organizer's page")
	path, _, _ := strings.Cut(v.Path(), "#")
	token := strings.TrimPrefix(path, "/e/")
	v.Open("/")
	has("#entry-"+token, "home")
	v.Open("/?again=" + token)
	has(preview, "the preview of an event that is announced again")
	v.Open(path)
	for _, dark := range []bool{true, false} {
		v.Scheme(dark)
		has(head, "the guests' page")
		is(v, `getComputedStyle(document.querySelector('.language')).colorScheme`, "light") // the head is bright
	}
}

// A cancelled event is grey on its page, in the browser's bars and on home, from the first paint on.
func TestCancelledIsGrey(t *testing.T) {
	event := announce(t, supper(), "Ada")
	v := newVisitor(t, manner{}, event.public())
	come(v, "Anna")
	isGrey := fn("isGrey")
	v.Idle()
	cancel(t, event, "Rain")
	comeBack(v)
	v.Until("grey once it is cancelled", isGrey)
	v.Until("the bars, too", fn("barsFollow"))
	v.Reload()
	v.Until("grey", isGrey)
	day, night := site.Colours[site.ColourOf("Rooftop supper")].Grey().Bars()
	is(v, fn("barColours"), []string{night, day})
	v.Sees("Mara & Jo", "Cancelled", "Rain")
	v.SeesNot("This event is cancelled", "said yes")
	is(v, fn("isStruck", "time"), true)
	is(v, fn("isThere", "main .tally"), false)
	follow(v, "/")
	v.Until("grey at home", fn("isThere", ".entry[data-off]"))
	v.Until("the page is not", `!`+isGrey)
	v.Open(event.private())
	v.Until("grey for the organizer", isGrey)
}

// On Arabic pages, texts in Latin and in Arabic letters begin at the same edge: the host, the state and the title of a
// cancelled event, and the lines above the names on the check-in sheet.
func TestTextsBeginAtOneEdge(t *testing.T) {
	event := announce(t, supper(), "Ada")
	v := newVisitor(t, manner{Language: "ar-EG"})
	begin := func(selector string, texts int) {
		t.Helper()
		edges := on[[]int](v, "rightEdges", selector)
		same(v, selector, edges, slices.Repeat(edges[:1], texts))
	}
	v.Open(event.private())
	papers(v, locale.Of("ar").Text("guests.print"))
	begin(".paper .headline, .paper .at", 4)
	cancel(t, event, "Rain")
	v.Scheme(false)
	v.Open(event.public())
	v.Sees("Rain")
	begin(".kicker .user, #phase, h1", 3)
}

// papers clicks a button that prints, and shows the printed page.
func papers(v *visitor, name string) {
	v.Helper()
	on[struct{}](v, "havePrinter")
	v.Click(name)
	v.Until("the printer", fn("printed"))
	toPaper(v)
}

// toPaper shows the printed page, in dark mode.
func toPaper(v *visitor) {
	v.Helper()
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media:    "print",
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
}

// A printed page is dark on white, without controls. A poster has all information for guests, and none about other
// guests. The check-in sheet has all names.
func TestPrintedPages(t *testing.T) {
	event := announce(t, supper(), guests...)
	v := newVisitor(t, manner{Dark: true})
	v.Open(announce(t, supper()).public())
	toPaper(v)
	// Paper has no room for the stroke that it does not show.
	is(v, fn("boxes", ".who svg")+`.map(({ height }) => height)`, []float64{0})
	v.Scheme(true)
	// Keep this order, because home shows the list once an event is saved.
	for _, row := range [][2]string{
		{"/", "Who’s coming?"},
		{"/nothing", "There’s no page at this address."},
		{event.public(), "Bring something warm"},
		{event.private(), "Tove"},
	} {
		v.Open(row[0])
		v.Sees(row[1])
		toPaper(v)
		v.Sees(row[1])
		is(v, fn("styleOf", "body", "backgroundColor"), "rgb(255, 255, 255)")
		is(v, fn("styleOf", "body", "color"), "rgb(17, 17, 17)")
		is(v, fn("shownControls"), []string{})
		is(v, fn("emptyCards"), []string{})
		v.Axe("color-contrast", "on paper")
		v.Scheme(true)
	}
	v.Click("Send the invitation")
	on[struct{}](v, "doubleClick")
	papers(v, "Poster")
	got := v.Text()
	says(t, got, "Rooftop supper", "Saturday, 12 December 2099", "Weserstraße 12")
	says(t, got, "Scan for details", base+event.public())
	if strings.Contains(got, "Ada") || strings.Contains(got, "organizer") {
		t.Errorf("the poster says too much:\n%s", got)
	}
	v.Check("the code is there", `document.querySelector('.paper img').naturalWidth > 0`)
	on[struct{}](v, "countCodes")
	file := string(call(v, page.PrintToPDF, page.PrintToPDFParams{}).Data)
	same(v, "pages of the poster", strings.Count(file, "/Type /Page\n"), 1)
	is(v, fn("printedCodes"), 1)
	is(v, fn("printed"), 1)
	v.Scheme(true)
	v.Open(event.private())
	papers(v, "Print check-in sheet")
	is(v, `document.querySelectorAll('.boxes li').length`, len(guests))
	same(v, "the first names", on[[]string](v, "texts", ".boxes li")[:3], []string{"Ada", "Béla", "Çağla"})
	v.Check("the page is not printed", fn("isHidden", "main"))
}

// A poster is one sheet at the bounds of its texts, upright and across. No text is cut off, and no word is divided. The
// host stands above the title, and the date is larger than the place.
func TestPosterIsOneSheet(t *testing.T) {
	place := "Great hall of the parish, second floor, entrance by the yard, " + strings.Repeat("past the gate, ", 35)
	for _, c := range []struct {
		title, place, host string
		isLong             bool
	}{
		{"Mara turns 40", "Café Sommer, Linienstr. 7, Berlin", "Jonas and Mara", false},
		{"Community garden volunteer day", "Garden hut\nRosenweg 12\n12345 Berlin", "Mo", false},
		{"The annual general meeting of the Society for the Preservation of Historic Allotment Gardens in the " +
			"Northern Districts, with supper, slide show and election", place[:160], "Renate Hoffmann", false},
		{"Mitgliederversammlung", "Bürgermeister-Smidt-Straße 127", "Donaudampfschifffahrtsgesellschaft", false},
		{strings.Repeat("Supper on the roof with everybody ", 6)[:200], place[:500], strings.Repeat("Jonas ", 16), true},
		{strings.Repeat("W", 200), strings.Repeat("W", 500), strings.Repeat("W", 100), true},
		{strings.Repeat("🎉", 50), strings.Repeat("会場", 250), strings.Repeat("幹事", 50), true},
		{strings.Repeat("忘年会のお知らせ", 25), strings.Repeat("a\n", 250), strings.Repeat("i ", 49), true},
	} {
		event := announce(t, supper("title", c.title, "location", c.place, "host", c.host), "Ada")
		v := newVisitor(t, manner{}, event.private())
		v.Click("Send the invitation")
		for name, sheet := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}, "A5": {5.83, 8.27}} {
			for _, isAcross := range []bool{false, true} {
				if isAcross {
					sheet[0], sheet[1] = sheet[1], sheet[0]
				}
				which := fmt.Sprintf("%.20s, %s, across: %t", c.title, name, isAcross)
				v.Scheme(false)
				papers(v, "Poster")
				const inch, margins = 96, 1.1 // of 14 mm
				v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(
					int64((sheet[0]-margins)*inch), int64((sheet[1]-margins)*inch))))
				same(v, which+": cut off", on[[]string](v, "spilled", ".band"), []string{})
				if !isAcross && name != "A5" {
					v.Check(which+": strokes", fmt.Sprint(fn("isVisible", ".room .tally"), ` || `, c.isLong))
				}
				v.Check("the host is above the title", fn("isAbove", ".band > :first-child > .at", ".band .headline"))
				v.Check("the date is larger", `parseFloat(`+fn("styleOf", ".when .at", "fontSize")+`) > parseFloat(`+
					fn("styleOf", ".when .user", "fontSize")+`)`)
				if !c.isLong {
					got := on[[]string](v, "divided", ".placard .user, .placard .at")
					same(v, which+": divided words", got, []string{})
				}
				paper := page.PrintToPDFParams{PaperWidth: sheet[0], PaperHeight: sheet[1]}
				file := call(v, page.PrintToPDF, paper).Data
				same(v, which+": sheets", strings.Count(string(file), "/Type /Page\n"), 1)
				v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(1280, 900)))
			}
		}
	}
}

// A printed page has no relative day, because people read it later.
func TestPaperHasNoRelativeDay(t *testing.T) {
	v := newVisitor(t, manner{})
	old, to := moved(v.sitePage, days(30))
	for _, path := range []string{old.public(), to.public(), to.private(), "/"} {
		v.Open(path)
		v.Sees("in 30 days")
		toPaper(v)
		v.SeesNot("in 30 days")
		v.Check(path+" has no line on paper that ends with a separator", "!"+fn("matches", "· *(\n|$)"))
		v.Scheme(false)
	}
}

// The browser's own print command prints the check-in sheet with all names. Each sheet has the title and its number.
func TestPrintedListIsWhole(t *testing.T) {
	for _, coming := range []int{61, 400} {
		_, v := organizing(t, crowd(coming)...)
		v.Sees(fmt.Sprint("Guest ", coming))
		says(t, on[string](v, "onPaper"), "Guest 1") // the sheet is there at once
		eval[struct{}](v, `dispatchEvent(new Event('afterprint'))`)
		is(v, fn("isThere", ".paper"), false)
		on[struct{}](v, "readPaperAloud")
		file := call(v, page.PrintToPDF, page.PrintToPDFParams{
			PaperWidth:        8.27,
			PaperHeight:       11.69,
			GenerateTaggedPDF: new(true),
		}).Data
		same(v, "names on paper", strings.Count(string(file), "/S /LI\n"), coming)
		for n, sheet := range sheets(v.T, file) {
			// The font sizes in pixels are used nowhere else.
			for what, size := range map[string]string{"the title": "26.6", "the number of the sheet": "13.3"} {
				if !regexp.MustCompile(`/F\d+ ` + size).MatchString(sheet) {
					t.Errorf("%s is not on sheet %d", what, n+1)
				}
			}
		}
	}
}

// sheets returns the content of each sheet of a PDF file, as the operators of ISO 32000-1, 9.4.
func sheets(t *testing.T, file []byte) (all []string) {
	t.Helper()
	for _, stream := range regexp.MustCompile(`(?s)stream\r?\n(.*?)endstream`).FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(stream[1]))
		if err != nil {
			continue // another kind of stream
		}
		if content, err := io.ReadAll(r); err == nil && bytes.Contains(content, []byte("\nBT\n")) {
			all = append(all, string(content))
		}
	}
	if len(all) != strings.Count(string(file), "/Type /Page\n") || len(all) < 2 {
		t.Fatalf("%d sheets have text", len(all))
	}
	return all
}

// Many apps have no print command, or one that does nothing. The button says so, and the poster does not stay in the
// page for the next print.
func TestNothingIsPrinted(t *testing.T) {
	event := announce(t, supper(), "Ada")
	for _, command := range []string{"undefined", "() => {}"} {
		for _, button := range []string{"Poster", "Print check-in sheet"} {
			v := newVisitor(t, manner{}, event.private())
			v.Click("Send the invitation")
			eval[struct{}](v, `window.print = `+command)
			v.Click(button)
			v.Sees("Can’t print here")
			is(v, fn("isThere", ".paper"), false)
		}
	}
}
