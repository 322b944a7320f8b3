package browser

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site/locale"
)

// titled is an event with a title of this many characters. It is not the sample, so that a new
// field does not change the measured pages.
func titled(length int) fields {
	const long = "Supper on the roof with everybody who has ever been on it, and with those who want to be, too"
	return fields{
		"title": (long + strings.Repeat("!", length))[:length], "dateTime": "2099-12-12T19:30:00+01:00", "timezone": "Europe/Berlin",
		"location": "Weserstraße 12, top floor, Berlin", "description": "Bring something warm to share – soup, bread, a story.",
	}
}

var screens = []manner{{Width: 390, Height: 844}, {Width: 360, Height: 640}, {Width: 1280, Height: 800}}

// onScreen checks that elements are wholly inside the first screen.
func onScreen(v *visitor, m manner, what string, selectors ...string) {
	v.Helper()
	for _, selector := range selectors {
		bottom := eval[float64](v, `(() => {
			const box = document.querySelector(%s)?.getBoundingClientRect();
			return box?.height > 0 && box.top >= 0 ? box.bottom + scrollY : 1e6;
		})()`, selector)
		if bottom > float64(m.Height) {
			v.Errorf("%d×%d, %s: %s ends at %.0f px", m.Width, m.Height, what, selector, bottom)
		}
	}
}

func TestMainActionIsOnTheFirstScreen(t *testing.T) {
	type size struct{ title, guests int }
	events := map[size]created{}
	for _, s := range []size{{12, 0}, {12, 12}, {90, 0}, {90, 120}} {
		events[s] = announce(t, titled(s.title), crowd(s.guests)...)
	}
	for _, m := range screens {
		v := newVisitor(t, m)
		for size, event := range events {
			what := fmt.Sprintf("%+v", size)
			v.Open(event.public())
			onScreen(v, m, what, "#name", "#rsvp [type=submit]")
			v.Open(event.private())
			onScreen(v, m, what, "#guests-title", "#share > summary")
			if size.guests > 0 {
				onScreen(v, m, what, ".guests li:first-child", ".guests li:nth-child(2)")
			}
			v.Check(what+": the list begins with eight names at most", `document.querySelectorAll('.guests li').length <= 8`)
		}
		v.Open("/?new")
		for _, language := range append(slices.Clone(locale.Languages()), "en") {
			choose(v, language)
			if m.Width < 400 {
				onScreen(v, m, "announce in "+language, "#title", "#date", "#time", ".chips", "#zone", "#announce [type=submit]")
				if covered := eval[float64](v, `document.getElementById('zone').getBoundingClientRect().bottom - document.querySelector('.send').getBoundingClientRect().top`); covered > 0 {
					t.Errorf("%d×%d, announce in %s: the button covers %.0f px of what is required", m.Width, m.Height, language, covered)
				}
			}
		}
		for _, length := range []int{12, 90} {
			v.Open("/?new")
			fill(v)
			v.Write("What are you planning?", titled(length)["title"].(string))
			v.Click("Announce it")
			v.Sees("Now spread the word")
			onScreen(v, m, fmt.Sprintf("announced with a title of %d", length), ".share")
		}
	}
}

// On a phone, three events and the button to announce another are on the first screen.
func TestThreeEventsAreOnTheFirstScreen(t *testing.T) {
	v := newVisitor(t, screens[0])
	for i, names := range [][]string{guests[:7], guests, nil} {
		event := announce(t, days(2*i+1), names...)
		v.Open(event.public())
		come(v, "Lena")
		if i > 0 {
			v.Open(event.private())
		}
	}
	for _, language := range locale.Languages() {
		v.Open("/")
		choose(v, language)
		v.Until("the answers", `document.querySelectorAll('.entry .tally').length === 3`)
		onScreen(v, screens[0], language, ".entry:nth-child(3)", ".new")
	}
}

// The moment of a yes is whole on the first screen in each language, and that there is more
// about the event. It is there once.
func TestMomentIsOnTheFirstScreen(t *testing.T) {
	supper := supper()
	supper["description"] = strings.Repeat("Bring a dish to share.\n", 5)
	event := announce(t, supper, crowd(15)...)
	v := newVisitor(t, screens[0])
	for n, language := range locale.Languages() {
		v.Open(event.public())
		choose(v, language)
		eval[struct{}](v, `document.getElementById('name').focus()`)
		v.Press("Lena" + kb.Enter)
		v.Until("the number", `document.querySelector('.moment')?.textContent.includes(%s)`, strconv.Itoa(16+n))
		onScreen(v, screens[0], language, ".tally.mine", "#yours-title", "#bring", "#other-device", ".about h2")
		is(v, `new Set([...document.querySelectorAll('.yours .halves > *')].map(({ offsetWidth, offsetHeight }) => offsetWidth + '×' + offsetHeight)).size`, 1)
		v.Reload()
		v.Until("what is left", `document.querySelector('#yours-title') && !document.querySelector('.moment')`)
		eval[struct{}](v, `localStorage.clear()`) // somebody else comes
	}
}
