package eventpage

import (
	_ "embed" // embeds links.json
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// TestExcerpt: a preview has the first lines of a text that are not blank.
func TestExcerpt(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("ü", 200): strings.Repeat("ü", 200),
		strings.Repeat("ü", 201): strings.Repeat("ü", 200) + " …",
		"\n1\n \n2\r\n3\n4\n5":   "1\n2\n3 …",
		"1\n2\n3\n \n":           "1\n2\n3",
		strings.Repeat(" ", 50):  "",
	} {
		if got := excerpt(&text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestPreview: the preview has the organizer's words, with digits for dates. Symbols mark former facts and new facts.
func TestPreview(t *testing.T) {
	plain := event.Event{
		Title:              "Mara turns 30",
		Description:        new("Cake at four."),
		DateTime:           "2026-12-06T15:00:00+01:00",
		Timezone:           "Europe/Berlin",
		Location:           new("Prinzenbad"),
		Host:               new("Mara\n& Jo"),
		CancellationReason: new("I have the flu."),
	}
	changed := func(change func(e *event.Event)) event.Event {
		e := plain
		change(&e)
		return e
	}
	cancelled := changed(func(e *event.Event) { e.Cancelled = true })
	later := changed(func(e *event.Event) { e.DateTime = "2027-01-02T15:30:00+01:00" })
	elsewhere := changed(func(e *event.Event) { e.Location = new(" Soda, Club ") })
	nowhere := changed(func(e *event.Event) { e.Cancelled, e.Location = true, nil })
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	const facts, reason = "2026-12-06 15:00 (UTC+1) · Prinzenbad\nMara & Jo", "\nI have the flu."
	for name, c := range map[string]struct {
		e                          event.Event
		move                       *site.Move
		heading, summary, calendar string
	}{
		"invitation": {plain, nil, "Mara turns 30", facts + "\nCake at four.", ""},
		"cancelled":  {cancelled, nil, "❌ Mara turns 30", facts + reason, ""},
		"new date": {
			cancelled, &site.Move{From: cancelled, To: later},
			"Mara turns 30 · \u200e✅ 2027-01-02 15:30 ❌ 2026-12-06 15:00",
			"2027-01-02 15:30 (UTC+1) · Prinzenbad\nMara & Jo" + reason, "✅ 2027-01-02 15:30 (UTC+1) · Prinzenbad\\n",
		},
		"new place": {
			cancelled, &site.Move{From: cancelled, To: elsewhere}, "Mara turns 30 · \u200e✅ Soda, Club ❌ Prinzenbad",
			"2026-12-06 15:00 (UTC+1) · Soda, Club\nMara & Jo" + reason, "✅ 2026-12-06 15:00 (UTC+1) · Soda, Club\\n",
		},
		"first place": {
			nowhere, &site.Move{From: nowhere, To: plain}, "Mara turns 30 · \u200e✅ Prinzenbad",
			facts + reason, "✅ 2026-12-06 15:00 (UTC+1) · Prinzenbad\\n",
		},
		"anew": {
			cancelled, &site.Move{From: cancelled, To: plain}, "Mara turns 30",
			facts + reason, "✅ 2026-12-06 15:00 (UTC+1) · Prinzenbad\\n",
		},
		"unread": {
			cancelled, &site.Move{From: cancelled, To: plain, Unread: true}, "Mara turns 30 · \u200e❌ 2026-12-06 15:00",
			"Mara & Jo" + reason, "",
		},
	} {
		if got := previewOf(c.e, c.move, now).heading(); got != c.heading {
			t.Errorf("%s has the title %q, want %q", name, got, c.heading)
		}
		if got := previewOf(c.e, c.move, now).summary(); got != c.summary {
			t.Errorf("%s has the text %q, want %q", name, got, c.summary)
		}
		entry, err := calendar(c.e, c.move, nil, calendarOrigin, now)
		if err != nil {
			t.Fatal(err)
		}
		unfolded := strings.ReplaceAll(string(entry.Content), "\r\n ", "")
		want := "DESCRIPTION:" + c.calendar + calendarOrigin + pathOf(event.Event{})
		if c.move != nil && !strings.Contains(unfolded, strings.ReplaceAll(want, ",", "\\,")) {
			t.Errorf("%s has the entry %s, want %q", name, entry.Content, want)
		}
	}
}

// TestPreviewInLanguage: the dates and the words for cancelled and moved are the event's language's.
func TestPreviewInLanguage(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for tag, want := range map[string][3]string{
		"de-AT": {
			"Abgesagt: Picnic", "Picnic · Verlegt: Samstag, 2. Januar 2027 um 15:30\u00a0Uhr · Vorher: Sonntag, 6. Dezember um 15:00\u00a0Uhr",
			"Sonntag, 6. Dezember um 15:00\u00a0Uhr (UTC+1)",
		},
		"ja": {"中止：Picnic", "Picnic · 変更：2027年1月2日(土) 15:30 · 変更前：12月6日(日) 15:00", "12月6日(日) 15:00 (UTC+1)"},
	} {
		e := event.Event{
			Title: "Picnic", DateTime: "2026-12-06T15:00:00+01:00", Timezone: "Europe/Berlin",
			Cancelled: true, Language: &tag,
		}
		move := &site.Move{From: e, To: e}
		move.To.DateTime = "2027-01-02T15:30:00+01:00"
		off := previewOf(e, nil, now)
		if got := [3]string{off.heading(), previewOf(e, move, now).heading(), off.summary()}; got != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
	german := event.Event{Title: "Picnic", DateTime: "2026-12-06T15:00:00+01:00", Timezone: "UTC", Language: new("de")}
	there := german
	there.Location = new("Park")
	for want, move := range map[string]*site.Move{
		"Picnic · Verlegt: Park": {From: german, To: there}, "Picnic": {From: german, To: german},
		"Picnic · Verlegt · Vorher: Sonntag, 6. Dezember um 14:00\u00a0Uhr": {From: german, To: german, Unread: true},
	} {
		if got := previewOf(german, move, now).heading(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestEventPage(t *testing.T) {
	e := event.Event{Title: strings.Repeat("ü", 24), DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
	now := time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC)
	shows := func(want string, times int) {
		t.Helper()
		l := locale.Of("en")
		content, err := page{Locale: l, Event: eventOf(e, nil, nil, l, now)}.render()
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(content), "<main")
		if got := strings.Count(body, want); got != times {
			t.Errorf("%d times %s, want %d", got, want, times)
		}
	}
	shows(`class="user short"`, 1)
	shows(`<svg class="icon"`, 1) // the icon of the date; there is no place
	e.Title += "ü"
	shows(`class="user middling"`, 1)
	e.Title = strings.Repeat("ü", 60)
	shows(`class="user middling"`, 1)
	e.Title += "ü"
	shows(`class="user long"`, 1)
	for count, earlier := range map[int]int{0: 0, 4: 0, 5: 0, 99: 0, 100: 5, 104: 5, 105: 10} {
		e.AttendeeCount = count
		shows(`<svg viewBox="0 0 60 56"`, (count+1-earlier+4)/5)
		shows(`pathLength`, count+1-earlier)
		shows(`class="next"></path></svg></div>`, 1)
		shows(`<b>`, min(earlier, 1))
		shows(fmt.Sprintf(`<b>&#43;%d<`, earlier), min(earlier, 1))
	}
	e.Host, e.Description = new("Mara"), new("Bring cake.\n\nAnd tea.")
	shows(`" translate="no">Mara</strong><span>&nbsp;· </span><span id="phase">You’re invited<`, 1)
	shows("Your name goes only to \u2068Mara\u2069.", 1)
	shows("Bring cake.\n\nAnd tea.</div>", 1)
	e.Cancelled, e.AttendeeCount = true, 3
	shows(`" translate="no">Mara</strong><span>&nbsp;· </span><span id="phase">Cancelled<`, 1)
	shows(`<path d="M`, 0)
	shows(`said yes`, 0)
	shows(`<p class="small">`, 0) // no line below a struck date
	shows(`id="panel" hidden>`, 1)
	e.CancellationReason = new("Flu")
	shows(`id="panel" hidden>`, 0)
	empty := ""
	e.CancellationReason, e.Description = &empty, &empty
	shows(`id="panel" hidden>`, 1)
	shows(`class="description"`, 0)
	shows(` lang=`, 0)
	e.Location, e.Description, e.CancellationReason = new("Park"), new("Kuchen"), new("Grippe")
	e.Language = new("de-AT")
	shows(` lang="de-AT"`, 5)
}

// TestMenuHasEachLanguage: the menu has each language that has texts, by the language's own name.
func TestMenuHasEachLanguage(t *testing.T) {
	_, menu, _ := strings.Cut(Page(site.Config{}), `data-languages="`)
	menu, _, _ = strings.Cut(menu, `"`)
	var names map[string]string
	if err := json.Unmarshal([]byte(html.UnescapeString(menu)), &names); err != nil {
		t.Fatal(menu, err)
	}
	tags := map[string]string{"": "nothing"}
	for _, tag := range locale.Languages() {
		if other := tags[names[tag]]; other != "" {
			t.Errorf("%s has the same name in the menu as %s", tag, other)
		}
		tags[names[tag]] = tag
	}
}

// TestNoSVGIsHidden: no SVG has the attribute hidden, which only HTML elements have.
func TestNoSVGIsHidden(t *testing.T) {
	if found := regexp.MustCompile(`<svg[^>]* hidden`).FindString(Page(site.Config{})); found != "" {
		t.Error(found)
	}
}

// TestAbout: without a script, home links to the operator's imprint in each language, and an event page in its reader's
// language. Package browser tests the links that the script makes.
func TestAbout(t *testing.T) {
	event := event.Event{Title: "Picnic", DateTime: "2100-06-01T12:00:00Z", Timezone: "UTC"}
	links := func(page, about string) (texts []string) {
		for _, link := range regexp.MustCompile(`<a [^>]*href="(.*?)"[^>]*>(.*?)</a>`).FindAllStringSubmatch(page, -1) {
			if html.UnescapeString(link[1]) == about {
				texts = append(texts, link[2])
			}
		}
		return texts
	}
	var all []string
	for _, about := range []string{"https://example.org/imprint?a=b&c", "mailto:ada@example.org", ""} {
		c := site.Config{About: about}
		all = nil
		for _, tag := range locale.Languages() {
			l := locale.Of(tag)
			page, err := pageOf(event, nil, nil, l, c, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, l.Text("site.about"))
			if got := links(string(page.Content), about); about != "" && !slices.Equal(got, all[len(all)-1:]) {
				t.Errorf("%s links to %q as %q", tag, about, got)
			}
			if about == "" && strings.Contains(string(page.Content), l.Text("site.about")) {
				t.Errorf("%s links to no imprint", tag)
			}
		}
		if got := links(Page(c), about); about != "" && !slices.Equal(got, all) {
			t.Errorf("home links to %q as %q", about, got)
		}
	}
}

// TestPreviewOfHome: messengers show the site's own page in English, as its script does.
func TestPreviewOfHome(t *testing.T) {
	page, english := Page(site.Config{}), locale.Of(locale.Default)
	for name, want := range map[string]string{
		`name="description"`:        english.Text("server.description"),
		`property="og:description"`: english.Text("server.description"),
		`property="og:title"`:       english.Text("site.title"),
		`property="og:site_name"`:   "Turnout",
	} {
		if tag := fmt.Sprintf("<meta %s content=\"%s\">", name, want); strings.Count(page, tag) != 1 {
			t.Errorf("the page lacks %s", tag)
		}
	}
}

//go:embed testdata/links.json
var links []byte

// TestLinks finds the URLs in texts, and the characters that must not belong to them. Package bundle tests the script
// with the same texts.
func TestLinks(t *testing.T) {
	var vectors struct{ Links, URLs, Places map[string]string }
	if err := json.Unmarshal(links, &vectors); err != nil {
		t.Fatal(err)
	}
	for text, want := range vectors.Links {
		var got strings.Builder
		for _, part := range linkify(text) {
			if part.URL != "" {
				part.Text = "|" + part.Text + "|"
			}
			got.WriteString(part.Text)
		}
		if got.String() != want {
			t.Errorf("%q has the links %q, want %q", text, &got, want)
		}
	}
	for text, want := range vectors.URLs {
		if parts := linkify(text); len(parts) != 3 || string(parts[1].URL) != want {
			t.Errorf("%q opens %v, want %s", text, parts, want)
		}
	}
	for place, want := range vectors.Places {
		if isOnMap(place) != (want == "map") {
			t.Errorf("%q is no %s", place, want)
		}
	}
	// The work must not grow with the square of an imported text: this would take minutes.
	if parts := linkify("https://x.org/" + strings.Repeat(")", 4_000_000)); parts[1].Text != "https://x.org/" {
		t.Errorf("the link has %d bytes", len(parts[1].Text))
	}
}
