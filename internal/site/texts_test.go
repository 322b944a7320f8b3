package site

import (
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestEveryLanguageHasDates: every language has formats of dates and numbers.
func TestEveryLanguageHasDates(t *testing.T) {
	for _, tag := range Languages() {
		d, ok := datesOf[tag]
		if !ok || len(strings.Fields(d.months)) != 12 || len(strings.Fields(d.weekdays)) != 7 || d.groupedFrom < 4 || d.group == "" {
			t.Errorf("dates.go does not say how %s writes dates", tag)
		}
	}
	if l := LocaleOf("en-GB"); l.Language() != "en" || l.Text("event.when") != "When" || l.When(event.Event{DateTime: "2027-05-01T09:05:00Z", Timezone: "UTC"}) != "Saturday, 1 May 2027 at 9:05" {
		t.Errorf("%s: %s", l.Language(), l.When(event.Event{DateTime: "2027-05-01T09:05:00Z", Timezone: "UTC"}))
	}
	if l := LocaleOf("xx"); l.Tag != "en" || l.Direction() != "ltr" {
		t.Errorf("an unknown language is %s", l.Tag)
	}
}

func TestDates(t *testing.T) {
	now := time.Date(2027, 12, 31, 23, 0, 0, 0, time.UTC) // New Year in Berlin
	for _, c := range []struct{ tag, dateTime, zone, when, soon, date string }{
		{"en", "2027-05-01T00:05:00Z", "UTC", "Saturday, May 1, 2027 at 12:05 AM", "Saturday, May 1 at 12:05 AM", "Saturday, May 1, 2027"},
		{"en", "2027-05-01t12:00:00z", "UTC", "Saturday, May 1, 2027 at 12:00 PM", "Saturday, May 1 at 12:00 PM", "Saturday, May 1, 2027"},
		{"de", "2027-05-01T09:05:00Z", "UTC", "Samstag, 1. Mai 2027 um 9:05 Uhr", "Samstag, 1. Mai um 9:05 Uhr", "Samstag, 1. Mai 2027"},
		{"pt", "2027-12-31T23:30:00Z", "Europe/Berlin", "sábado, 1º de janeiro de 2028 às 0:30", "sábado, 1º de janeiro às 0:30", "sábado, 1º de janeiro de 2028"},
		{"fr-CA", "2026-05-01T21:00:00+02:00", "Nowhere/Land", "vendredi 1er mai 2026 à 21 h 00", "vendredi 1er mai 2026 à 21 h 00", "vendredi 1er mai 2026"},
		{"de", "someday", "UTC", "someday", "someday", "someday"},
	} {
		l, e := LocaleOf(c.tag), event.Event{DateTime: c.dateTime, Timezone: c.zone}
		if when, soon, date := l.When(e), l.soon(e, now), l.Date(e); when != c.when || soon != c.soon || date != c.date {
			t.Errorf("%s, %s: %q, %q, %q", c.tag, c.dateTime, when, soon, date)
		}
	}
	if at, ok := Start(event.Event{DateTime: "someday"}); ok || !at.IsZero() {
		t.Errorf("someday is %v", at)
	}
}

// TestLanguage: the language that is wanted most, with the region where that writes
// dates otherwise.
func TestLanguage(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "", " ": "", "*": "", "*;q=0.5": "", ",": "", "fi": "en", "fi, *": "en", "-": "en",
		"de": "de", "DE-at": "de", "fi,\tde ;q=0.3": "de", "en;q=0.8, de;q=0.9": "de", "de;q=0.9, en;q=0.90": "de",
		"de;q=0": "en", "de;q=0.000, fr;q=0.001": "fr", "de, fr;q=1.000": "de", "es, de": "es",
		"en-US, en-GB": "en", "en-ie": "en-GB", "es-419": "es-MX", "es-CO": "es-AR", "ar-EG": "ar", "ar-MA": "ar-MA",
	} {
		if got := Language(accepted); got != want {
			t.Errorf("%q: %q, want %q", accepted, got, want)
		}
	}
	for region, tag := range regions {
		if variants[tag] == nil || !strings.EqualFold(region[:2], tag[:2]) {
			t.Errorf("%s is written as %s", region, tag)
		}
	}
	for zone, want := range map[string]string{
		"Europe/Vienna": "de", "America/Sao_Paulo": "pt", "America/Argentina/Ushuaia": "es", "Europe/Kyiv": "uk", "Africa/Cairo": "ar",
		"Asia/Tokyo": "ja", "America/New_York": "en", "Europe/Stockholm": "en-GB", "UTC": "en", "Argentina": "en",
	} {
		if got := languageOfZone(zone); got != want {
			t.Errorf("%s: %q, want %q", zone, got, want)
		}
	}
	for language, zones := range zonesOf {
		for zone := range strings.FieldsSeq(zones) {
			if _, err := time.LoadLocation(strings.TrimSuffix(zone, "/*")); err != nil && !strings.HasSuffix(zone, "*") || !slices.Contains(Languages(), language) {
				t.Errorf("%s: %s, %v", language, zone, err)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	l := newLocale("pl", map[string]any{
		"plain": "plain {a}", "odd": 1, "two": "{a} of {b}",
		"counted": map[string]any{"one": "{n} gość", "few": "{n} goście", "many": "{n} gości", "other": "{n} gościa"},
		"other":   map[string]any{"other": "{n}"},
	})
	for _, c := range []struct {
		got, want string
	}{
		{l.Text("missing"), ""},
		{l.Text("odd"), ""},
		{l.Text("plain", "x\u2069\u202ey"), "plain \u2068xy\u2069"},
		{l.Text("plain", 12345), "plain 12\u00a0345"},
		{l.Text("two", 1, 2), "1 of 2"},
		{l.Text("other", 7), "7"},
		{l.Text("counted", "x"), "\u2068x\u2069 gościa"},
		{l.Text("counted", 1), "1 gość"},
		{l.Number(0), "0"}, {l.Number(999), "999"}, {l.Number(1000), "1000"}, {l.Number(10_000), "10\u00a0000"}, {l.Number(123_456), "123\u00a0456"}, {l.Number(1_234_567), "1\u00a0234\u00a0567"},
		{LocaleOf("ar").Direction(), "rtl"}, {LocaleOf("ja").sentences("A.", "B."), "A.B."}, {LocaleOf("de").sentences("A.", "B."), "A. B."},
		{LocaleOf("en-IN").Number(1234), "1,234"}, {LocaleOf("en-IN").Number(12_345_678), "1,23,45,678"}, {LocaleOf("en-IN").Number(123_456), "1,23,456"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestPluralForms are those of each language (CLDR).
func TestPluralForms(t *testing.T) {
	forms := map[string]any{}
	for _, form := range pluralForms {
		forms[form] = form
	}
	for tag, want := range map[string]string{
		"ar": "zero one two few many other", "de": "other one other other other other", "fr": "one one other other other other",
		"ja": "other other other other other other", "pl": "many one few few many many", "uk": "many one few few many many",
	} {
		l := newLocale(tag, map[string]any{"n": forms})
		var got []string
		for _, n := range []int{0, 1, 2, 3, 11, 100} {
			got = append(got, l.Text("n", n))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// TestPhases: the moments at which the phase of an event changes.
func TestPhases(t *testing.T) {
	start := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	e := event.Event{DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
	const day = 24 * time.Hour
	for age, want := range map[time.Duration]phase{
		-1: coming, 0: started, day / 2: started, day/2 + 1: over, 7 * day: over, 7*day + 1: closed,
	} {
		if got := phaseOf(e, start.Add(age)); got != want {
			t.Errorf("%v after its start: phase %d, want %d", age, got, want)
		}
	}
	e.Cancelled = true
	if got := phaseOf(e, start.Add(30*day)); got != cancelled {
		t.Errorf("cancelled: phase %d", got)
	}
	if got := phaseOf(event.Event{DateTime: "someday"}, start); got != coming {
		t.Errorf("someday: phase %d", got)
	}
}

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

func TestEventPage(t *testing.T) {
	e := event.Event{Title: strings.Repeat("ü", 24), DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
	now := time.Date(2027, 4, 1, 0, 0, 0, 0, time.UTC)
	shows := func(want string, times int) {
		t.Helper()
		l := LocaleOf("en")
		page := pageTemplate().render(l, values{"event": eventValues(e, l, "", now)})
		_, page, _ = strings.Cut(page, "<main")
		if got := strings.Count(page, want); got != times {
			t.Errorf("%d times %s, want %d", got, want, times)
		}
	}
	shows(`class="user short"`, 1)
	shows(`class="ghost"`, 5)
	shows(`class="label"`, 1)     // of the calendar
	shows(`<svg class="icon"`, 2) // no place
	e.Title += "ü"
	shows(`class="user middling"`, 1)
	e.Title = strings.Repeat("ü", 60)
	shows(`class="user middling"`, 1)
	e.Title += "ü"
	shows(`class="user long"`, 1)
	for count, groups := range map[int]int{1: 1, 5: 1, 6: 2, 50: 10, 51: 10} {
		e.AttendeeCount = count
		shows(`<svg viewBox="0 0 60 56"`, groups)
		shows(`<path d="M`, min(count, mostStrokes))
		shows(`</svg>+`, max(0, count-mostStrokes))
		shows(`+1</div>`, max(0, count-mostStrokes))
	}
	e.Cancelled, e.AttendeeCount = true, 3
	shows(`class="poster off"`, 1)
	shows(`3 had signed up`, 1)
	shows(`The organizer didn’t give a reason.`, 1)
	empty := ""
	e.CancellationReason, e.Description = &empty, &empty
	shows(`The organizer didn’t give a reason.`, 1)
	shows(`class="label"`, 0)
}

// TestZoneOf: the offset at the start of the event, in hours and minutes.
func TestZoneOf(t *testing.T) {
	for zone, want := range map[string]string{
		"UTC": "UTC", "Europe/Berlin": "UTC+2", "Asia/Kolkata": "UTC+5:30", "America/St_Johns": "UTC\u22122:30", "Pacific/Honolulu": "UTC\u221210",
	} {
		if got := zoneOf(event.Event{DateTime: "2047-07-01T12:00:00Z", Timezone: zone}); got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}
