package browser

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The whole life of an event: an organizer, two guests, and a reload wherever
// somebody could reload.
func TestLifeOfAnEvent(t *testing.T) {
	organizer, anna, ben := newVisitor(t, manner{}), newVisitor(t, manner{}), newVisitor(t, manner{})

	organizer.open("/")
	fill(organizer)
	organizer.reload()
	for label, want := range map[string]string{
		"What is happening?": "Rooftop supper", "Date": "2099-12-12", "Time": "19:30", "Time zone": "Europe/Berlin",
		"Place": "Weserstraße 12, top floor, Berlin", "Description": "Bring something warm to share.\n\nDirections: https://example.org/roof",
	} {
		if got := organizer.value(label); got != want {
			t.Errorf("after a reload %q is %q, want %q", label, got, want)
		}
	}
	organizer.click("Announce it")
	organizer.sees("Now spread the word")
	organizer.sees("It cannot be recovered")
	share, private := organizer.value("Link to share"), organizer.value("Private organizer link")
	secret, found := strings.CutPrefix(private, share+"#organizer=")
	if !found || !strings.HasPrefix(share, base+"/e/") {
		t.Fatalf("the links are %s and %s", share, private)
	}
	event := created{EventToken: strings.TrimPrefix(share, base+"/e/"), OrganizerToken: secret}
	if got := organizer.path(); got != event.private() {
		t.Errorf("the organizer is at %s, want the private link", got)
	}
	_, links := organizer.download("Download both links")
	for _, want := range []string{"Rooftop supper", share + "\n", private + "\n", "cannot be recovered"} {
		if !strings.Contains(links, want) {
			t.Errorf("the file of links lacks %q:\n%s", want, links)
		}
	}
	organizer.reload()
	organizer.sees("Now spread the word")
	organizer.sees("No guests yet")

	anna.open(event.public())
	anna.sees("Saturday, 12 December 2099")
	anna.sees("19:30 CET · Berlin")
	anna.sees("Nobody yet")
	anna.write("Your name", "Anna")
	anna.reload()
	if got := anna.value("Your name"); got != "Anna" {
		t.Errorf("after a reload the name is %q", got)
	}
	come(anna, "Anna")
	anna.sees("1 is coming")
	come(anna, "Little Otto")
	anna.reload()
	anna.sees("You are coming, all 2 of you")
	anna.sees("2 are coming")

	ben.open(event.public())
	ben.seesNot("Anna")
	come(ben, "Ben")
	ben.sees("You are coming")
	ben.seesNot("all")

	organizer.click("Refresh")
	organizer.sees("3 guests")
	organizer.sees("Little Otto")
	if got := attendees(t, event); !reflect.DeepEqual(got, []string{"Anna", "Little Otto", "Ben"}) {
		t.Errorf("the service has %v", got)
	}

	anna.click("Cancel for Little Otto")
	anna.click("Still coming")
	anna.until("no dialog", `!document.querySelector('dialog')`)
	anna.click("Cancel for Little Otto")
	anna.click("Not coming")
	anna.sees("Little Otto is no longer on the list.")
	anna.reload()
	anna.seesNot("Little Otto")
	anna.sees("You are coming")

	organizer.open("/")
	organizer.click("Guest list of Rooftop supper")
	organizer.sees("2 guests")
	organizer.click("Cancel this event …")
	organizer.sees("tells your 2 guests that it is off")
	organizer.write("Reason, for everybody to read", "The roof is wet.\nSorry!")
	organizer.click("Keep it")
	organizer.until("no dialog", `!document.querySelector('dialog')`)
	organizer.reload()
	organizer.seesNot("This event is cancelled")
	organizer.click("Cancel this event …")
	if got := organizer.value("Reason, for everybody to read"); got != "The roof is wet.\nSorry!" {
		t.Errorf("the reason was lost: %q", got)
	}
	organizer.click("Cancel the event")
	organizer.sees("This event is cancelled")
	organizer.reload()
	organizer.sees("The roof is wet.\nSorry!")
	organizer.seesNot("Cancel this event …")

	// Ben's page is older than the cancellation; the service tells him.
	ben.write("Your name", "Bea")
	ben.click("Count me in")
	ben.sees("This event is cancelled")
	ben.seesNot("Are you coming?")
	ben.sees("You were coming")
	anna.reload()
	anna.sees("The roof is wet.\nSorry!")
	anna.click("Cancel for Anna")
	anna.click("Not coming")
	anna.sees("1 had signed up")

	for _, line := range logged.take() {
		if strings.Contains(line, event.OrganizerToken) || strings.Contains(line, event.EventToken) || strings.Contains(line, "Anna") {
			t.Errorf("the server logged %q", line)
		}
	}
}

func TestTitlesAndRobots(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	seen := map[string]string{}
	for path, indexed := range map[string]bool{"/": true, event.public(): false, event.private(): false, "/nothing": false} {
		v.open(path)
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

func TestBrowserTakesOnTheColour(t *testing.T) {
	v := newVisitor(t, manner{})
	seen := map[string]bool{}
	for _, path := range []string{"/", "/e/00000000-0000-4000-8000-000000000000", "/e/20000000-0000-4000-8000-000000000000"} {
		v.open(path)
		for _, dark := range []bool{false, true} {
			v.scheme(dark)
			v.until("the colour of the page", `document.querySelector('meta[name=theme-color]').content === getComputedStyle(document.querySelector('header')).backgroundColor`)
			seen[eval[string](v, `document.querySelector('meta[name=theme-color]').content`)] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("three pages in two schemes have the colours %v", seen)
	}
}

func TestFocusMovesWithThePage(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/nothing")
	v.click("Go to the start page")
	v.until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	do(v, chromedp.NavigateBack())
	v.sees("There is no page at this address.")
	v.until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
}

func TestQuestionGoesWithItsPage(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.open("/")
	follow(v, event.private())
	v.click("Cancel this event …")
	v.sees("It cannot be undone.")
	do(v, chromedp.NavigateBack())
	v.sees("Who is coming?")
	v.until("no dialog", `!document.querySelector('dialog')`)
}

func TestSecretStaysInTheBrowser(t *testing.T) {
	event := announce(t, supper(), "Anna")
	v := newVisitor(t, manner{})
	v.open("/")
	do(v, chromedp.Navigate(base+event.private()))
	v.sees("1 guest")
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

func TestMineComesAlongInAFile(t *testing.T) {
	old, fresh := newVisitor(t, manner{}), newVisitor(t, manner{})
	mine(old)
	old.open("/")
	name, content := old.download("Export the list")
	if name != "turnout.json" {
		t.Errorf("the file is called %q", name)
	}
	var list struct{ Events, Rsvps []map[string]string }
	if err := json.Unmarshal([]byte(content), &list); err != nil || len(list.Events) != 1 || len(list.Rsvps) != 1 {
		t.Fatalf("the list is %s: %v", content, err)
	}

	fresh.open("/")
	load(fresh, content)
	fresh.sees("2 entries read.")
	load(fresh, content)
	fresh.sees("2 entries read.")
	if got := eval[int](fresh, `document.querySelectorAll('.entries li').length`); got != 2 {
		t.Errorf("imported twice, the list has %d entries", got)
	}
	fresh.reload()
	fresh.click("Guest list of Rooftop supper")
	fresh.sees("20 guests")
	fresh.open("/e/" + list.Rsvps[0]["eventToken"])
	fresh.click("Cancel for Anna")
	fresh.click("Not coming")
	fresh.sees("Nobody yet")

	fresh.open("/")
	fresh.click("Remove Rooftop supper")
	fresh.click("Keep it")
	fresh.until("no dialog", `!document.querySelector('dialog')`)
	fresh.sees("Rooftop supper")
	fresh.click("Remove Rooftop supper")
	fresh.click("Remove")
	fresh.sees("are listed here")
	fresh.reload()
	fresh.seesNot("Rooftop supper")
}

func TestImportNamesWhatIsWrong(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	const token = "00000000-0000-4000-8000-000000000000"
	entry := func(change fields) string {
		all := fields{"eventToken": token, "rsvpToken": token, "name": "A", "title": "T", "dateTime": "2099-01-01T00:00:00Z", "timezone": "UTC"}
		for name, value := range change {
			all[name] = value
		}
		content, err := json.Marshal(fields{"events": []any{}, "rsvps": []any{all}})
		v.must(err)
		return string(content)
	}
	for content, want := range map[string]string{
		"no JSON":                           "This file is no Turnout list.",
		`[]`:                                "events is missing or wrong",
		`{"events": []}`:                    "rsvps is missing or wrong",
		entry(fields{"eventToken": "x"}):    "rsvps[0].eventToken is missing or wrong",
		entry(fields{"name": 7}):            "rsvps[0].name is missing or wrong",
		entry(fields{"dateTime": "yester"}): "rsvps[0].dateTime is missing or wrong",
	} {
		load(v, content)
		v.sees(want)
	}
	v.reload()
	if got := eval[int](v, `document.querySelectorAll('.entries li').length`); got != 0 {
		t.Errorf("%d entries came from broken files", got)
	}
}

func TestCopyCopies(t *testing.T) {
	event := announce(t, supper(), "Anna", "two\nlines", "Ben")
	v := newVisitor(t, manner{})
	v.open(event.private())
	grant(v)
	for button, want := range map[string]string{
		"Copy link to share": base + event.public(),
		"Copy link, private": base + event.private(),
		"Copy names":         "Anna\ntwo lines\nBen",
	} {
		v.click(button)
		v.sees("Copied")
		if got := eval[string](v, `navigator.clipboard.readText()`); got != want {
			t.Errorf("%q copies %q, want %q", button, got, want)
		}
	}
}

func TestSearchFindsNames(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open(announce(t, supper(), guests...).private())
	for search, want := range map[string][]string{
		"cag":  {"Çağla"},
		"SØR":  {"Søren"},
		"zzz":  {},
		"محمد": {"محمد علي"},
		"au":   {"Paul & Paula"},
	} {
		v.write("Find a name", search)
		got := eval[[]string](v, `[...document.querySelectorAll('.guests li')].map((entry) => entry.textContent)`)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", search, got, want)
		}
	}
	v.write("Find a name", "")
	if got := eval[int](v, `document.querySelectorAll('.guests li').length`); got != len(guests) {
		t.Errorf("without a search there are %d names", got)
	}
}

func TestWrongSecretIsExplained(t *testing.T) {
	event := announce(t, supper(), "Anna")
	v := newVisitor(t, manner{})
	for fragment, want := range map[string]string{
		"#organizer=" + event.EventToken: "does not belong to this event",
		"#organizer=cut-o":               "does not belong to this event",
		"#organizer=":                    "secret part of the link is missing",
		"#organizer":                     "secret part of the link is missing",
	} {
		v.open("/e/" + event.EventToken + fragment)
		v.sees(want)
		v.seesNot("Anna")
		v.reload()
		v.sees(want)
	}
	v.click("Open the event page")
	v.sees("Are you coming?")
}

func TestServiceErrorsStandAtTheirFields(t *testing.T) {
	v := newVisitor(t, manner{})
	v.open("/")
	fill(v)
	// U+0085 is white space for the service only, so it has the word.
	v.write("What is happening?", "\u0085")
	v.click("Announce it")
	v.until("an error at the title", `document.querySelector('#title').getAttribute('aria-invalid') === 'true'
		&& document.querySelector('#title-error').textContent.length > 0
		&& document.querySelector('#title').getAttribute('aria-describedby').includes('title-error')
		&& document.activeElement.id === 'title'`)
	if got := v.value("Description"); !strings.HasPrefix(got, "Bring something") {
		t.Errorf("the description was lost: %q", got)
	}
}
