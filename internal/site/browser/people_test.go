package browser

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the control with this name visibly has the focus, and then presses these keys.
func tabTo(v *visitor, name, keys string) {
	v.Helper()
	var passed []string
	for range 60 {
		do(v, chromedp.KeyEvent(kb.Tab))
		at := v.Focused()
		if at == name {
			const outlined = `getComputedStyle(document.activeElement).outlineWidth !== '0px'`
			v.Check("the focus on "+name+" can be seen", outlined)
			v.Press(keys)
			return
		}
		passed = append(passed, at)
	}
	v.Fatalf("Tab never comes to %q, but to %q", name, passed)
}

func TestKeyboardIsEnough(t *testing.T) {
	v := newVisitor(t, manner{Language: "en-US"}, "/")
	tabTo(v, "What are you planning?", "Night walk")
	// The driver's own Enter consists of two events, of which the second would reach the next field.
	on[struct{}](v, "pressEnter", object{})
	v.HasFocus("Your name")
	v.Press("Mara")
	on[struct{}](v, "pressEnter", object{})
	v.HasFocus("Date")
	v.Press("12122099")
	tabTo(v, "Time", "0730PM")
	tabTo(v, zoneLine(v.sitePage), kb.Enter)
	tabTo(v, "Time zone", "Tokyo")
	tabTo(v, "Place", "Gate 5")
	tabTo(v, "Announce it", kb.Enter)
	v.Sees("Announced")
	v.FocusOn("h1")
	v.Sees("at 7:30 PM", "Japan Standard Time")
	tabTo(v, "See what your guests see", kb.Enter)
	v.Sees("Mara · You’re invited", "Are you coming?")
	tabTo(v, "Your name", "Anna"+kb.Enter)
	v.Sees("You’re number 1")
	v.FocusOn("#yours-title")
	v.Hold()
	tabTo(v, "Can’t make it after all: Anna", kb.Enter)
	v.Sees("Anna comes off the list in a few seconds.")
	v.HasFocus("Undo: Anna is coming")
	v.Press(kb.Enter)
	v.HasFocus("Can’t make it after all: Anna")
	tabTo(v, "You’re organizing this event: guest list and links", kb.Enter)
	v.Sees("1 is coming")
	tabTo(v, "Cancel the event", kb.Enter)
	v.Sees("This can’t be undone.")
	v.Press(kb.Escape)
	v.NoDialog()
	v.HasFocus("Cancel the event")
	v.Press(kb.Enter)
	tabTo(v, "Reason (public)", "Rain")
	tabTo(v, "Cancel the event", kb.Enter)
	v.Sees("Cancelled", "Rain")
	v.FocusOn("#tell h2")
}

func TestHostileTextStaysText(t *testing.T) {
	event := announce(t, hostile(), markup[:60], stacked)
	cancel(t, event, markup+turning+stacked)
	v := newVisitor(t, manner{})
	for _, path := range []string{event.public(), event.private()} {
		v.Open(path)
		is(v, fn("text", "h1"), hostile()["title"].(string))
		// On the organizer's page, the message to the guests contains the reason.
		is(v, fn("says", "#state .prose, #tell .prose", markup+turning+stacked), true)
		is(v, fn("isThere", "main :is(img, script, b, iframe)"), false)
		is(v, `document.title.includes('taken')`, false)
		// A line through letters would turn them into others: picnic into picnie.
		is(v, fn("isStruck", "h1, h1 *"), false)
	}
	v.Open(announce(t, supper()).public())
	anna := "Anna" + strings.Repeat(" of the roof", 7)
	submit(v, "\u2069\u202e"+anna)
	v.Until("the name in the heading", fn("hasText", "#yours-title", "You’re in, \u2068"+anna+"\u2069"))
	is(v, fn("linesOf", "#yours-title"), 4) // number of lines
	v.Click("Can’t make it after all: " + anna)
	v.Until("isolated values", fn("begins", "#announcer", "\u2068"+anna+"\u2069 comes off"))
	v.Open(event.public())
	want := "https://example.org/" + strings.Repeat("a", 300) + " noopener noreferrer nofollow"
	is(v, fn("addressesAndRel", ".prose a"), []string{want})
	// Directional marks around a URL do not affect it.
	is(v, `getComputedStyle(document.querySelector('.prose a')).unicodeBidi`, "isolate")
	// Combining marks stay inside their box.
	v.Open(announce(t, supper(), stacked, "Neighbour").private())
	is(v, `getComputedStyle(document.querySelector('.guests .user')).overflowY`, "clip")
}

// The preview is announced when it changes, not for every letter.
func TestPreviewIsAnnouncedWhenTheDateChanges(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	fill(v)
	v.Sees("Saturday, 12 December 2099")
	on[struct{}](v, "countChanges", ".preview")
	v.Write("Place", "Elsewhere")
	is(v, fn("changes"), 0) // the preview is not written anew
	v.Pick("Date", "2099-12-13")
	v.Sees("Sunday, 13 December 2099")
	v.Until("news for the screen reader", fn("changes"))
}

// A visitor may copy a link with the end of its sentence, or in capitals, and programs append parameters to links.
func TestLinksThatWereCopied(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	for _, after := range []string{"),", "»。", "&fbclid=IwAR0x", "&u=https://x.example/y"} {
		v.Open(event.public() + after)
		v.Sees("Are you coming?")
		v.Open(event.private() + after)
		v.Sees("You’re organizing")
	}
	for _, unknown := range []string{"0", "é", "٣", "/y"} {
		v.Open(event.public() + unknown)
		v.SeesNot("Are you coming?")
	}
	token := signUp(t, event, "Ada Jr.")
	v.Open(event.public() + "#name=Ada+Jr.&rsvp=" + token + ").")
	v.Offers("Can’t make it after all: Ada Jr.") // the name lacks the text after the link
	v.At(event.public())
	v.Idle() // wait until the service has confirmed the RSVP
	v.Open("/e/" + strings.ToUpper(event.EventToken))
	v.Sees("You’re in, Ada Jr.")
}

// Some email gateways encode the # of a link, or its whole fragment, once or twice. The page decodes the fragment
// before anything else. The secret leaves the path, and the organizer does not see the server's HTML for guests.
func TestLinksWithAnEncodedFragment(t *testing.T) {
	event := announce(t, supper())
	escape := func(fragment string) string { return "%23" + url.QueryEscape(fragment) }
	twice := func(fragment string) string { return url.QueryEscape(escape(fragment)) }
	organizer, v := "organizer="+event.OrganizerToken, newVisitor(t, manner{})
	forget := func() {
		do(v, chromedp.Navigate(base+"/robots.txt")) // a page that stores nothing when it is left
		eval[struct{}](v, `localStorage.clear()`)
	}
	for _, path := range []string{
		"%23" + organizer, "/%23" + organizer, "%2523" + organizer, "%252523" + organizer, escape(organizer),
		twice(organizer), "%2523" + url.QueryEscape(organizer), "%23" + organizer + "&fbclid=x", "?x=y%23#" + organizer,
		"#" + url.QueryEscape(organizer), "%23" + organizer + ".",
	} {
		v.Block("/assets/*.js")
		do(v, chromedp.Navigate("about:blank"), chromedp.Navigate(base+event.public()+path))
		same(v, path+" shows the form for guests", on[bool](v, "isVisible", "#rsvp"), false)
		is(v, `location.pathname`, event.public())
		v.Block()
		forget()
		v.Open(event.public() + path)
		v.Sees("You’re organizing")
		v.At(event.organize())
	}
	v.Open(event.public() + "%23organize")
	v.Sees("You’re organizing")
	const name = "Ada + 50% & Ben=Jr. #1"
	own := url.Values{"name": {name}, "rsvp": {signUp(t, event, name)}}.Encode()
	for _, path := range []string{
		"#" + own, "%23" + own, escape(own), "%2523" + strings.ReplaceAll(own, "%", "%25"), twice(own),
		"#" + strings.ReplaceAll(own, "&", "&amp;"),
	} {
		forget()
		v.Open(event.public() + path)
		v.Sees("You’re in, " + name)
		v.At(event.public())
	}
}

// zoneLine returns the name of the zone's control, which contains the current time in the zone.
func zoneLine(p *sitePage) string {
	p.Helper()
	line := eval[string](p, `page.plain(document.querySelector('#zone summary').textContent)`)
	if !regexp.MustCompile(`^.+, now \d{1,2}:\d\d(\s[AP]M)? · change$`).MatchString(line) {
		p.Errorf("the line of the zone is %q", line)
	}
	return line
}

// A text that a program has filled in without an event is sent. A lone surrogate in it becomes U+FFFD.
func TestFieldsFilledInSilently(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{}, event.public())
	v.Started()
	eval[struct{}](v, `document.getElementById('name').value = 'Ada \ud83d'`)
	v.Click("Count me in")
	v.Sees("You’re in, Ada \ufffd")
	v.Open("/?new")
	fill(v)
	on[struct{}](v, "fillSilently", "host", "Mara")
	on[struct{}](v, "fillSilently", "description", "Bring\ncake.")
	v.Click("Announce it")
	v.Sees("Announced")
	v.Open(eval[string](v, `location.pathname`))
	v.Sees("Mara", "Bring\ncake.")
	v.Open(event.private())
	v.Click("Cancel the event")
	v.Sees("Cancel this event for good?")
	eval[struct{}](v, `document.getElementById('reason').value = 'Rain'`)
	v.Click("Cancel the event")
	v.Sees("The event is cancelled.", "Rain")
}

// The Enter that ends a composition does nothing else. Safari ends the composition before the keydown, so only the
// keydown's code tells. The test simulates Safari's order of events.
func TestEnterThatEndsAComposition(t *testing.T) {
	v := newVisitor(t, manner{}, "/?new")
	v.Started()
	eval[struct{}](v, fn("focus", "What are you planning?"))
	on[struct{}](v, "pressEnter", object{"keyCode": 229})
	v.HasFocus("What are you planning?")
	on[struct{}](v, "pressEnter", object{})
	v.HasFocus("Your name")
}

// Translation programs leave people's names unchanged. After a translation, a button that says "Copied" gets its label
// back.
func TestPageIsTranslated(t *testing.T) {
	event := announce(t, supper("host", "Grace"), "Rose", "Bill")
	v := newVisitor(t, manner{}, event.public())
	is(v, `document.querySelector('.kicker strong').translate`, false)
	v.Started()
	is(v, `document.querySelector('.kicker strong').translate`, false)
	is(v, `document.querySelector('h1').translate`, true)
	v.Open(event.private())
	v.Sees("Rose")
	is(v, `[...document.querySelectorAll('#guests bdi')].map((name) => name.translate)`, []bool{false, false})
	v.Open(event.public())
	v.Copy("Copy link")
	on[struct{}](v, "translateFocused", "Kopiert")
	v.Offers("Copy link")
}

// A browser may report a zone or a locale that its own Intl does not accept.
func TestZoneAndLocaleThatIntlRejects(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.Prepare(fn("forgetZone"))
	v.Prepare(fn("prefer", []string{"en-US@posix", "de-AT"}))
	v.Prepare(fn("storeText", "turnout.language", "5"))
	v.Open("/")
	v.Sees("Who’s coming?")
	v.Click(zoneLine(v.sitePage))
	v.Holds("Time zone", "UTC")
	v.Open(event.public())
	v.Sees("for you")
}
