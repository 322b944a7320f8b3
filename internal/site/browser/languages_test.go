package browser

import (
	_ "embed"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/site/locale"
)

// choose picks a language from the menu. As in a browser, nothing happens if it is already chosen.
func choose(v *visitor, language string) {
	v.Helper()
	eval[struct{}](v, `void (() => {
		const menu = document.getElementById('language'), language = %s;
		if (menu.value === language) return;
		document.querySelector('main h1').title = 'in the language before';
		menu.value = language;
		menu.dispatchEvent(new Event('change'));
	})()`, language)
	l := locale.Of(language)
	v.Until("the page in "+language, started+` && !document.querySelector('h1[title]') && %s.some((text) => document.getElementById('bottom').textContent.startsWith(text))
		&& document.documentElement.lang === %s && document.documentElement.dir === %s`, []string{l.Text("site.foot"), l.Text("site.plan")}, l.Lang(), l.Direction())
}

// The clock of a French visitor has 24 hours, on an English page too. The choice of a language stays, and so does the text that was
// typed before it. A language that cannot be loaded is no choice.
func TestChoiceOfLanguage(t *testing.T) {
	v := newVisitor(t, manner{Language: "fr-FR"}, announce(t, supper("dateTime", "2099-12-12T15:00:00+01:00")).public())
	v.Sees("15:00")
	if console := strings.Join(v.console.Take(), "\n"); strings.Contains(console, "preload") {
		t.Error(console)
	}
	v.Write("Votre nom", "Ben")
	v.Pick("Langue", "en")
	v.Sees("Are you coming?", "15:00")
	v.SeesNot("3:00")
	v.Holds("Your name", "Ben")
	v.Reload()
	v.Sees("Are you coming?")
	// The last choice holds, even if the texts of others arrive or fail after its own. Who types meanwhile goes on.
	eval[struct{}](v, `void (({ fetch }) => {
		window.texts = [];
		window.fetch = (...request) => (request[0].endsWith('.json')
			? new Promise((done, fail) => { texts.push((is) => (is ? done(fetch(...request)) : fail(new TypeError()))); }) : fetch(...request));
	})(window)`)
	for _, language := range []string{"de", "pl", "it"} {
		v.Pick("Language", language)
	}
	v.Write("Your name", "Be")
	eval[struct{}](v, `texts[2](true)`)
	v.Sees("Vieni?")
	eval[struct{}](v, `void (texts[0](true), texts[1](false))`)
	v.Press("n")
	v.Idle()
	v.Sees("Vieni?")
	is(v, `[document.getElementById('name').value, document.getElementById('offline').textContent]`, []string{"Ben", ""})
	v.Reload()
	v.Sees("Vieni?")
	v.Unreachable(true)
	v.Pick(locale.Of("it").Text("site.language"), "pl")
	v.Until("a line to read", `document.querySelector('#offline').innerText.startsWith(%s)`, locale.Of("it").Text("failure.language"))
	v.Unreachable(false)
	v.Sees("Vieni?")
	v.Pick(locale.Of("it").Text("site.language"), "pl")
	v.Sees(locale.Of("pl").Text("rsvp.name"))
	v.Until("no line", `!document.querySelector('#offline').textContent`)
}

func TestTextsCannotBeLoaded(t *testing.T) {
	v := newVisitor(t, manner{Language: "fr-FR"})
	v.Block("/assets/*.json")
	do(v, chromedp.Navigate(base+"/"))
	v.Sees("Recharger la page")
	v.SeesNot("too old")
	v.Block()
	// Back online, the page is loaded again by itself.
	v.Offline(true)
	v.Offline(false)
	v.Until("the page", `document.querySelector('h1')?.textContent.startsWith('Qui vient')`)
}

// A refusal of the service is shown in the language of the page, at its field, without the service's own message.
func TestFieldErrorsAreInTheLanguage(t *testing.T) {
	v := newVisitor(t, manner{Language: "fr-FR"})
	refuse := func(fields ...string) {
		eval[struct{}](v, `void (window.fetch = async () => new Response(JSON.stringify({
			type: 'urn:turnout:problem:invalid', fieldErrors: %s.map((field) => ({ field, message: 'must be other' })) }), { status: 400 }))`, fields)
	}
	v.Open(announce(t, supper()).public())
	v.Write("Votre nom", "\u200b\u2800") // what nobody can see is blank, as to the service
	v.Click("Je viens")
	v.Until("the error", `document.getElementById('name-error').textContent === 'Écrivez votre nom.'`)
	refuse("name")
	v.Write("Votre nom", "Anna")
	v.Click("Je viens")
	v.Sees("Une erreur s’est produite (400).")

	v.Open("/?new")
	v.Write("Qu’est-ce que vous organisez\u202f?", "Dîner")
	v.Pick("Date", "2099-05-01")
	v.Pick("Heure", "19:30")
	refuse("title")
	v.Click("Annoncer")
	v.Sees("Vérifiez les champs signalés.", "Ce contenu n’est pas accepté. Modifiez-le.")
	v.SeesNot("must be other")
	v.Until("the focus on it", `document.activeElement.matches('#title[aria-invalid=true][aria-describedby~=title-error]')`)
	v.Holds("Heure", "19:30")
}

var update = flag.Bool("update", false, "write testdata/words instead of comparing with it")

//go:embed testdata/words.js
var sentences string

// TestWords: each sentence with a date, a name or a number is in testdata/words, one file
// for each language, where somebody who knows the language can read them. After a change,
// run the test with -update and have someone read the diff.
func TestWords(t *testing.T) {
	v := openSources(newVisitor(t, manner{Zone: "Europe/Berlin"}))
	for _, language := range locale.Languages() {
		name := filepath.Join("testdata", "words", language+".txt")
		got := eval[string](v, sentences+`(%s, %s)`, language, locale.Languages())
		if strings.Contains(got, "undefined") || strings.Contains(got, "{") {
			t.Errorf("%s: a value is missing in\n%s", language, got)
		}
		if *update {
			v.Must(os.MkdirAll(filepath.Dir(name), 0o755))
			v.Must(os.WriteFile(name, []byte(got), 0o644))
			continue
		}
		content, err := os.ReadFile(name)
		v.Must(err)
		want, lines := strings.SplitAfter(string(content), "\n"), strings.SplitAfter(got, "\n")
		for _, line := range slices.Concat(want, lines) {
			if listed, said := slices.Contains(want, line), slices.Contains(lines, line); listed != said {
				t.Errorf("%s: listed %t, said by the site %t: %s", name, listed, said, line)
			}
		}
	}
}
