package browser

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site/locale"
)

// choose picks a language from the menu. If the language is already chosen, nothing happens, as in a browser.
func choose(v *visitor, language string) {
	v.Helper()
	on[struct{}](v, "chooseLanguage", language)
	l := locale.Of(language)
	footers := []string{l.Text("site.foot"), l.Text("site.plan")}
	v.Until("the page in "+language, fn("isIn", l.Lang(), l.Direction(), footers))
}

// An event has the language of the page on which it was announced, with the region, and keeps it after a move. A page
// in another language marks the organizer's texts with the event's language.
func TestLanguageOfAnEvent(t *testing.T) {
	v := newVisitor(t, manner{Language: "de-AT"}, "/")
	german := locale.Of("de")
	announced := func(button string) apitest.Content {
		from := v.Path()
		v.Click(german.Text(button))
		v.Until("the new event", "location.pathname !== '"+from+"' && location.hash === '#organize'")
		token := eval[string](v, "location.pathname.slice(3)")
		return ask(t, apitest.GetEvent(token))
	}
	v.Write(german.Text("form.title"), "Sommerfest")
	v.Pick(german.Text("form.date"), "2099-12-12")
	v.Pick(german.Text("form.time"), "19:30")
	same(v, "the language", announced("form.submit").Language, "de-AT")

	old := announce(t, supper("language", "fr-CA"))
	v.Open(old.private())
	v.Click(german.Text("change.open"))
	v.Write(german.Text("cancel.reason"), "La pluie.")
	v.Pick(german.Text("form.date"), "2099-12-19")
	same(v, "the language", announced("change.submit").Language, "fr-CA")

	v.Open(old.public())
	v.Sees("La pluie.")
	want := []string{"La pluie."}
	for name := range apitest.TextsOf("CreateEventInput") {
		want = append(want, supper()[name].(string))
	}
	slices.Sort(want)
	same(v, "the French texts", slices.Sorted(slices.Values(on[[]string](v, "texts", ".user:lang(fr-CA)"))), want)
}

// A French visitor's clock has 24 hours, even on an English page. The choice of a language outlives a reload, and keeps
// typed text. A language that cannot be loaded is not chosen.
func TestChoiceOfLanguage(t *testing.T) {
	event := announce(t, supper("dateTime", "2099-12-12T15:00:00+01:00"))
	v := newVisitor(t, manner{Language: "fr-FR"}, event.public())
	v.Sees("15\u00a0h\u00a000")
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
	// The last choice counts, even if the texts of earlier choices arrive or fail later. The visitor can type
	// meanwhile.
	on[struct{}](v, "holdTexts")
	for _, language := range []string{"de", "pl", "it"} {
		v.Pick("Language", language)
	}
	v.Write("Your name", "Be")
	on[struct{}](v, "letTextsGo", 2, true)
	v.Sees("Vieni?")
	on[struct{}](v, "letTextsGo", 0, true)
	on[struct{}](v, "letTextsGo", 1, false)
	v.Press("n")
	v.Idle()
	v.Sees("Vieni?")
	is(v, `document.getElementById('name').value`, "Ben")
	is(v, fn("text", "#offline"), "")
	v.Reload()
	v.Sees("Vieni?")
	v.Unreachable(true)
	v.Pick(locale.Of("it").Text("site.language"), "pl")
	v.Until("a line to read", fn("begins", "#offline", locale.Of("it").Text("failure.language")))
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
	// When the network is back, the page loads again by itself.
	v.Offline(true)
	v.Offline(false)
	v.Until("the page", fn("begins", "h1", "Qui vient"))
}

// The page shows a refusal in its own language at the refused field, without the service's English message.
func TestFieldErrorsAreInTheLanguage(t *testing.T) {
	v := newVisitor(t, manner{Language: "fr-FR"})
	refuse := func(fields ...string) {
		instead(v, http.MethodPost, answer{Status: 400, Code: "invalid", Fields: fields})
	}
	v.Open(announce(t, supper()).public())
	v.Write("Votre nom", "\u200b\u2800") // characters that nobody can see are blank for the service, too
	v.Click("Je viens")
	v.Until("the error", fn("hasText", "#name-error", "Écrivez votre nom."))
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
	v.FocusOn("#title[aria-invalid=true][aria-describedby~=title-error]")
	v.Holds("Heure", "19:30")

	v.Open("/?new") // the form has no field for the language of its texts
	refuse("language")
	v.Click("Annoncer")
	v.Sees("Une erreur s’est produite (400).")
	v.SeesNot("Vérifiez les champs signalés.")
}

var update = flag.Bool("update", false, "write testdata/words instead of comparing with it")

// TestWords: testdata/words has each sentence with a date, a name or a number, in one file for each language, so that
// somebody who knows the language can read them. After a change, run the test with -update, and let somebody read the
// diff.
func TestWords(t *testing.T) {
	v := openSources(newVisitor(t, manner{Zone: "Europe/Berlin"}))
	for _, language := range locale.Languages() {
		name := filepath.Join("testdata", "words", language+".txt")
		got := on[string](v, "sentences", language, locale.Languages())
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
