package eventpage

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-ical"

	"turnout/internal/event"
)

const calendarOrigin = "https://turnout.example.org"

// entryOf writes an event as a calendar, checks the lines of the file, and reads it back.
func entryOf(t *testing.T, e event.Event) ical.Event {
	t.Helper()
	file, err := calendar(e, nil, nil, calendarOrigin, time.Date(2027, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600)))
	if err != nil {
		t.Fatal(err)
	}
	content := string(file.Content)
	lines := strings.Split(content, "\r\n")
	if lines[len(lines)-1] != "" {
		t.Errorf("the last line has no end: %q", content)
	}
	for i, line := range lines[:len(lines)-1] {
		rest, folded := strings.CutPrefix(lines[i+1], " ")
		if _, size := utf8.DecodeRuneInString(rest); folded && len(line)+size <= 75 {
			t.Errorf("a line ends after %d octets: %q", len(line), line)
		}
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool {
			return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
		}) {
			t.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	read, err := ical.NewDecoder(strings.NewReader(content)).Decode()
	if err != nil || len(read.Children) != 1 || len(read.Events()) != 1 {
		t.Fatalf("%v\n%s", err, content)
	}
	if p := read.Props.Get("REFRESH-INTERVAL"); p == nil || p.Value != "PT1H" || p.Params.Get("VALUE") != "DURATION" || read.Props.Get(ical.PropMethod) != nil {
		t.Errorf("the calendar is\n%s", content)
	}
	return read.Events()[0]
}

func has(t *testing.T, entry ical.Event, want map[string]string) {
	t.Helper()
	for name, value := range want {
		got := ""
		if p := entry.Props.Get(name); p != nil && p.ValueType() == ical.ValueText {
			var err error
			if got, err = p.Text(); err != nil {
				t.Error(err)
			}
		} else if p != nil {
			got = p.Value
		}
		if got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func TestCalendar(t *testing.T) {
	token, description, place := event.NewToken(), "First, second; third\\n\nline\r\nhttps://example.org/?a=b,c;d\rold\u2028s\u2029p\u0085next\x00\x1b", "Room 1; left"
	address := calendarOrigin + "/e/" + token.String()
	e := event.Event{
		Token: token, Title: "Soup; bread, \\ and a very long title with ümläuts and 🥣 that has to be folded somewhere",
		Description: &description, Location: &place, DateTime: "2083-10-31t02:30:00+01:00", Timezone: "Europe/Berlin",
	}
	want := map[string]string{
		"UID": token.String() + "@turnout", "DTSTAMP": "20270102T020405Z", "DTSTART": "20831031T013000Z", "DTEND": "20831031T033000Z",
		"SUMMARY": e.Title, "LOCATION": place, "URL": address, "SEQUENCE": "0", "STATUS": "CONFIRMED",
		"DESCRIPTION": "First, second; third\\n\nline\nhttps://example.org/?a=b,c;d\nold\ns\np\nnext\n\n" + address,
	}
	entry := entryOf(t, e)
	has(t, entry, want)
	if len(entry.Children) != 1 || entry.Children[0].Name != ical.CompAlarm || entry.Children[0].Props.Get(ical.PropTrigger).Value != "-PT1H" {
		t.Errorf("the reminders are %v", entry.Children)
	}

	e.Cancelled = true
	want["SEQUENCE"], want["STATUS"] = "1", "CANCELLED"
	entry = entryOf(t, e)
	has(t, entry, want)
	if len(entry.Children) != 0 {
		t.Errorf("a reminder of what is cancelled: %v", entry.Children)
	}

	has(t, entryOf(t, event.Event{Token: token, Title: "Bare", DateTime: "2099-01-01T12:00:00Z", Timezone: "UTC"}),
		map[string]string{"DESCRIPTION": address, "LOCATION": "", "DTSTART": "20990101T120000Z"})
}

// TestCalendarYears: an offset takes an event to a year that calendars cannot write.
func TestCalendarYears(t *testing.T) {
	for dateTime, want := range map[string][2]string{
		"0000-01-01T00:00:00+14:00":     {"00000101T000000Z", "00000101T020000Z"},
		"9999-12-31T23:59:00-05:00":     {"99991231T215959Z", "99991231T235959Z"},
		"9999-12-31T12:00:00.5-05:00":   {"99991231T170000Z", "99991231T190000Z"},
		"1965-07-01T12:00:00.999+01:00": {"19650701T110000Z", "19650701T130000Z"},
	} {
		has(t, entryOf(t, event.Event{Title: "x", DateTime: dateTime, Timezone: "UTC"}), map[string]string{"DTSTART": want[0], "DTEND": want[1]})
	}
}

// FuzzCalendar: no text of a user injects a property or an entry.
func FuzzCalendar(f *testing.F) {
	f.Add("Picnic", "Bring\ncake\r\nEND:VEVENT\rBEGIN:VALARM", `a\nb;c,d\`)
	f.Add(strings.Repeat("🥣", 80), "\u2028\u2029\u0085\x00\x7f\ufeff", "\xff\t ")
	f.Fuzz(func(t *testing.T, title, description, place string) {
		entry := entryOf(t, event.Event{Title: title, Description: &description, Location: &place, DateTime: "2099-01-01T12:00:00Z", Timezone: "UTC"})
		text := func(text string) string {
			text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(string([]rune(text)))
			return strings.Map(func(r rune) rune {
				if unicode.IsControl(r) && r != '\n' && r != '\t' {
					return -1
				}
				return r
			}, text)
		}
		if description != "" {
			description += "\n\n"
		}
		has(t, entry, map[string]string{
			"SUMMARY": text(title), "LOCATION": text(place), "STATUS": "CONFIRMED",
			"DESCRIPTION": text(description) + calendarOrigin + "/e/" + event.Token{}.String(),
		})
	})
}
