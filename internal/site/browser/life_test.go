package browser

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
)

// All steps of an event with an organizer and two guests, with reloads in between.
func TestLifeOfAnEvent(t *testing.T) {
	t.Parallel()
	organizer, anna, ben := newVisitor(t, manner{}), newVisitor(t, manner{}), newVisitor(t, manner{})

	organizer.Open("/")
	fill(organizer)
	organizer.Reload()
	for label, want := range map[string]string{
		"What is happening?": "Rooftop supper", "Date": "2099-12-12", "Time": "19:30", "Time zone": "Europe/Berlin",
		"Place": "Weserstraße 12, top floor, Berlin", "Description": "Bring something warm to share.\n\nDirections: https://example.org/roof",
	} {
		if got := organizer.Value(label); got != want {
			t.Errorf("after a reload %q is %q, want %q", label, got, want)
		}
	}
	organizer.Click("Announce it")
	organizer.Sees("Now spread the word")
	organizer.Sees("It cannot be recovered")
	share, private := organizer.Value("Link to share"), organizer.Value("Private organizer link")
	secret, found := strings.CutPrefix(private, share+"#organizer=")
	if !found || !strings.HasPrefix(share, base+"/e/") {
		t.Fatalf("the links are %s and %s", share, private)
	}
	event := created{apitest.Content{EventToken: strings.TrimPrefix(share, base+"/e/"), OrganizerToken: secret}}
	if got := organizer.Path(); got != event.private() {
		t.Errorf("the organizer is at %s, want the private link", got)
	}
	_, links := organizer.Download("Download both links")
	for _, want := range []string{"Rooftop supper", share + "\n", private + "\n", "cannot be recovered"} {
		if !strings.Contains(links, want) {
			t.Errorf("the file of links lacks %q:\n%s", want, links)
		}
	}
	organizer.Reload()
	organizer.Sees("Now spread the word")
	organizer.Sees("Nobody yet")

	anna.Open(event.public())
	anna.Sees("Saturday, 12 December 2099 at 19:30")
	anna.Sees("in 73 years · Berlin time")
	anna.Sees("Nobody yet")
	anna.Write("Your name", "Anna")
	anna.Reload()
	if got := anna.Value("Your name"); got != "Anna" {
		t.Errorf("after a reload the name is %q", got)
	}
	come(anna, "Anna")
	anna.Sees("1 is coming")
	come(anna, "Little Otto")
	anna.Reload()
	anna.Sees("You are coming, all 2 of you")
	anna.Sees("2 are coming")

	ben.Open(event.public())
	ben.SeesNot("Anna")
	come(ben, "Ben")
	ben.Sees("You are coming")
	ben.SeesNot("all")

	organizer.Click("Refresh")
	organizer.Sees("3 are coming")
	organizer.Sees("Little Otto")
	if got := attendees(t, event); !reflect.DeepEqual(got, []string{"Anna", "Little Otto", "Ben"}) {
		t.Errorf("the service has %v", got)
	}

	anna.Click("Cancel for Little Otto")
	anna.Sees("Little Otto is no longer on the list.")
	anna.Click("Undo: Little Otto is coming")
	anna.Click("Cancel for Little Otto")
	anna.Reload()
	anna.SeesNot("Little Otto")
	anna.Sees("2 are coming")

	organizer.Open("/")
	organizer.Click("Rooftop supper")
	organizer.Sees("2 are coming")
	organizer.Click("Cancel the event")
	organizer.Click("Cancel this event …")
	organizer.Sees("tells your 2 guests that it is off")
	organizer.Write("Reason, for everybody to read", "The roof is wet.\nSorry!")
	organizer.Click("Keep it")
	organizer.Until("no dialog", `!document.querySelector('dialog')`)
	organizer.Reload()
	organizer.SeesNot("This event is cancelled")
	organizer.Click("Cancel the event")
	organizer.Click("Cancel this event …")
	if got := organizer.Value("Reason, for everybody to read"); got != "The roof is wet.\nSorry!" {
		t.Errorf("the reason was lost: %q", got)
	}
	organizer.Click("Cancel the event")
	organizer.Sees("This event is cancelled")
	organizer.Reload()
	organizer.Sees("The roof is wet.\nSorry!")
	organizer.SeesNot("Cancel the event")

	// Ben's page is older than the cancellation; the service refuses.
	ben.Write("Their name", "Bea")
	ben.Click("Add")
	ben.Sees("This event is cancelled")
	ben.SeesNot("Bring somebody")
	ben.Sees("You were coming")
	anna.Reload()
	anna.Sees("The roof is wet.\nSorry!")
	anna.Click("Cancel for Anna")
	anna.Reload()
	anna.Sees("1 had signed up")

	for _, line := range logged.Take() {
		if strings.Contains(line, event.OrganizerToken) || strings.Contains(line, event.EventToken) || strings.Contains(line, "Anna") {
			t.Errorf("the server logged %q", line)
		}
	}
}

func TestTitlesAndRobots(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	seen := map[string]string{}
	for path, indexed := range map[string]bool{"/": true, event.public(): false, event.private(): false, "/nothing": false} {
		v.Open(path)
		title := Plain(eval[string](v, `document.title`))
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

func TestThemeColour(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	seen := map[string]bool{}
	for _, path := range []string{"/", "/e/00000000-0000-4000-8000-000000000000", "/e/20000000-0000-4000-8000-000000000000"} {
		v.Open(path)
		for _, dark := range []bool{false, true} {
			v.Scheme(dark)
			v.Until("the colour of the page", `document.querySelector('meta[name=theme-color]').content === getComputedStyle(document.querySelector('header')).backgroundColor`)
			seen[eval[string](v, `document.querySelector('meta[name=theme-color]').content`)] = true
			if scheme := eval[string](v, `getComputedStyle(document.querySelector('.language')).colorScheme`); scheme != "light" {
				t.Errorf("on the bright head the menu of languages is drawn for %s", scheme)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("three pages in two schemes have the colours %v", seen)
	}
}

func TestFocusMovesToTheHeading(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open("/nothing")
	v.Click("Go to the start page")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
	do(v, chromedp.NavigateBack())
	v.Sees("There is no page at this address.")
	v.Until("focus on the heading", `document.activeElement === document.querySelector('h1')`)
}

func TestDialogClosesWithItsPage(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	v := newVisitor(t, manner{})
	v.Open("/")
	follow(v, event.private())
	askToCancel(v)
	v.Sees("It cannot be undone.")
	do(v, chromedp.NavigateBack())
	v.Sees("Who is coming?")
	v.Until("no dialog", `!document.querySelector('dialog')`)
}

func TestSecretIsOnlySentToTheAPI(t *testing.T) {
	t.Parallel()
	event := announce(t, supper(), "Anna")
	v := newVisitor(t, manner{})
	v.Open("/")
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
	fresh.Click("Cancel for Anna")
	fresh.Reload()
	fresh.Sees("Nobody yet")

	fresh.Open("/")
	fresh.Click("Remove Rooftop supper")
	fresh.Click("Keep it")
	fresh.Until("no dialog", `!document.querySelector('dialog')`)
	fresh.Sees("Rooftop supper")
	fresh.Click("Remove Rooftop supper")
	fresh.Click("Remove")
	fresh.Sees("are listed here")
	fresh.Reload()
	fresh.SeesNot("Rooftop supper")
}

func TestImportNamesTheWrongMember(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open("/")
	const token = "00000000-0000-4000-8000-000000000000"
	entry := func(change fields) string {
		all := fields{"eventToken": token, "rsvpToken": token, "name": "A", "title": "T", "dateTime": "2099-01-01T00:00:00Z", "timezone": "UTC"}
		for name, value := range change {
			all[name] = value
		}
		content, err := json.Marshal(fields{"events": []any{}, "rsvps": []any{all}})
		v.Must(err)
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
		v.Sees(want)
	}
	v.Reload()
	if got := eval[int](v, `document.querySelectorAll('.entries li').length`); got != 0 {
		t.Errorf("%d entries came from broken files", got)
	}
}

func TestCopy(t *testing.T) {
	event, v := organizing(t, "Anna", "two\nlines", "Ben")
	v.Grant()
	v.Click("Share the link")
	v.Click("Keep your key")
	for button, want := range map[string]string{
		"Copy link":         base + event.public(),
		"Copy private link": base + event.private(),
		"Copy names":        "Anna\ntwo lines\nBen",
	} {
		v.Click(button)
		v.Sees("Copied")
		if got := eval[string](v, `navigator.clipboard.readText()`); got != want {
			t.Errorf("%q copies %q, want %q", button, got, want)
		}
	}
}

func TestSearchFindsNames(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open(announce(t, supper(), guests...).private())
	for search, want := range map[string][]string{
		"cag":  {"Çağla"},
		"SØR":  {"Søren"},
		"zzz":  {},
		"محمد": {"محمد علي"},
		"au":   {"Paul & Paula"},
	} {
		v.Write("Find a name", search)
		got := eval[[]string](v, `[...document.querySelectorAll('.guests li')].map((entry) => entry.textContent)`)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", search, got, want)
		}
	}
	v.Write("Find a name", "")
	v.Click("Show 12 more")
	if got := eval[int](v, `document.querySelectorAll('.guests li').length`); got != len(guests) {
		t.Errorf("without a search there are %d names", got)
	}
}

func TestWrongSecretIsExplained(t *testing.T) {
	t.Parallel()
	event := announce(t, supper(), "Anna")
	v := newVisitor(t, manner{})
	for fragment, want := range map[string]string{
		"#organizer=" + event.EventToken: "does not belong to this event",
		"#organizer=cut-o":               "does not belong to this event",
		"#organizer=":                    "secret part of the link is missing",
		"#organizer":                     "secret part of the link is missing",
	} {
		v.Open("/e/" + event.EventToken + fragment)
		v.Sees(want)
		v.SeesNot("Anna")
		v.Reload()
		v.Sees(want)
	}
	v.Click("Open the event page")
	v.Sees("Are you coming?")
}

func TestServiceErrorsAreShownAtTheirFields(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open("/")
	fill(v)
	// U+0085 is white space for the service only, so the error is the service's.
	v.Write("What is happening?", "\u0085")
	v.Click("Announce it")
	v.Until("an error at the title", `document.querySelector('#title').getAttribute('aria-invalid') === 'true'
		&& document.querySelector('#title-error').textContent.length > 0
		&& document.querySelector('#title').getAttribute('aria-describedby').includes('title-error')
		&& document.activeElement.id === 'title'`)
	if got := v.Value("Description"); !strings.HasPrefix(got, "Bring something") {
		t.Errorf("the description was lost: %q", got)
	}
}
