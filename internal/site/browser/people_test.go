package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the control of this name has the focus, which it must
// show.
func tabTo(v *visitor, name string) {
	v.Helper()
	var passed []string
	for range 60 {
		do(v, chromedp.KeyEvent(kb.Tab))
		at := strings.TrimSuffix(v.Focused(), " optional")
		if at == name {
			if width := eval[string](v, `getComputedStyle(document.activeElement).outlineWidth`); width == "0px" {
				v.Errorf("the focus on %q cannot be seen", name)
			}
			return
		}
		passed = append(passed, at)
	}
	v.Fatalf("Tab never comes to %q, but to %q", name, passed)
}

func TestKeyboardIsEnough(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{Language: "en-US"})
	v.Open("/")
	tabTo(v, "What are you planning?")
	v.Press("Night walk")
	v.Press(kb.Enter)
	if at := v.Focused(); at != "Date" {
		t.Errorf("Enter in the title goes to %q", at)
	}
	v.Press("12122099")
	tabTo(v, "Time")
	v.Press("0730PM")
	tabTo(v, "Berlin time · change")
	v.Press(kb.Enter)
	tabTo(v, "Time zone")
	v.Press("Tokyo")
	tabTo(v, "Place")
	v.Press("Gate 5")
	tabTo(v, "Announce it")
	v.Press(kb.Enter)
	v.Sees("Now spread the word")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	v.Sees("at 7:30 PM")
	v.Sees("Japan Standard Time")
	tabTo(v, "See what your guests see")
	v.Press(kb.Enter)
	v.Sees("Are you coming?")
	tabTo(v, "Your name")
	v.Press("Anna")
	v.Press(kb.Enter)
	v.Sees("You’re number 1")
	v.Until("focus on what was reached", `document.activeElement.id === 'yours-title'`)
	tabTo(v, "Can’t make it: Anna")
	v.Press(kb.Enter)
	v.Sees("Anna is no longer on the list.")
	if at := v.Focused(); at != "Undo: Anna is coming" {
		t.Errorf("after the withdrawal the focus is on %q", at)
	}
	v.Press(kb.Enter)
	if at := v.Focused(); at != "Can’t make it: Anna" {
		t.Errorf("after undoing it the focus is on %q", at)
	}
	tabTo(v, "You’re organizing this event: guest list and links")
	v.Press(kb.Enter)
	v.Sees("1 is coming")
	tabTo(v, "Cancel the event")
	v.Press(kb.Enter)
	tabTo(v, "Cancel this event…")
	v.Press(kb.Enter)
	v.Sees("This can’t be undone.")
	v.Press(kb.Escape)
	v.Until("no dialog", `!document.querySelector('dialog')`)
	if at := v.Focused(); at != "Cancel this event…" {
		t.Errorf("after Escape the focus is on %q", at)
	}
	v.Press(kb.Enter)
	tabTo(v, "Reason, for everyone to read")
	v.Press("Rain")
	tabTo(v, "Cancel the event")
	v.Press(kb.Enter)
	v.Sees("This event is cancelled")
	v.Sees("Rain")
	v.Until("focus on what holds now", `document.activeElement === document.querySelector('#state h2')`)
}

func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	event := announce(t, hostile(), markup[:60], stacked)
	cancel(t, event, markup+turning+stacked)
	v := newVisitor(t, manner{})
	for _, path := range []string{event.public(), event.private()} {
		v.Open(path)
		for expression, want := range map[string]string{
			`document.querySelector('h1').textContent`:                                               hostile()["title"].(string),
			`document.querySelector('#state .prose').textContent`:                                    markup + turning + stacked,
			`String(document.querySelectorAll('main img, main script, main b, main iframe').length)`: "0",
			`String(document.title.includes('taken'))`:                                               "false",
			// A line through the letters makes others of them: picnic, picnie.
			`String([...document.querySelectorAll('.headline *')].some((part) => getComputedStyle(part).textDecorationLine.includes('line-through')))`: "false",
		} {
			if got := eval[string](v, expression); got != want {
				t.Errorf("%s: %s is %q, want %q", path, expression, got, want)
			}
		}
	}
	v.Open(announce(t, supper()).public())
	v.Write("Your name", "\u2069\u202eAnna")
	v.Click("Count me in")
	v.Click("Can’t make it: Anna")
	v.Until("isolated values", `document.querySelector('#announcer').textContent.startsWith('\u2068Anna\u2069 is no longer')`)
	v.Open(event.public())
	links := eval[[]string](v, `[...document.querySelectorAll('.prose a')].map((link) => link.href + ' ' + link.rel)`)
	if want := []string{"https://example.org/" + strings.Repeat("a", 300) + " noopener noreferrer nofollow"}; fmt.Sprint(links) != fmt.Sprint(want) {
		t.Errorf("the links are %q, want %q", links, want)
	}
	// Directional marks around an address do not affect it.
	if bidi := eval[string](v, `getComputedStyle(document.querySelector('.prose a')).unicodeBidi`); bidi != "isolate" {
		t.Errorf("unicode-bidi is %q", bidi)
	}
	// Combining marks stay inside their box.
	v.Open(announce(t, supper(), stacked, "Neighbour").private())
	if overflow := eval[string](v, `getComputedStyle(document.querySelector('.guests .user')).overflowY`); overflow != "clip" {
		t.Errorf("piled-up marks run over their neighbours: overflow is %q", overflow)
	}
}

// The preview is announced when it changes, not at every letter.
func TestPreviewIsAnnouncedWhenTheDateChanges(t *testing.T) {
	t.Parallel()
	v := atHome(t)
	fill(v)
	v.Sees("Saturday, 12 December 2099")
	eval[struct{}](v, `void new MutationObserver((changes) => { window.changes = changes.length; })
		.observe(document.querySelector('.preview'), { subtree: true, childList: true, characterData: true })`)
	v.Write("Place", "Elsewhere")
	if eval[bool](v, `'changes' in window`) {
		t.Error("the preview was written anew")
	}
	v.Pick("Date", "2099-12-13")
	v.Sees("Sunday, 13 December 2099")
	v.Until("news for the screen reader", `window.changes > 0`)
}

func TestTitleIsOneLine(t *testing.T) {
	t.Parallel()
	v := atHome(t)
	v.Write("What are you planning?", "Pasted \n title\r\nfrom a letter")
	if got := v.Value("What are you planning?"); got != "Pasted title from a letter" {
		t.Errorf("the title is %q", got)
	}
}

// A link may be copied with the end of its sentence, or in capitals.
func TestLinksThatWereCopied(t *testing.T) {
	t.Parallel()
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
	v.Until("the name without what follows the link", named, "Can’t make it: Ada Jr.")
	if got := v.Path(); got != event.public() {
		t.Errorf("the address is %s", got)
	}
	v.Open("/e/" + strings.ToUpper(event.EventToken))
	v.Sees("You’re coming")
}

// A browser may report a zone or a locale that its own Intl does not accept.
func TestZoneAndLocaleThatIntlRejects(t *testing.T) {
	t.Parallel()
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
	v.Click("UTC time · change")
	if got := v.Value("Time zone"); got != "UTC" {
		t.Errorf("%s is preselected", got)
	}
	v.Open(event.public())
	v.Sees("for you")
}
