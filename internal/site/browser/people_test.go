package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the control of this name has the focus, which it must
// show.
func (v *visitor) tabTo(name string) {
	v.Helper()
	var passed []string
	for range 60 {
		do(v, chromedp.KeyEvent(kb.Tab))
		at := strings.TrimSuffix(v.focused(), " optional")
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

func (v *visitor) press(keys string) {
	v.Helper()
	do(v, chromedp.KeyEvent(keys))
}

func TestKeyboardIsEnough(t *testing.T) {
	v := newVisitor(t, manner{language: "en-US"})
	v.open("/")
	v.tabTo("What is happening?")
	v.press("Night walk")
	v.press(kb.Enter)
	if at := v.focused(); at != "Date" {
		t.Errorf("Enter in the title goes to %q", at)
	}
	v.press("12122099")
	v.tabTo("Time")
	v.press("0730PM")
	v.tabTo("Time zone")
	v.press("Tokyo")
	v.tabTo("Place")
	v.press("Gate 5")
	v.tabTo("Announce it")
	v.press(kb.Enter)
	v.sees("Now spread the word")
	v.until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	v.sees("7:30 PM GMT+9 · Tokyo")
	v.tabTo("See the page as your guests do")
	v.press(kb.Enter)
	v.sees("Are you coming?")
	v.tabTo("Your name")
	v.press("Anna")
	v.press(kb.Enter)
	v.sees("You are coming")
	v.until("focus on what was reached", `document.activeElement.id === 'yours-title'`)
	v.tabTo("Cancel for Anna")
	v.press(kb.Enter)
	v.sees("Is Anna not coming?")
	v.press(kb.Escape)
	v.until("no dialog", `!document.querySelector('dialog')`)
	if at := v.focused(); at != "Cancel for Anna" {
		t.Errorf("after Escape the focus is on %q", at)
	}
	v.press(kb.Enter)
	v.tabTo("Not coming")
	v.press(" ")
	v.sees("Anna is no longer on the list.")
	v.tabTo("You organize this event: guest list and links")
	v.press(kb.Enter)
	v.sees("No guests yet")
	v.tabTo("Cancel this event …")
	v.press(kb.Enter)
	v.tabTo("Reason, for everybody to read")
	v.press("Rain")
	v.tabTo("Cancel the event")
	v.press(kb.Enter)
	v.sees("This event is cancelled")
	v.sees("Rain")
	v.until("focus on what holds now", `document.activeElement === document.querySelector('#state h2')`)
}

func TestHostileTextStaysText(t *testing.T) {
	event := announce(t, hostile(), markup[:60], stacked)
	cancel(t, event, markup+turning+stacked)
	v := newVisitor(t, manner{})
	for _, path := range []string{event.public(), event.private()} {
		v.open(path)
		if got, want := eval[string](v, `document.querySelector('h1').textContent`), hostile()["title"]; got != want {
			t.Errorf("%s: the title is %q, want %q", path, got, want)
		}
		if got := eval[int](v, `document.querySelectorAll('main img, main script, main b, main iframe').length`); got != 0 {
			t.Errorf("%s: %d elements came out of texts", path, got)
		}
		if got := eval[string](v, `document.title`); strings.Contains(got, "taken") {
			t.Errorf("%s: a script ran", path)
		}
		if got := eval[string](v, `document.querySelector('#state .prose').textContent`); got != markup+turning+stacked {
			t.Errorf("%s: the reason is %q", path, got)
		}
	}
	v.open(announce(t, supper()).public())
	v.write("Your name", "\u2069\u202eAnna")
	v.click("Count me in")
	v.click("Cancel for Anna")
	if got := eval[string](v, `document.querySelector('dialog h2').textContent`); got != "Is \u2068Anna\u2069 not coming?" {
		t.Errorf("the question is %q", got)
	}
	v.open(event.public())
	links := eval[[]string](v, `[...document.querySelectorAll('.user a')].map((link) => link.href + ' ' + link.rel)`)
	if want := []string{"https://example.org/" + strings.Repeat("a", 300) + " noopener noreferrer nofollow"}; fmt.Sprint(links) != fmt.Sprint(want) {
		t.Errorf("the links are %q, want %q", links, want)
	}
	// Marks that are piled up stay inside their box.
	v.open(announce(t, supper(), stacked, "Neighbour").private())
	if overflow := eval[string](v, `getComputedStyle(document.querySelector('.guests .user')).overflowY`); overflow != "clip" {
		t.Errorf("piled-up marks run over their neighbours: overflow is %q", overflow)
	}
}

func TestLinksEndWithTheAddress(t *testing.T) {
	body := supper()
	body["description"] = "See https://example.org/a. (Or https://example.org/b_(c)!) <https://example.org/d> HTTP://EXAMPLE.ORG, https:// ftp://example.org/ " +
		"https://bank.example@evil.example/ https://a:b@evil.example httpſ://evil.example/ https://[bad \u202ehttps://example.org/e\u202c"
	v := newVisitor(t, manner{})
	v.open(announce(t, body).public())
	got := eval[[]string](v, `[...document.querySelectorAll('.prose a')].map((link) => link.textContent)`)
	want := []string{"https://example.org/a", "https://example.org/b_(c)", "https://example.org/d", "HTTP://EXAMPLE.ORG", "https://example.org/e"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the links are %q, want %q", got, want)
	}
	if text := eval[string](v, `document.querySelector('.prose').textContent`); text != body["description"] {
		t.Errorf("the description became %q", text)
	}
	// Marks around an address do not turn it.
	if bidi := eval[string](v, `getComputedStyle(document.querySelector('.prose a')).unicodeBidi`); bidi != "isolate" {
		t.Errorf("unicode-bidi is %q", bidi)
	}
}

func TestGerman(t *testing.T) {
	event := announce(t, supper(), "Anna")
	v := newVisitor(t, manner{language: "de-AT"})
	v.open(event.public())
	for _, want := range []string{"Kommst du?", "Samstag, 12. Dezember 2099", "19:30 MEZ", "1 kommt"} {
		v.sees(want)
	}
	if got := eval[string](v, `document.documentElement.lang`); got != "de" {
		t.Errorf("lang is %q", got)
	}
	v.write("Dein Name", "Ben")
	v.click("English")
	v.sees("Are you coming?")
	if got := v.value("Your name"); got != "Ben" {
		t.Errorf("the name was lost with the language: %q", got)
	}
	if got := eval[string](v, `document.documentElement.lang`); got != "en" {
		t.Errorf("lang is %q", got)
	}
	v.reload()
	v.sees("Are you coming?")
	v.click("Deutsch")
	v.click("Ich bin dabei")
	v.sees("Du kommst")
	v.sees("2 kommen")
}

// A screen reader reads the preview when it changes, not at every letter.
func TestPreviewSpeaksWhenTheDateChanges(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	fill(v)
	v.sees("Saturday, 12 December 2099")
	eval[chromedp.Void](v, `void document.querySelector('.preview').firstChild.setAttribute('data-same', '')`)
	v.write("Place", "Elsewhere")
	if !eval[bool](v, `Boolean(document.querySelector('.preview [data-same]'))`) {
		t.Error("the preview was written anew")
	}
	v.pick("Date", "2099-12-13")
	v.sees("Sunday, 13 December 2099")
}

func TestTitleIsOneLine(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	v.write("What is happening?", "Pasted \n title\r\nfrom a letter")
	if got := v.value("What is happening?"); got != "Pasted title from a letter" {
		t.Errorf("the title is %q", got)
	}
}

func TestTokensInCapitalsAreTheSame(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/e/" + strings.ToUpper(event.EventToken))
	come(v, "Anna")
	v.open(event.public())
	v.sees("You are coming")
}

func TestOtherLanguagesReadEnglish(t *testing.T) {
	v := newVisitor(t, manner{language: "fr-FR"})
	v.open("/")
	v.sees("Who is coming?")
}

// A browser may name what its own Intl does not take.
func TestBrowserThatDoesNotKnowWhereItIs(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	call(v, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'de-AT'] });
		const resolved = Intl.DateTimeFormat.prototype.resolvedOptions;
		Intl.DateTimeFormat.prototype.resolvedOptions = function () { return { ...resolved.call(this), timeZone: 'Etc/Unknown' }; };
		localStorage.setItem('turnout.language', '5');
	`})
	v.open("/")
	v.sees("Who is coming?")
	if got := v.value("Time zone"); got != "UTC" {
		t.Errorf("%s is preselected", got)
	}
	v.open(event.public())
	v.sees("For you (UTC)")
}

func TestWithoutJavaScript(t *testing.T) {
	v := newVisitor(t, manner{})
	call(v, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	do(v, chromedp.Navigate(base+"/"))
	text, err := chromedp.Run(v.ctx, chromedp.Text(chromedp.CSS("main")))
	v.must(err)
	for _, want := range []string{"needs JavaScript", "braucht dafür JavaScript"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q, but %q", want, text)
		}
	}
}

func TestEventsOfOneDeviceAreWelcomedBack(t *testing.T) {
	v := newVisitor(t, manner{})
	event := announce(t, supper())
	v.open(event.private())
	v.click("Remember on this device")
	v.sees("Kept.")
	v.open(event.public())
	v.click("You organize this event: guest list and links")
	v.sees("No guests yet")
	v.seesNot("Remember on this device")
}
