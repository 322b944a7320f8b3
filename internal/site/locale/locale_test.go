package locale

import (
	"cmp"
	"os"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestEveryLanguageHasDates: every language has formats of dates and numbers.
func TestEveryLanguageHasDates(t *testing.T) {
	for _, tag := range Languages() {
		f := formats()[tag]
		if len(strings.Fields(f.Months)) != 12 || len(strings.Fields(f.Weekdays)) != 7 {
			t.Errorf("languages.json does not say how %s writes dates", tag)
		}
		if f.GroupedFrom < 4 || f.Group == "" {
			t.Errorf("languages.json does not say how %s writes numbers", tag)
		}
	}
	readme, err := os.ReadFile("../../../README.md")
	if n := len(Languages()); err != nil || n != 12 || !strings.Contains(string(readme), "**Twelve languages.**") {
		t.Errorf("README.md says Twelve languages, as this test does, but the site has %d: %v", n, err)
	}
	british := Of("en-GB")
	date := british.Date(event.Event{DateTime: "2027-05-01T09:05:00Z", Timezone: "UTC"})
	if british.Language() != "en" || british.Text("event.when") != "When" || date != "Saturday, 1 May 2027" {
		t.Errorf("%s: %s", british.Language(), date)
	}
	for _, tag := range []string{"", "xx"} { // messengers request no language
		if l := Of(tag); l.Tag != "en" || l.Direction() != "ltr" {
			t.Errorf("%q is %s", tag, l.Tag)
		}
	}
}

func TestDates(t *testing.T) {
	now := time.Date(2027, 12, 31, 23, 0, 0, 0, time.UTC) // already the new year in Berlin
	for _, c := range []struct{ tag, dateTime, zone, when, soon, date string }{
		{"en", "2027-05-01T00:05:00Z", "UTC", "Saturday, May 1, 2027 at 12:05\u00a0AM", "Saturday, May 1 at 12:05\u00a0AM", "Saturday, May 1, 2027"},
		{"en", "2027-05-01t12:00:00z", "UTC", "Saturday, May 1, 2027 at 12:00\u00a0PM", "Saturday, May 1 at 12:00\u00a0PM", "Saturday, May 1, 2027"},
		{"de", "2027-05-01T09:05:00Z", "UTC", "Samstag, 1. Mai 2027 um 9:05\u00a0Uhr", "Samstag, 1. Mai um 9:05\u00a0Uhr", "Samstag, 1. Mai 2027"},
		{"pt", "2027-12-31T23:30:00Z", "Europe/Berlin", "sábado, 1º de janeiro de 2028 às 0:30", "sábado, 1º de janeiro às 0:30", "sábado, 1º de janeiro de 2028"},
		{"fr-CA", "2026-05-01T21:00:00+02:00", "Nowhere/Land", "vendredi 1er mai 2026 à 21\u00a0h\u00a000", "vendredi 1er mai 2026 à 21\u00a0h\u00a000", "vendredi 1er mai 2026"},
		{"de", "someday", "UTC", "someday", "someday", "someday"},
	} {
		l, e := Of(c.tag), event.Event{DateTime: c.dateTime, Timezone: c.zone}
		when, soon, date := l.Words(e).WhenWithYear.String(), l.Soon(e, now).String(), l.Date(e)
		if when != c.when || soon != c.soon || date != c.date {
			t.Errorf("%s, %s: %q, %q, %q", c.tag, c.dateTime, when, soon, date)
		}
	}
	// A line does not break inside the date, and no line begins with a comma.
	for tag, want := range map[string]Moment{
		"en": {"Saturday, ", "May 1,", " 2027 at 12:05\u00a0AM"}, "de": {"Samstag, ", "1. Mai", " 2027 um 0:05\u00a0Uhr"},
		"pt": {"sábado, ", "1º de maio", " de 2027 às 0:05"}, "tr": {"", "1 Mayıs", " 2027 Cumartesi 0:05"},
		"ja": {"", "2027年5月1日(土)", " 0:05"}, "ar": {"السبت، ", "1 مايو", " 2027 الساعة\u00a012:05\u00a0ص"},
	} {
		words := Of(tag).Words(event.Event{DateTime: "2027-05-01T00:05:00Z", Timezone: "UTC"})
		closes := Of(tag).Date(event.Event{DateTime: "2027-05-08T00:05:00Z", Timezone: "UTC"})
		if words.Tag != tag || words.WhenWithYear != want || words.Closes != closes {
			t.Errorf("%s: %q", tag, words)
		}
	}
	for dateTime, want := range map[string]string{
		"2027-12-31T23:05:00Z": "2028-01-01 00:05", "2027-06-30t09:00:00+02:00": "2027-06-30 09:00", "someday": "someday",
	} {
		if got := DatesOf("fi").When(event.Event{DateTime: dateTime, Timezone: "Europe/Berlin"}, now); got != want {
			t.Errorf("%s: %q, want %q", dateTime, got, want)
		}
	}
	if at, ok := Start(event.Event{DateTime: "someday"}); ok || !at.IsZero() {
		t.Errorf("someday is %v", at)
	}
}

// TestEnds: the server's words for an event with an end are the browser's, which package browser writes to
// testdata/words. Browsers of different ages write different spaces.
func TestEnds(t *testing.T) {
	now := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, tag := range Languages() {
		content, err := os.ReadFile("../browser/testdata/words/" + tag + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range [][2]string{ // as in words.ts
			{"2027-06-05T19:30:00+02:00", "2027-06-05T23:00:00+02:00"},
			{"2027-06-05T10:30:00+02:00", "2027-06-05T13:00:00+02:00"},
			{"2028-12-31T22:00:00+01:00", "2029-01-01T06:00:00+01:00"},
			{"2027-06-04T18:00:00+02:00", "2027-06-06T12:00:00+02:00"},
			{"2027-12-31T18:00:00+01:00", "2028-01-01T11:00:00+01:00"},
		} {
			e := event.Event{DateTime: c[0], EndDateTime: &c[1], Timezone: "Europe/Berlin"}
			got = append(got, Of(tag).Soon(e, now).String())
		}
		said := "\nintervals: " + strings.Join(got, " / ") + "\n"
		plain := strings.NewReplacer("\u00a0", " ", "\u202f", " ")
		if !strings.Contains(plain.Replace(string(content)), plain.Replace(said)) {
			t.Errorf("the browser's words for %s lack %q", tag, said)
		}
	}
	for _, c := range []struct{ tag, end, when, days string }{
		{"en-GB", "2027-05-01T23:00:00+02:00", "Saturday 1 May, 19:30–23:00", ""},
		{"en-GB", "2027-05-02T00:00:00+02:00", "Saturday 1 May, 19:30–0:00", ""},
		{"en-GB", "2027-05-02T06:00:00+02:00", "Saturday 1 May, 19:30–6:00", ""},
		{"en-GB", "2027-05-02T06:01:00+02:00", "Saturday 1 May at 19:30\u00a0– Sunday 2 May at 6:01", "Saturday 1 May\u00a0– Sunday 2 May"},
		{"en-GB", "2027-05-03T01:00:00+02:00", "Saturday 1 May at 19:30\u00a0– Monday 3 May at 1:00", "Saturday 1 May\u00a0– Monday 3 May"},
		{"ja", "2027-05-08T19:30:00+02:00", "5月1日(土) 19:30～5月8日(土) 19:30", "5月1日(土)～5月8日(土)"},
		{"fi", "2027-05-01t23:00:00+02:00", "2027-05-01 19:30–23:00", ""},
		{"fi", "2027-05-02T12:00:00+02:00", "2027-05-01 19:30\u00a0– 2027-05-02 12:00", ""},
		// Ends that no store returns do not count.
		{"en-GB", "someday", "Saturday 1 May at 19:30", ""},
		{"en-GB", "", "Saturday 1 May at 19:30", ""},
		{"en-GB", "2027-05-01T19:30:00+02:00", "Saturday 1 May at 19:30", ""},
		{"en-GB", "2027-05-01T18:30:00+02:00", "Saturday 1 May at 19:30", ""},
		{"fi", "2027-05-08T19:30:01+02:00", "2027-05-01 19:30", ""},
	} {
		e := event.Event{DateTime: "2027-05-01T19:30:00+02:00", EndDateTime: &c.end, Timezone: "Europe/Berlin"}
		d := DatesOf(c.tag)
		if when, days := d.When(e, now), d.Days(e, now); when != c.when || days != cmp.Or(c.days, c.when) {
			t.Errorf("%s, %s: %q, %q", c.tag, c.end, when, days)
		}
	}
	weekend := event.Event{DateTime: "2028-12-30T12:00:00Z", EndDateTime: new("2028-12-31T12:00:00Z"), Timezone: "UTC"}
	newYear := event.Event{DateTime: "2028-12-31T12:00:00Z", EndDateTime: new("2029-01-01T12:00:00Z"), Timezone: "UTC"}
	for tag, want := range map[string][2]string{
		"de": {
			"Samstag, 30. Dezember\u00a0– Sonntag, 31. Dezember 2028",
			"Sonntag, 31. Dezember 2028\u00a0– Montag, 1. Januar 2029",
		},
		"ja": {"2028年12月30日(土)～2028年12月31日(日)", "2028年12月31日(日)～2029年1月1日(月)"},
	} {
		if got := [2]string{DatesOf(tag).Days(weekend, now), DatesOf(tag).Days(newYear, now)}; got != want {
			t.Errorf("%s: %q", tag, got)
		}
	}
	e := event.Event{DateTime: "2027-05-01T19:30:00Z", EndDateTime: new("2027-05-01T23:00:00Z"), Timezone: "UTC"}
	words := Of("de").Words(e)
	if want := (Moment{"Samstag, ", "1. Mai", " 2027, 19:30–23:00\u00a0Uhr"}); words.WhenWithYear != want {
		t.Errorf("%q, want %q", words.WhenWithYear, want)
	}
	// No line begins with a comma.
	if want := (Moment{"Samstag, ", "1. Mai,", " 19:30–23:00\u00a0Uhr"}); words.When != want {
		t.Errorf("%q, want %q", [3]string(words.When), [3]string(want))
	}
	if words.Date != "Samstag, 1. Mai 2027" || words.Closes != "Samstag, 8. Mai 2027" {
		t.Errorf("%q", words)
	}
	for _, broken := range []event.Event{
		{DateTime: "someday", EndDateTime: e.EndDateTime, Timezone: "UTC"},
		{DateTime: "someday", EndDateTime: new("someday"), Timezone: "Nowhere/Land"},
	} {
		if when, days := Of("de").When(broken, now), Of("de").Days(broken, now); when != "someday" || days != when {
			t.Errorf("%q, %q", when, days)
		}
	}
}

// TestDatesOf: an event's dates are in the event's language, with the region if the region has its own date formats.
func TestDatesOf(t *testing.T) {
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	e := event.Event{DateTime: "2026-12-13T19:30:00+01:00", Timezone: "Europe/Berlin"}
	for tag, want := range map[string]string{
		"de": "Sonntag, 13. Dezember um 19:30\u00a0Uhr", "DE-at": "Sonntag, 13. Dezember um 19:30\u00a0Uhr",
		"fr-CA": "dimanche 13 décembre à 19\u00a0h\u00a030", "en-ZA": "Sunday 13 December at 19:30", "en": "Sunday, December 13 at 7:30\u00a0PM",
		"": "2026-12-13 19:30", "fi-FI": "2026-12-13 19:30", "x-de": "2026-12-13 19:30", "deu": "2026-12-13 19:30",
	} {
		if got := DatesOf(tag).When(e, now); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
	for _, tag := range Languages() {
		d, l := DatesOf(tag), Of(tag)
		if d.StateOf(false) != l.Text("state.cancelled") || d.StateOf(true) != l.Text("state.moved") {
			t.Errorf("languages.json has not the words for cancelled and moved that the texts of %s have", tag)
		}
	}
	if DatesOf("fi").StateOf(true) != "" {
		t.Error("there is a word of no language")
	}
}

// TestLanguage: Language returns the language with the highest weight, with the region if the region has its own date
// formats.
func TestLanguage(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "", " ": "", "*": "", "*;q=0.5": "", ",": "", "fi": "en", "fi, *": "en", "-": "en",
		"de": "de", "DE-at": "de", "fi,\tde ;q=0.3": "de", "en;q=0.8, de;q=0.9": "de", "de;q=0.9, en;q=0.90": "de",
		"de;q=0": "en", "de;q=0.000, fr;q=0.001": "fr", "de, fr;q=1.000": "de", "es, de": "es",
		"en-US, en-GB": "en", "en-ie": "en-GB", "es-419": "es-MX", "es-CO": "es-AR", "es-PE": "es-AR", "es-ES": "es", "ar-EG": "ar", "ar-MA": "ar-MA",
		"en-SG": "en-GB", "en-150": "en-GB", "en-JM": "en", "en-PR": "en",
	} {
		if got := Language(accepted); got != want {
			t.Errorf("%q: %q, want %q", accepted, got, want)
		}
	}
	for region, tag := range regions() {
		if !strings.EqualFold(region[:2], tag[:2]) {
			t.Errorf("%s is written as %s", region, tag)
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
		{Of("ar").Direction(), "rtl"}, {Of("ar").Plus(1000), "\u200e+1,000"}, {Of("de").Plus(1000), "+1.000"}, {Of("ja").Sentences("A.", "B."), "A.B."}, {Of("de").Sentences("A.", "B."), "A. B."},
		{Of("en-IN").Number(1234), "1,234"}, {Of("en-IN").Number(12_345_678), "1,23,45,678"}, {Of("en-IN").Number(123_456), "1,23,456"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestPluralForms: each language uses its plural forms of CLDR.
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

// TestZoneOf: ZoneOf returns the offset at the start of the event, in hours and minutes.
func TestZoneOf(t *testing.T) {
	for zone, want := range map[string]string{
		"UTC": "UTC", "Europe/Berlin": "UTC+2", "Asia/Kolkata": "UTC+5:30", "America/St_Johns": "UTC\u22122:30", "Pacific/Honolulu": "UTC\u221210",
	} {
		if got := ZoneOf(event.Event{DateTime: "2047-07-01T12:00:00Z", Timezone: zone}); got != want {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}
