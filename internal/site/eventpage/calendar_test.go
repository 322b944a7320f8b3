package eventpage

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"turnout/internal/event"
)

const calendarOrigin = "https://turnout.example.org"

// entryOf writes an event as a calendar, checks the lines of the file, and returns their values by
// component and name, without escapes.
func entryOf(t *testing.T, e event.Event) map[string]string {
	t.Helper()
	file, err := calendar(e, nil, nil, calendarOrigin, time.Date(2027, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)))
	if err != nil {
		t.Fatal(err)
	}
	content, ended := strings.CutSuffix(string(file.Content), "\r\n")
	if !ended {
		t.Errorf("the last line has no end: %q", content)
	}
	lines := strings.Split(content, "\r\n")
	for i, line := range lines {
		rest, folded := strings.CutPrefix(append(lines, "")[i+1], " ")
		if _, size := utf8.DecodeRuneInString(rest); folded && len(line)+size <= 75 {
			t.Errorf("a line ends after %d octets: %q", len(line), line)
		}
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool {
			return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
		}) {
			t.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	values, within := map[string]string{}, ""
	unescape := strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",", `\n`, "\n")
	drop := strings.NewReplacer(`\\`, "", `\;`, "", `\,`, "", `\n`, "")
	for line := range strings.SplitSeq(strings.ReplaceAll(content, "\r\n ", ""), "\r\n") {
		name, value, ok := strings.Cut(line, ":")
		_, twice := values[within+name]
		switch name {
		case "BEGIN":
			within += value + " "
		case "END":
			within, ok = strings.CutSuffix(within, value+" ")
		default:
			values[within+name] = unescape.Replace(value)
		}
		if !ok || twice || strings.ContainsAny(drop.Replace(value), `\;,`) {
			t.Errorf("in %s: %q", within, line)
		}
	}
	interval := values["VCALENDAR REFRESH-INTERVAL;VALUE=DURATION"]
	if interval != "PT1H" || values["VCALENDAR METHOD"] != "" || within != "" {
		t.Errorf("the calendar is\n%s", content)
	}
	return values
}

func has(t *testing.T, values, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := values["VCALENDAR VEVENT "+name]; got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestCalendar(t *testing.T) {
	token, place := event.NewToken(), "Room 1; left,\n Main  St 5\r\n\n12345 Town"
	description := "First, second; third\\n\nline\r\nhttps://example.org/?a=b,c;d\r" +
		"old\u2028s\u2029p\u0085next\x00\x1b\ttab"
	address := calendarOrigin + "/e/" + token.String()
	e := event.Event{
		Token:       token,
		Title:       "Soup; bread, \\ and a very long title with ümläuts and 🥣 that has to be folded somewhere",
		Description: &description,
		Location:    &place,
		Host:        new(" Mara\n &  Jo"),
		DateTime:    "2083-10-31t02:30:00+01:00",
		Timezone:    "Europe/Berlin",
	}
	want := map[string]string{
		"UID": token.String() + "@turnout", "DTSTAMP": "20270102T020405Z", "DTSTART": "20831031T013000Z", "DTEND": "20831031T033000Z",
		"SUMMARY": e.Title, "LOCATION": "Room 1; left, Main St 5, 12345 Town", "URL": address, "SEQUENCE": "0", "STATUS": "CONFIRMED",
		"DESCRIPTION": "Mara & Jo\n\nFirst, second; third\\n\nline\nhttps://example.org/?a=b,c;d\nold\ns\np\nnext\ttab\n\n" + address,
	}
	want["VALARM ACTION"], want["VALARM TRIGGER"] = "DISPLAY", "-PT1H"
	has(t, entryOf(t, e), want)

	e.Cancelled, e.CancellationReason = true, new("Rain.")
	want["SUMMARY"] = "❌ " + e.Title // many calendars ignore STATUS
	want["DESCRIPTION"] = "Rain.\n\n" + want["DESCRIPTION"]
	want["SEQUENCE"], want["STATUS"] = "1", "CANCELLED"
	want["VALARM ACTION"], want["VALARM TRIGGER"] = "", ""
	has(t, entryOf(t, e), want)

	values := entryOf(t, e)
	if got := values["VCALENDAR NAME"]; got != want["SUMMARY"] || values["VCALENDAR X-WR-CALNAME"] != got {
		t.Errorf("the calendar is named %q", got)
	}

	has(t, entryOf(t, event.Event{
		Token: token, Title: "Blank", Location: new(" \n\u200b"), Description: new("\u2800"), Host: new(" "),
		Cancelled: true, CancellationReason: new("\n"), DateTime: "2099-01-01T12:00:00Z", Timezone: "UTC",
	}), map[string]string{"DESCRIPTION": address, "LOCATION": ""})
	has(t, entryOf(t, event.Event{Token: token, Title: "Bare", DateTime: "2099-01-01T12:00:00Z", Timezone: "UTC"}),
		map[string]string{"DESCRIPTION": address, "LOCATION": "", "DTSTART": "20990101T120000Z"})
}

// TestCalendarEnds: an entry ends with its event. An end that no store returns does not count.
func TestCalendarEnds(t *testing.T) {
	for end, want := range map[string]string{
		"2027-05-01T23:00:00+02:00": "20270501T210000Z", "2027-05-08t17:00:00z": "20270508T170000Z",
		"2027-05-01T19:00:00.5+02:00": "20270501T170001Z", // an end must be later than the start
		"2027-05-01T19:00:00+02:00":   "20270501T190000Z", "2027-05-08T17:00:01Z": "20270501T190000Z", "someday": "20270501T190000Z",
	} {
		e := event.Event{Title: "x", DateTime: "2027-05-01T19:00:00+02:00", EndDateTime: &end, Timezone: "UTC"}
		has(t, entryOf(t, e), map[string]string{"DTSTART": "20270501T170000Z", "DTEND": want})
	}
}

// TestCalendarYears: an offset takes an event to a year that calendars cannot write.
func TestCalendarYears(t *testing.T) {
	for _, c := range [][4]string{
		{"9999-12-31T20:00:00-05:00", "9999-12-31T23:00:00-05:00", "99991231T205959Z", "99991231T235959Z"},
		{"0000-01-01T00:00:00+14:00", "0000-01-01T01:00:00+14:00", "00000101T000000Z", "00000101T010000Z"},
	} {
		entry := entryOf(t, event.Event{Title: "x", DateTime: c[0], EndDateTime: &c[1], Timezone: "UTC"})
		has(t, entry, map[string]string{"DTSTART": c[2], "DTEND": c[3]})
	}
	for dateTime, want := range map[string][2]string{
		"0000-01-01T00:00:00+14:00":     {"00000101T000000Z", "00000101T020000Z"},
		"9999-12-31T23:59:00-05:00":     {"99991231T215959Z", "99991231T235959Z"},
		"9999-12-31T12:00:00.5-05:00":   {"99991231T170000Z", "99991231T190000Z"},
		"1965-07-01T12:00:00.999+01:00": {"19650701T110000Z", "19650701T130000Z"},
	} {
		entry := entryOf(t, event.Event{Title: "x", DateTime: dateTime, Timezone: "UTC"})
		has(t, entry, map[string]string{"DTSTART": want[0], "DTEND": want[1]})
	}
}

// FuzzCalendar: no text of a user injects a property or an entry.
func FuzzCalendar(f *testing.F) {
	f.Add("Picnic", "Bring\ncake\r\nEND:VEVENT\rBEGIN:VALARM", `a\nb;c,d\`)
	f.Add(strings.Repeat("🥣", 80), "\u2028\u2029\u0085\x00\x7f\ufeff", "\xff\t ")
	f.Fuzz(func(t *testing.T, title, description, place string) {
		values := entryOf(t, event.Event{
			Title: title, Host: &title, Description: &description, Location: &place,
			DateTime: "2099-01-01T12:00:00Z", Timezone: "UTC",
		})
		most := 19 // number of lines with a location
		if len(values) != most && (place != "" || len(values) != most-1) {
			t.Errorf("%d values: %q", len(values), values)
		}
	})
}
