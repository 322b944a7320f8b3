package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"turnout/internal/site"
)

// An event has the colour of its title everywhere: in the preview as soon as the title is
// left, on its pages and in the browser's bars, on home, and when it is announced again.
func TestColourFollowsTheTitle(t *testing.T) {
	const title, head, preview = "Cafe\u0301 & Crêpes", `document.documentElement`, `document.querySelector('.sketch')`
	v, colour := newVisitor(t, manner{}), fmt.Sprint(site.ColourOf(title))
	has := func(element, where string) {
		t.Helper()
		v.Until(where+" in its colour", element+`?.dataset.colour === %s && getComputedStyle(document.querySelector('#top')).backgroundColor === document.querySelector('meta[name=theme-color]').content`, colour)
	}
	v.Open("/?new")
	fill(v)
	v.Write("What are you planning?", title)
	v.Check("the colour does not change with every letter", preview+`.dataset.colour !== %s`, colour)
	v.Focus("Place")
	has(preview, "the preview")
	v.Click("Announce it")
	v.Sees("Now spread the word")
	has(head, "the organizer's page")
	path, _, _ := strings.Cut(v.Path(), "#")
	token := strings.TrimPrefix(path, "/e/")
	v.Open("/")
	has(fmt.Sprintf(`document.getElementById('entry-%s')`, token), "home")
	v.Open("/?again=" + token)
	has(preview, "the preview of an event that is announced again")
	v.Open(path)
	for _, dark := range []bool{true, false} {
		v.Scheme(dark)
		has(head, "the guests' page")
		is(v, `getComputedStyle(document.querySelector('.language')).colorScheme`, "light") // on the bright head
	}
}

// A page has one colour from the first byte on: that of an event that is loaded, of one that
// this device knows, else the one that the page had before.
func TestNoPageChangesItsColourWhileItLoads(t *testing.T) {
	event, next := announce(t, supper(), "Ada"), announce(t, supper("title", "Garden party"))
	v := newVisitor(t, manner{})
	v.Prepare(`
		window.colours = [];
		let last;
		new MutationObserver(() => {
			const { colour } = document.documentElement?.dataset ?? {};
			if (colour && colour !== last) colours.push(last = colour);
		}).observe(document, { attributes: true, childList: true, subtree: true });`)
	first, release := fmt.Sprint(site.ColourOf("Rooftop supper")), chan<- struct{}(nil)
	for _, c := range []struct {
		steps
		want string
	}{
		{steps{open(event.private()), sees("1 is coming")}, first},
		{steps{click("See what your guests see"), sees("Are you coming?")}, ""},
		{steps{open("/")}, "home"},
		{steps{follows(next.public()), sees("Garden party")}, fmt.Sprint(site.ColourOf("Garden party"))}, // not known here
		{steps{open("/")}, "home"},
		{steps{func(v *visitor) { _, release = v.Disturb(http.MethodGet, held) }, click("Rooftop supper"), func(v *visitor) {
			v.Until("the page that is loading", `document.querySelector('[aria-busy]')`)
		}}, first},
		{steps{func(*visitor) { close(release) }, sees("1 is coming")}, ""},
	} {
		c.reach(v)
		same(v, v.Path(), eval[string](v, `colours.splice(0).join(' ')`), c.want)
	}
}
