package browser

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestTitlesAndRobots(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	seen := map[string]string{}
	for path, indexed := range map[string]bool{"/": true, event.public(): false, event.private(): false, "/nothing": false} {
		v.Open(path)
		title := plain(eval[string](v, `document.title`))
		if other, taken := seen[title]; taken || title == "" {
			t.Errorf("%s and %s are both called %q", path, other, title)
		}
		seen[title] = path
		if description := eval[string](v, `document.querySelector('meta[name=description]').content`); description == "" {
			t.Errorf("%s has no description", path)
		}
		if robots := eval[bool](v, `document.querySelector('meta[name=robots]')?.content === 'noindex'`); robots == indexed {
			t.Errorf("%s: noindex is %t", path, robots)
		}
	}
}

// Another page has the focus on its heading, and the one that is returned to is as it was.
func TestMovingBetweenPages(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	v := newVisitor(t, screens[1])
	v.Open("/nothing")
	v.Click("Go to the home page")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	eval[struct{}](v, `new Promise((done) => { addEventListener('scrollend', () => setTimeout(done), { once: true }); scrollTo(0, 500); }).then(() => {})`)
	follow(v, "/nothing")
	v.Sees("There’s no page at this address.")
	do(v, chromedp.NavigateBack())
	v.Sees("Announce it")
	if got := eval[float64](v, `scrollY`); got != 500 {
		t.Errorf("back is at %.0f px", got)
	}
	follow(v, event.private())
	askToCancel(v)
	v.Sees("This can’t be undone.")
	do(v, chromedp.NavigateBack())
	v.Sees("Your events")
	v.Until("no dialog", `!document.querySelector('dialog')`)
	do(v, chromedp.NavigateBack())
	v.Sees("There’s no page at this address.")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
}

func TestSecretIsOnlySentToTheAPI(t *testing.T) {
	t.Parallel()
	event := announce(t, supper(), "Anna")
	v := atHome(t)
	do(v, chromedp.Navigate(base+event.private()))
	v.Sees("1 is coming")
	entries := eval[[]string](v, `performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).map((entry) => entry.name)`)
	for _, entry := range entries {
		address, err := url.Parse(entry)
		if err != nil {
			t.Fatal(err)
		}
		withSecret := strings.Contains(address.Path+address.RawQuery, event.OrganizerToken)
		if asks := strings.HasSuffix(address.Path, "/attendees"); withSecret != asks {
			t.Errorf("the secret in %s: %t", entry, withSecret)
		}
	}
	if referrer := eval[string](v, `document.referrer`); referrer != "" {
		t.Errorf("the referrer is %q", referrer)
	}
}

func TestListIsExportedAndImported(t *testing.T) {
	t.Parallel()
	old, fresh := newVisitor(t, manner{}), newVisitor(t, manner{})
	mine(old)
	old.Open("/")
	name, content := old.Download("Export the list")
	if name != "turnout.json" {
		t.Errorf("the file is called %q", name)
	}
	var list struct{ Events, Rsvps []map[string]string }
	if err := json.Unmarshal([]byte(content), &list); err != nil || len(list.Events) != 1 || len(list.Rsvps) != 1 {
		t.Fatalf("the list is %s: %v", content, err)
	}

	fresh.Open("/")
	load(fresh, content)
	fresh.Sees("2 entries read.")
	load(fresh, content)
	fresh.Sees("2 entries read.")
	if got := eval[int](fresh, `document.querySelectorAll('.entries li').length`); got != 2 {
		t.Errorf("imported twice, the list has %d entries", got)
	}
	fresh.Reload()
	fresh.Click("Rooftop supper")
	fresh.Sees("20 are coming")
	fresh.Open("/e/" + list.Rsvps[0]["eventToken"])
	fresh.Click("Can’t make it: Anna")
	fresh.Reload()
	fresh.Sees("Nobody yet")
	fresh.Open("/")
	load(fresh, "no JSON")
	fresh.Sees("This file isn’t a Turnout list.")
}

func TestCopy(t *testing.T) {
	t.Parallel()
	event, v := organizing(t, "Anna", "two\nlines", "Ben")
	v.Grant()
	v.Click("Share the link")
	v.Click("Your private link")
	for button, want := range map[string]string{
		"Copy link":         base + event.public(),
		"Copy private link": base + event.private(),
		"Copy names":        "Anna\ntwo lines\nBen",
	} {
		if got := v.Copy(button); got != want {
			t.Errorf("%q copies %q, want %q", button, got, want)
		}
	}
}

func TestSearchFindsNames(t *testing.T) {
	t.Parallel()
	event := announce(t, supper(), append(guests, "Işıl", "İbrahim")...)
	for language, label := range map[string]string{"en-GB": "Find a name", "tr-TR": "Ad ara"} {
		v := newVisitor(t, manner{Language: language})
		v.Open(event.private())
		for search, want := range map[string][]string{
			"cag": {"Çağla"}, "SØR": {"Søren"}, "zzz": {}, "محمد": {"محمد علي"}, "au": {"Paul & Paula"},
			"ibrahim": {"İbrahim"}, "İBR": {"İbrahim"}, "ışıl": {"Işıl"}, "isil": {"Işıl"},
		} {
			v.Write(label, search)
			if got := names(v); !slices.Equal(got, want) {
				t.Errorf("%s: %q finds %q, want %q", language, search, got, want)
			}
		}
		v.Write(label, "")
		eval[struct{}](v, `document.getElementById('more').click()`)
		if got := len(names(v)); got != len(guests)+2 {
			t.Errorf("%s: without a search there are %d names", language, got)
		}
	}
}

func TestWrongSecretIsExplained(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open(announce(t, supper(), "Anna").public() + "#organizer=cut-o")
	v.Sees("doesn’t belong to this event")
	v.SeesNot("Anna")
	v.Click("Open the event page")
	v.Sees("Are you coming?")
}
