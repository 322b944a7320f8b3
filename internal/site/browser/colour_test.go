package browser

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"turnout/internal/site"
)

// An event has the colour of its title everywhere: in the preview as soon as the title is
// left, on its pages and in the browser's bars, on home, and when it is announced again.
func TestColourFollowsTheTitle(t *testing.T) {
	t.Parallel()
	const head, preview = `document.documentElement`, `document.querySelector('.sketch')`
	v := newVisitor(t, manner{})
	for _, title := range []string{"花見 🌸 2027", "Cafe\u0301 & Crêpes"} {
		colour := site.ColourOf(title)
		has := func(element, where string) {
			t.Helper()
			v.Until(where+" in its colour", element+`?.dataset.colour === %s && getComputedStyle(document.querySelector('#top')).backgroundColor === document.querySelector('meta[name=theme-color]').content`, fmt.Sprint(colour))
		}
		v.Open("/?new")
		fill(v)
		v.Write("What are you planning?", title)
		v.Check("the colour does not change with every letter", preview+`.dataset.colour !== %s`, fmt.Sprint(colour))
		v.Focus("Place")
		has(preview, "the preview")
		v.Click("Announce it")
		v.Sees("Now spread the word")
		has(head, "the organizer's page")
		path, _, _ := strings.Cut(v.Path(), "#")
		v.Open("/")
		has(fmt.Sprintf(`document.getElementById('entry-%s')`, strings.TrimPrefix(path, "/e/")), "home")
		v.Open("/?again=" + strings.TrimPrefix(path, "/e/"))
		has(preview, "what is announced again")
		v.Write("What are you planning?", "")
		v.Open(path)
		for _, dark := range []bool{true, false} {
			v.Scheme(dark)
			has(head, "the guests' page")
			is(v, `getComputedStyle(document.querySelector('.language')).colorScheme`, "light") // on the bright head
		}

		want := site.Colours[colour].SRGB()
		says(t, string(get(t, path)), fmt.Sprintf(`name="theme-color" content="#%02x%02x%02x"`, want.R, want.G, want.B))
		picture, err := png.Decode(bytes.NewReader(get(t, path+"/card.png")))
		v.Must(err)
		same(v, "the picture is on", color.RGBAModel.Convert(picture.At(0, 0)), color.Color(want))
	}
}

// get returns what the site answers without a browser.
func get(t *testing.T, path string, headers ...string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v", path, answer.StatusCode, err)
	}
	return content
}

// A page has one colour from the first byte on: that of an event that is loaded, of one that
// this device knows, else the one that the page had before.
func TestNoPageChangesItsColourWhileItLoads(t *testing.T) {
	t.Parallel()
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
		where string
		steps
		want string
	}{
		{"the organizer's page", steps{open(event.private()), sees("1 is coming")}, first},
		{"the page that is opened from there", steps{click("See what your guests see"), sees("Are you coming?")}, ""},
		{"the guests' page", steps{(*visitor).Reload}, first},
		{"home", steps{open(event.private()), open("/")}, "home"},
		{"an event that is not known here", steps{func(v *visitor) { follow(v, next.public()) }, sees("Garden party")},
			fmt.Sprint(site.ColourOf("Garden party"))},
		{"home again", steps{open("/")}, "home"},
		{"an event of this device, while it is loading", steps{func(v *visitor) {
			_, release = v.Disturb(http.MethodGet, held)
			v.Click("Rooftop supper")
			v.Until("the page that is loading", `document.querySelector('[aria-busy]')`)
		}}, first},
		{"and when it is loaded", steps{func(*visitor) { close(release) }, sees("1 is coming")}, ""},
		{"an event that does not exist, which is like home", steps{
			open("/e/" + strings.Repeat("0", 8) + event.EventToken[8:]), sees("No event here"),
		}, ""},
	} {
		state{c.where, c.steps}.reach(v)
		same(v, c.where, eval[string](v, `colours.splice(0).join(' ')`), c.want)
	}
}
