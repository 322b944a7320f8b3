package browser

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/animation"

	"turnout/internal/site/locale"
)

// sheet is the share sheet of a phone.
const sheet = `navigator.share = async ({ text }) => { window.shared = text; };
	{ const { matchMedia } = window; window.matchMedia = (query) => (query === '(pointer: coarse)' ? { matches: true } : matchMedia(query)); }`

const (
	countUs = "Count us in – 2"
	dashed  = `document.querySelectorAll('.who .next:is(path)').length`
)

// twoNames is a flow for every engine: two names are two guests, unless their reader says that they are one, which a reload keeps.
// Each can be withdrawn alone.
func twoNames(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Zoë")
	p.Open(event.public())
	p.Write("Your name", "Anna & Ben")
	p.Sees(countUs, "1 is coming – the dashed ones are yours")
	is(p, dashed, 2)
	p.Click("No, “Anna & Ben” is one person")
	p.Until("the button", named+` === document.activeElement`, "Count me in")
	is(p, dashed, 1)
	p.Reload()
	p.Holds("Your name", "Anna\u00a0&\u00a0Ben")
	p.Sees("Count me in")
	p.Write("Your name", "Anna & Bo")
	instead(p, http.MethodPost, `(window.stored ??= `+driving+`.stored('outbox.').length, real())`)
	p.Click(countUs)
	p.Sees("You’re both in", "3 are coming – the red ones are you")
	p.Idle()
	p.SeesNot("number")
	is(p, `stored`, 2) // before the first request
	is(p, `[document.activeElement.id, document.querySelectorAll('.who .halo + .own').length, `+driving+`.stored('drafts.').length]`, []any{"yours-title", 2.0, 0.0})
	bring(p, "Cleo & Dora") // as it was typed
	p.Sees("3 of you are coming")
	for _, name := range []string{"Cleo & Dora", "Anna"} {
		p.Click("Can’t make it after all: " + name)
	}
	p.Sees("You’re in, Bo", "2 are coming – the red one is you")
	p.Open("/") // which sends the withdrawals
	p.Sees("Bo is coming")
	p.Idle()
	hasNames(p.T, event, "Zoë", "Bo")
}

// The word for "and" is that of the page, where it stands between spaces. What may be one name is one tap from it.
func TestTwoNamesInEachLanguage(t *testing.T) {
	_, v := invited(t)
	for language, names := range map[string]map[string]bool{
		"en": {
			"Anna & Ben": true, " Anna + Ben ": true, "Anna AND Ben": true, "Anna und Ben": false, "AT&T": false, "Sandy": false, "Anna & ": false, "& Ben": false,
			"A & B & C": false, "Anna & Ben and Cleo": false, "Anna + 1": false, "Anna & 2 kids": false, "Anna, Ben & Cleo": false, "Anna & (Ben)": false,
		},
		"es": {"José Ortega y Gasset": true, "Yolanda": false, "Anna e Inés": false},
		"it": {"Anna e Marco": true, "Edoardo de Rossi": false},
		"pt": {"Ana e João": true, "Eva de Melo": false},
		"pl": {"Ola i Jan": true, "Iga Nowak": false},
		"uk": {"Оля і Петро": true, "Ілля Іваненко": false},
		"tr": {"Ayşe ve Ali": true, "Veli Veysel": false},
		"ar": {"أحمد وليلى": false, "أحمد و ليلى": false, "أحمد & ليلى": true, "أحمد، ليلى & علي": false},
		"ja": {"花子と太郎": false, "花子 と 太郎": false, "花子 & 太郎": true, "花子、太郎 & 次郎": false},
	} {
		choose(v, language)
		l := locale.Of(language)
		for name, two := range names {
			v.Write(l.Text("rsvp.name"), name)
			v.Until(fmt.Sprintf("%q: two guests: %t", name, two), `document.querySelector('#rsvp button').textContent === %s`,
				map[bool]string{true: l.Text("rsvp.submitBoth"), false: l.Text("rsvp.submit")}[two])
		}
	}
}

// The yes of two waits for both answers, and of one who is refused shows the refusal.
func TestOneOfTwoWaits(t *testing.T) {
	for name, c := range map[string]struct{ answer, said, then string }{
		"later":   {`429, headers: { 'Retry-After': '600' }`, "No confirmation yet for Ben.", "You’re both in"},
		"refused": {`409`, "Ben isn’t signed up.", "You’re in, Anna"},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := invited(t)
			instead(v, http.MethodPost, `(window.posts = (window.posts ?? 0) + 1) === 2 ? new Response('{"type":"urn:turnout:problem:event-cancelled"}', { status: `+c.answer+` }) : real()`)
			couples(v)
			v.Until("Anna's answer", driving+`.stored('rsvp.').length === 1`)
			v.Sees(c.said)
			hasNames(t, event, "Anna")
			if name == "later" {
				v.SeesNot("You’re in")
				v.Click("Try now")
			}
			v.Sees(c.then)
			v.Until("the rows of both", withdrawable+`.length === %s`, len(attendees(t, event)))
		})
	}
}

// TestTaps counts what a guest has to tap who comes with another one, or puts the event into a calendar, and an organizer
// who sends the invitation again.
func TestTaps(t *testing.T) {
	event, v := invited(t)
	v.Prepare(sheet + `addEventListener('click', ({ isTrusted }) => { sessionStorage.taps = Number(sessionStorage.taps ?? 0) + Number(isTrusted); }, true)`)
	taps := func(want string) {
		t.Helper()
		is(v, `sessionStorage.taps`, want)
		eval[struct{}](v, `void (sessionStorage.taps = 0)`)
	}
	v.Open(event.public())
	v.Click("Your name")
	v.Press("Anna & Ben")
	v.Click(countUs)
	v.Sees("You’re both in")
	taps("2")
	_, file := v.Download("Add to calendar")
	says(t, file, "BEGIN:VEVENT")
	taps("1")
	v.Open(event.private())
	v.Open("/")
	v.Click("Rooftop supper")
	v.Sees("Check in")
	v.Idle() // the names move the button
	v.Click("Send the invitation")
	v.Until("the share sheet", `shared.includes('Rooftop supper')`)
	taps("2")
}

// The second of two quick taps neither ticks a guest nor answers a question that has just appeared.
func TestSecondTapIsForWhatWasThere(t *testing.T) {
	_, v := organizing(t, "Ada")
	tap := func(target string) {
		t.Helper()
		at := eval[[]float64](v, `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector(%s).getBoundingClientRect())`, target)
		v.Must(v.driver.Click(v.Context, at[0], at[1]))
	}
	call(v, animation.SetPlaybackRate, animation.SetPlaybackRateParams{})
	v.Click("Check in")
	v.Sees("0 here")
	tap(".guests input")
	v.SeesNot("1 here")
	follow(v, "/")
	v.Click("More for Rooftop supper")
	v.Click("Remove")
	tap("dialog .danger")
	call(v, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 1})
	v.Click("Remove")
	v.Sees("Your private link shows who’s coming.")
}
