package browser

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
)

// entry downloads the calendar file of the page, and reads it back.
func entry(v *visitor) (calendar *ical.Calendar, event ical.Event, text string) {
	v.Helper()
	name, text := v.Download("Add to calendar")
	if !strings.HasSuffix(name, ".ics") {
		v.Errorf("the file is called %q", name)
	}
	for _, line := range strings.SplitAfter(text, "\r\n") {
		if len(line) > 77 || strings.ContainsAny(strings.TrimSuffix(line, "\r\n"), "\r\n") {
			v.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	calendar, err := ical.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil || len(calendar.Events()) != 1 {
		v.Fatalf("%v\n%s", err, text)
	}
	return calendar, calendar.Events()[0], text
}

func property(v *visitor, event ical.Event, name string) string {
	v.Helper()
	text, err := event.Props.Text(name)
	v.Must(err)
	return text
}

func TestCalendarEntry(t *testing.T) {
	t.Parallel()
	body := supper()
	body["title"] = "Soup; bread, \\ and a very long title with ümläuts and 🥣 that has to be folded somewhere in the middle"
	body["description"] = "First, second; third\\n\nline\r\nhttps://example.org/?a=b,c;d\rold\u2028separate\u2029paragraph\u0085next\x00\x1b"
	event := announce(t, body)
	v := newVisitor(t, manner{})
	v.Open(event.public())
	calendar, found, text := entry(v)
	for name, want := range map[string]string{
		ical.PropUID:         event.EventToken + "@turnout",
		ical.PropSummary:     body["title"].(string),
		ical.PropLocation:    body["location"].(string),
		ical.PropDescription: strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\x00", "", "\x1b", "").Replace(body["description"].(string)) + "\n\n" + base + event.public(),
		ical.PropStatus:      "CONFIRMED",
	} {
		if got := property(v, found, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	start, err := found.DateTimeStart(time.UTC)
	v.Must(err)
	if want := time.Date(2099, 12, 12, 18, 30, 0, 0, time.UTC); !start.Equal(want) {
		t.Errorf("starts at %s, want %s", start, want)
	}
	if zone := found.Props.Get(ical.PropDateTimeStart).Params.Get(ical.ParamTimezoneID); zone != "Europe/Berlin" {
		t.Errorf("the zone is %q", zone)
	}
	// By RFC 5546 every method needs an organizer, who is not known here.
	if strings.Contains(text, "\r\nMETHOD:") {
		t.Errorf("the entry claims to be a message of its organizer:\n%s", text)
	}
	if strings.ContainsAny(text, "\u0085\u2028\u2029") {
		t.Errorf("readers may see more lines than there are:\n%q", text)
	}
	if !strings.Contains(text, "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n") || len(calendar.Children) != 2 {
		t.Errorf("the zone is not described:\n%s", text)
	}
}

func TestFilesAreNamedAfterTheEvent(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for title, want := range map[string]string{
		"Rooftop supper!":          "Rooftop-supper.ics",
		"../../etc/passwd\x00.exe": "etc-passwd-exe.ics",
		"दिवाली की दावत":           "दिवाली-की-दावत.ics",
		"🥣":                        "turnout.ics",
	} {
		body := supper()
		body["title"] = title
		v.Open(announce(t, body).public())
		if name, _ := v.Download("Add to calendar"); name != want {
			t.Errorf("the entry of %q is called %q, want %q", title, name, want)
		}
	}
}

// A calendar without the zone's name finds the right moment by the definition of
// the zone in the file.
func TestCalendarDescribesItsZone(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for _, c := range []struct{ zone, dateTime string }{
		{"Europe/Berlin", "2083-03-28T03:00:00+02:00"},
		{"Europe/Berlin", "2083-03-28T01:59:00+01:00"},
		{"America/New_York", "2083-07-01T12:00:00-04:00"},
		{"America/New_York", "2083-12-01T12:00:00-05:00"},
		{"Australia/Lord_Howe", "2083-01-15T12:00:00+11:00"},
		{"Asia/Kolkata", "2083-01-15T12:00:00+05:30"},
	} {
		body := supper()
		body["timezone"], body["dateTime"] = c.zone, c.dateTime
		v.Open(announce(t, body).public())
		calendar, found, text := entry(v)
		if got, want := offset(v, calendar, found), c.dateTime[19:]; got != strings.Replace(want, ":", "", 1) {
			t.Errorf("%s: the offset at %s is %s\n%s", c.zone, c.dateTime, got, text)
		}
	}
}

// offset is the UTC offset at the start of an event by the observances in the
// file: the one with the latest onset before it.
func offset(v *visitor, calendar *ical.Calendar, event ical.Event) string {
	v.Helper()
	start := event.Props.Get(ical.PropDateTimeStart).Value
	latest, result := "", ""
	for _, zone := range calendar.Children {
		if zone.Name != ical.CompTimezone {
			continue
		}
		for _, observance := range zone.Children {
			onset := observance.Props.Get(ical.PropDateTimeStart).Value
			if onset <= start && onset > latest {
				latest, result = onset, observance.Props.Get(ical.PropTimezoneOffsetTo).Value
			}
		}
	}
	return result
}

func TestCalendarEntryOfOtherEvents(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	event := announce(t, supper())
	v.Open(event.public())
	_, before, _ := entry(v)
	cancel(t, event, "Rain")
	v.Open(event.public())
	v.Sees("This event is cancelled")
	_, after, _ := entry(v)
	if status := property(v, after, ical.PropStatus); status != "CANCELLED" {
		t.Errorf("the status of a cancelled event is %q", status)
	}
	if property(v, after, ical.PropUID) != property(v, before, ical.PropUID) {
		t.Error("the cancelled event is another one for a calendar")
	}
	if after.Props.Get(ical.PropSequence).Value <= before.Props.Get(ical.PropSequence).Value {
		t.Error("a calendar would keep the entry that it has")
	}

	body := fields{"title": "Bare", "dateTime": "2099-01-01T12:00:00Z", "timezone": "UTC"}
	v.Open(announce(t, body).public())
	_, bare, text := entry(v)
	if strings.Contains(text, "LOCATION") || bare.Props.Get(ical.PropDateTimeStart).Value != "20990101T120000Z" {
		t.Errorf("the entry is\n%s", text)
	}

	v.Open(announce(t, hostile()).public())
	_, odd, _ := entry(v)
	if got := property(v, odd, ical.PropSummary); got != hostile()["title"] {
		t.Errorf("the title is %q", got)
	}
}

func TestGuestListAsCSV(t *testing.T) {
	t.Parallel()
	names := []string{
		"Ada", `Quote "Q", comma`, "two\nlines", "Ünïcode 🥣",
		"=1+1", "+1", "-1", "@SUM(A1)", "\tTab", " =1+1", "＝1+1", "a=b",
	}
	_, v := organizing(t, names...)
	name, content := v.Download("Download CSV")
	if name != "Rooftop-supper.csv" {
		t.Errorf("the file is called %q", name)
	}
	content, marked := strings.CutPrefix(content, "\ufeff")
	if !marked {
		t.Error("a spreadsheet would not know that it is UTF-8")
	}
	if lines := strings.Count(content, "\r\n"); lines != len(names)+1 {
		t.Errorf("%d lines end as they should, want %d", lines, len(names)+1)
	}
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	v.Must(err)
	want := [][]string{
		{"Name"}, {"Ada"}, {`Quote "Q", comma`}, {"two\nlines"}, {"Ünïcode 🥣"},
		{"'=1+1"}, {"'+1"}, {"'-1"}, {"'@SUM(A1)"}, {"'\tTab"}, {"' =1+1"}, {"'＝1+1"}, {"a=b"},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
}
