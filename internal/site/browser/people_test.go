package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the control of this name visibly has the focus, and then these keys.
func tabTo(v *visitor, name, keys string) {
	v.Helper()
	var passed []string
	for range 60 {
		do(v, chromedp.KeyEvent(kb.Tab))
		at := strings.TrimSuffix(v.Focused(), " · optional")
		if at == name {
			v.Check("the focus on "+name+" can be seen", `getComputedStyle(document.activeElement).outlineWidth !== '0px'`)
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
	// The tool's own Enter comes as two events, of which the second would reach the next field.
	const enter = `void document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))`
	eval[struct{}](v, enter)
	v.HasFocus("Your name · optional")
	v.Press("Mara")
	eval[struct{}](v, enter)
	v.HasFocus("Date")
	v.Press("12122099")
	tabTo(v, "Time", "0730PM")
	tabTo(v, "Central European Time · change", kb.Enter)
	tabTo(v, "Time zone", "Tokyo")
	tabTo(v, "Place", "Gate 5")
	tabTo(v, "Announce it", kb.Enter)
	v.Sees("Announced")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	v.Sees("at 7:30 PM", "Japan Standard Time")
	tabTo(v, "See what your guests see", kb.Enter)
	v.Sees("Mara · You’re invited", "Are you coming?")
	tabTo(v, "Your name", "Anna"+kb.Enter)
	v.Sees("You’re number 1")
	v.Until("focus on what was reached", `document.activeElement.id === 'yours-title'`)
	v.Hold()
	tabTo(v, "Can’t make it after all: Anna", kb.Enter)
	v.Sees("Anna is off the list.")
	v.HasFocus("Undo: Anna is coming")
	v.Press(kb.Enter)
	v.HasFocus("Can’t make it after all: Anna")
	tabTo(v, "You’re organizing this event: guest list and links", kb.Enter)
	v.Sees("1 is coming")
	tabTo(v, "Cancel the event", kb.Enter)
	v.Sees("This can’t be undone.")
	v.Press(kb.Escape)
	v.Until("no dialog", `!document.querySelector('dialog')`)
	v.HasFocus("Cancel the event")
	v.Press(kb.Enter)
	tabTo(v, "Reason (public)", "Rain")
	tabTo(v, "Cancel the event", kb.Enter)
	v.Sees("Cancelled", "Rain")
	v.Until("focus on what holds now", `document.activeElement === document.querySelector('#tell h2')`)
}

func TestHostileTextStaysText(t *testing.T) {
	event := announce(t, hostile(), markup[:60], stacked)
	cancel(t, event, markup+turning+stacked)
	v := newVisitor(t, manner{})
	// The organizer's page has it in the message to the guests.
	reason := `String(document.querySelector('#state .prose, #tell .prose').textContent.includes(` + quoted("%s", []any{markup + turning + stacked}) + `))`
	for _, path := range []string{event.public(), event.private()} {
		v.Open(path)
		for expression, want := range map[string]string{
			`document.querySelector('h1').textContent`: hostile()["title"].(string),
			reason: "true",
			`String(document.querySelectorAll('main img, main script, main b, main iframe').length)`: "0",
			`String(document.title.includes('taken'))`:                                               "false",
			// A line through the letters makes others of them: picnic, picnie.
			`String([...document.querySelectorAll('h1, h1 *')].some((part) => getComputedStyle(part).textDecorationLine.includes('line-through')))`: "false",
		} {
			same(v, path+": "+expression, eval[string](v, expression), want)
		}
	}
	v.Open(announce(t, supper()).public())
	anna := "Anna" + strings.Repeat(" of the roof", 7)
	submit(v, "\u2069\u202e"+anna)
	v.Until("the name in two lines of the heading", `(({ textContent, clientHeight }) => textContent === %s && clientHeight < 100)(document.querySelector('#yours-title') ?? {})`, "You’re in, \u2068"+anna+"\u2069")
	v.Click("Can’t make it after all: " + anna)
	v.Until("isolated values", `document.querySelector('#announcer').textContent.startsWith(%s)`, "\u2068"+anna+"\u2069 is off")
	v.Open(event.public())
	want := "https://example.org/" + strings.Repeat("a", 300) + " noopener noreferrer nofollow"
	is(v, `[...document.querySelectorAll('.prose a')].map((link) => link.href + ' ' + link.rel)`, []string{want})
	// Directional marks around an address do not affect it.
	is(v, `getComputedStyle(document.querySelector('.prose a')).unicodeBidi`, "isolate")
	// Combining marks stay inside their box.
	v.Open(announce(t, supper(), stacked, "Neighbour").private())
	is(v, `getComputedStyle(document.querySelector('.guests .user')).overflowY`, "clip")
}

// The preview is announced when it changes, not at every letter.
func TestPreviewIsAnnouncedWhenTheDateChanges(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	fill(v)
	v.Sees("Saturday, 12 December 2099")
	eval[struct{}](v, `void new MutationObserver((changes) => { window.changes = changes.length; })
		.observe(document.querySelector('.preview'), { subtree: true, childList: true, characterData: true })`)
	v.Write("Place", "Elsewhere")
	v.Check("the preview is not written anew", `!('changes' in window)`)
	v.Pick("Date", "2099-12-13")
	v.Sees("Sunday, 13 December 2099")
	v.Until("news for the screen reader", `window.changes > 0`)
}

// A link may be copied with the end of its sentence, or in capitals.
func TestLinksThatWereCopied(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	for _, after := range []string{"),", "»。"} {
		v.Open(event.public() + after)
		v.Sees("Are you coming?")
		v.Open(event.private() + after)
		v.Sees("You’re organizing")
	}
	token := signUp(t, event, "Ada Jr.")
	v.Open(event.public() + "#name=Ada+Jr.&rsvp=" + token + ").")
	v.Until("the name without what follows the link", named, "Can’t make it after all: Ada Jr.")
	v.At(event.public())
	v.Open("/e/" + strings.ToUpper(event.EventToken))
	v.Sees("You’re in, Ada Jr.")
}

// A browser may report a zone or a locale that its own Intl does not accept.
func TestZoneAndLocaleThatIntlRejects(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.Prepare(`
		Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'de-AT'] });
		const resolved = Intl.DateTimeFormat.prototype.resolvedOptions;
		Intl.DateTimeFormat.prototype.resolvedOptions = function () { return { ...resolved.call(this), timeZone: 'Etc/Unknown' }; };
		localStorage.setItem('turnout.language', '5');
	`)
	v.Open("/")
	v.Sees("Who’s coming?")
	v.Click("UTC · change")
	v.Holds("Time zone", "UTC")
	v.Open(event.public())
	v.Sees("for you")
}
