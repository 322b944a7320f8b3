package browser

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/animation"

	"turnout/internal/site/locale"
)

const (
	countUs = "Count us both in"
	dashed  = `document.querySelectorAll('.who .next:is(path)').length`
)

// TestTwoNames: two names are two guests, unless the visitor says that they are one guest. A reload keeps this choice.
// Each guest has a row with the name and the button that withdraws the guest.
func TestTwoNames(t *testing.T) {
	p := newVisitor(t, manner{Language: "en-US"}).sitePage
	event := announce(t, supper(), "Zoë")
	p.Open(event.public())
	p.Write("Your name", "Anna & Ben")
	p.Sees(countUs, "1 is coming – you’d be the dashed ones")
	is(p, dashed, 2)
	p.Click("No, “Anna & Ben” is one person")
	p.Until("the button", fn("isFocused", "Count me in"))
	is(p, dashed, 1)
	p.Reload()
	p.Holds("Your name", "Anna\u00a0&\u00a0Ben")
	p.Sees("Count me in")
	p.Write("Your name", "Anna & Bo")
	on[struct{}](p, "noteItems", http.MethodPost)
	p.Click(countUs)
	p.Sees("You’re both in", "3 are coming – the red ones are you")
	p.Idle()
	p.SeesNot("number")
	is(p, fn("notedItems"), 2) // the items are stored before the first request
	is(p, `document.activeElement.id`, "yours-title")
	is(p, `document.querySelectorAll('.who .halo + .own').length`, 2)
	is(p, fn("countStored", "drafts."), 0)
	bring(p, "Cleo & Dora") // the name is kept as the visitor typed it
	p.Sees("3 of you are coming")
	is(p, fn("texts", "#yours li .named"), []string{"Anna", "Bo", "Cleo & Dora"})
	is(p, `[...new Set(`+fn("texts", "#yours li button")+`)]`, []string{"Can’t make it after all"})
	for _, name := range []string{"Cleo & Dora", "Anna"} {
		p.Click("Can’t make it after all: " + name)
	}
	p.Sees("You’re in, Bo", "2 are coming – the red one is you")
	p.Open("/") // leaving the page sends the withdrawals
	p.Sees("Bo is coming")
	p.Idle()
	hasNames(t, event, "Zoë", "Bo")
}

// Names are split at the page language's word for "and" between spaces. If the names are one name after all, one tap
// undoes the split.
func TestTwoNamesInEachLanguage(t *testing.T) {
	_, v := invited(t)
	for language, names := range map[string]map[string]bool{
		"en": {
			"Anna & Ben": true, " Anna + Ben ": true, "Anna AND Ben": true, "Anna und Ben": false, "AT&T": false,
			"Sandy": false, "Anna & ": false, "& Ben": false, "A & B & C": false, "Anna & Ben and Cleo": false,
			"Anna + 1": false, "Anna & 2 kids": false, "Anna, Ben & Cleo": false, "Anna & (Ben)": false,
		},
		"es": {"José Ortega y Gasset": true, "Yolanda": false, "Anna e Inés": false},
		"it": {"Anna e Marco": true, "Edoardo de Rossi": false},
		"pt": {"Ana e João": true, "Eva de Melo": false},
		"pl": {"Ola i Jan": true, "Iga Nowak": false},
		"uk": {"Оля і Петро": true, "Оля й Петро": true, "Оля та Петро": true, "Ілля Іваненко": false},
		"tr": {"Ayşe ve Ali": true, "Veli Veysel": false},
		"ar": {"أحمد وليلى": false, "أحمد و ليلى": false, "أحمد & ليلى": true, "أحمد، ليلى & علي": false},
		"ja": {"花子と太郎": false, "花子 と 太郎": false, "花子 & 太郎": true, "花子、太郎 & 次郎": false},
	} {
		choose(v, language)
		l := locale.Of(language)
		for name, two := range names {
			label := map[bool]string{true: l.Text("rsvp.submitBoth"), false: l.Text("rsvp.submit")}[two]
			v.Write(l.Text("rsvp.name"), name)
			v.Until(fmt.Sprintf("%q: two guests: %t", name, two), fn("hasText", "#rsvp button", label))
		}
	}
}

// The yes of two guests is shown once both responses have come. If one guest is refused, the page shows the refusal.
func TestOneOfTwoWaits(t *testing.T) {
	wait := answer{Status: 429, Headers: map[string]string{"Retry-After": "600"}}
	refusal := answer{Status: 409, Code: "event-cancelled"}
	for name, c := range map[string]struct {
		answer     answer
		said, then string
	}{
		"later":   {wait, "No confirmation yet for Ben.", "You’re both in"},
		"refused": {refusal, "Ben isn’t signed up.", "You’re in, Anna"},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := invited(t)
			c.answer.Skip, c.answer.Times = 1, 1
			instead(v, http.MethodPost, c.answer)
			couples(v)
			v.Until("Anna's answer", fn("countStored", "rsvp.")+` === 1`)
			v.Sees(c.said)
			hasNames(t, event, "Anna")
			if name == "later" {
				v.SeesNot("You’re in")
				v.Click("Try now")
			}
			v.Sees(c.then)
			v.Until("the rows of both", fmt.Sprint(fn("withdrawable"), `.length === `, len(attendees(t, event))))
		})
	}
}

// TestTaps counts the taps for common tasks: a guest signs up with a companion, a guest puts the event into a calendar,
// and an organizer sends the invitation again.
func TestTaps(t *testing.T) {
	event, v := invited(t)
	v.Prepare(fn("haveShareSheet", true))
	v.Prepare(fn("countTaps"))
	taps := func(want int) {
		t.Helper()
		is(v, fn("takeTaps"), want)
	}
	v.Open(event.public())
	v.Click("Your name")
	v.Press("Anna & Ben")
	v.Click(countUs)
	v.Sees("You’re both in")
	taps(2)
	_, file := v.Download("Add to calendar")
	says(t, file, "BEGIN:VEVENT")
	taps(1)
	v.Open(event.private())
	v.Open("/")
	v.Click("Rooftop supper")
	v.Sees("Check in")
	v.Idle() // the list of names moves the button
	v.Click("Send the invitation")
	v.Until("the share sheet", fn("shared")+`?.text.includes('Rooftop supper')`)
	taps(2)
}

// The second of two quick taps neither ticks a guest nor confirms a question that has just appeared.
func TestSecondTapIsForWhatWasThere(t *testing.T) {
	_, v := organizing(t, "Ada")
	tap := func(target string) {
		t.Helper()
		at := on[[]float64](v, "centreOf", target)
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
	v.Sees("You get a private link that shows who’s coming.")
}
