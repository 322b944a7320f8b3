package event

import (
	"archive/zip"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "time/tzdata" // gives every machine the same zones
)

func TestParseDateTimeAccepts(t *testing.T) {
	const same = ""
	for _, c := range []struct{ text, rfc3339, utc string }{
		{"2027-05-01T19:00:00+02:00", same, "2027-05-01T17:00:00Z"},
		{"2027-05-01T19:00:00Z", same, "2027-05-01T19:00:00Z"},
		{"2027-05-01T19:00+02:00", "2027-05-01T19:00:00+02:00", "2027-05-01T17:00:00Z"},
		{"2027-05-01t19:00z", "2027-05-01T19:00:00Z", "2027-05-01T19:00:00Z"},

		{"2027-05-01T19:00:00.500Z", same, "2027-05-01T19:00:00.5Z"},
		{"2027-05-01T19:00:00.123456789Z", same, "2027-05-01T19:00:00.123456789Z"},
		{"2027-05-01T19:00:00,25+02:00", "2027-05-01T19:00:00.25+02:00", "2027-05-01T17:00:00.25Z"},

		{"2027-05-01T23:59:59.999999999Z", same, "2027-05-01T23:59:59.999999999Z"},

		{"2027-05-01T19:00:00-00:00", same, "2027-05-01T19:00:00Z"},
		{"2027-05-01T19:00:00+23:59", same, "2027-04-30T19:01:00Z"},
		{"2027-05-01T19:00:00-23:59", same, "2027-05-02T18:59:00Z"},

		{"2028-02-29T19:00:00Z", same, "2028-02-29T19:00:00Z"},
		{"0000-01-01T00:00:00+23:59", same, "-0001-12-31T00:01:00Z"},
		{"9999-12-31T23:59:59-23:59", same, "10000-01-01T23:58:59Z"},
	} {
		want := c.rfc3339
		if want == same {
			want = c.text
		}
		rfc3339, at, problem := parseDateTime(c.text)
		if rfc3339 != want || at.UTC().Format(time.RFC3339Nano) != c.utc || problem != "" {
			t.Errorf("%q is read as %q, %v, with the problem %q", c.text, rfc3339, at.UTC(), problem)
		}
		if parsed, err := time.Parse(time.RFC3339, rfc3339); err != nil || !parsed.Equal(at) {
			t.Errorf("%q is spelled %q, which is %v, %v", c.text, rfc3339, parsed, err)
		}
	}
}

// TestEnds: an event ends after its start, within seven days, to the nanosecond. Instants count, not wall clocks.
func TestEnds(t *testing.T) {
	const (
		form  = "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"
		may   = "2027-05-01T19:00:00+02:00"
		last  = "9999-12-31T20:00:00Z"
		bound = "must be after dateTime, and at most 7 days after it"
	)
	for _, c := range []struct{ dateTime, end, stored, problem string }{
		{may, "2027-05-01T19:00:00.000000001+02:00", "2027-05-01T19:00:00.000000001+02:00", ""},
		{may, "2027-05-08T19:00:00+02:00", "2027-05-08T19:00:00+02:00", ""},
		{may, "2027-05-01t17:30z", "2027-05-01T17:30:00Z", ""},
		{may, "2027-05-01T18:30,5+01:00", "", form},
		{may, "2027-05-01T18:30:00,5+01:00", "2027-05-01T18:30:00.5+01:00", ""},
		{"2027-03-28T01:30:00+01:00", "2027-03-28T02:30:00+01:00", "2027-03-28T02:30:00+01:00", ""}, // a gap
		{last, "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z", ""},
		{last, "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59", ""},
		{last, "10000-01-01T01:00:00Z", "", form},
		{may, "2027-05-01T18:59:59+02:00", "", bound},
		{may, "2027-05-01T19:00:00+02:00", "", bound},
		{may, "2027-05-01T19:30:00+03:00", "", bound}, // before, though later on the wall
		{may, "2027-05-08T19:00:00.000000001+02:00", "", bound},
		{may, "9999-12-31T23:59:59Z", "", bound},
		{may, "2027-05-01T23:00:00", "", form},
		{may, "", "", form},
	} {
		in := NewCreateEventInput()
		for name, text := range map[string]string{"dateTime": c.dateTime, "endDateTime": c.end} {
			in[name].Value = &text
		}
		in["title"].Value, in["timezone"].Value = new("Picnic"), new("UTC")
		e, err := in.check(Key{}, time.Time{})
		want := error(nil)
		if c.problem != "" {
			want = ValidationError{{"endDateTime", c.problem}}
		}
		if fmt.Sprint(err) != fmt.Sprint(want) || err == nil && *e.EndDateTime != c.stored {
			t.Errorf("%s to %s: %v, want %v", c.dateTime, c.end, err, want)
		}
	}
	in := NewCreateEventInput()
	in["dateTime"].Value, in["endDateTime"].Value = new("tomorrow"), new("2027-05-01T23:00:00Z")
	_, err := in.check(Key{}, time.Time{})
	if invalid, _ := err.(ValidationError); slices.ContainsFunc(invalid, func(f FieldError) bool {
		return f.Field == "endDateTime"
	}) {
		t.Errorf("an end is compared with a date-time that was refused: %v", err)
	}
}

func TestParseDateTimeRefuses(t *testing.T) {
	const (
		form  = "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"
		exist = "must be a date and a time that exist, from 00:00:00 to 23:59:59"
	)
	for text, want := range map[string]string{
		"":                                form,
		"2027-05-01":                      form,
		"2027-05-01T19:00:00":             form, // no offset
		"20270501T190000Z":                form, // the basic format
		"2027-05-01T19:00:00+0200":        form,
		"2027-05-01T19:00:00+24:00":       form,
		"2027-05-01T19:00:00+02:60":       form,
		"2027-05-01T19:00:00\u221202:00":  form, // a minus sign, not a hyphen
		"2027-W17-6T19:00:00Z":            form, // a week date
		"+002027-05-01T19:00:00Z":         form,
		"2027-05-01 19:00:00Z":            form,
		"2027-05-01T19:00.5Z":             form, // a fraction of a minute
		"2027-05-01T19:00:00.Z":           form,
		"2027-05-01T19:00:00.1234567890Z": form, // more than nanoseconds
		" 2027-05-01T19:00:00Z":           form,
		"2027-05-01T19:00:00Z\n":          form,
		"２０２７-05-01T19:00:00Z":            form, // digits of another script

		"2027-13-01T19:00:00Z": exist,
		"2027-02-29T19:00:00Z": exist,
		"2100-02-29T19:00:00Z": exist,
		"2027-05-01T24:00:00Z": exist,
		"2027-05-01T19:60:00Z": exist,
		"2027-05-01T19:00:60Z": exist,
		"2016-12-31T23:59:60Z": exist, // a leap second that existed
	} {
		rfc3339, _, problem := parseDateTime(text)
		if rfc3339 != "" || problem != want {
			t.Errorf("%.50q is read as %q, with the problem %q", text, rfc3339, problem)
		}
	}
}

var update = flag.Bool("update", false, "write timezones.txt anew")

// TestTimezones: each name in the list is a time zone. In CI, the list has every zone of Go's database; elsewhere a
// newer Go may have more zones.
func TestTimezones(t *testing.T) {
	heading, list, _ := strings.Cut(timezones, "\n")
	listed := strings.Fields(list)
	for _, name := range listed {
		if _, err := time.LoadLocation(name); err != nil || !isTimezone(name) {
			t.Errorf("%q is listed, but is not a time zone: %v", name, err)
		}
	}
	if os.Getenv("CI") != "true" && !*update {
		return
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	database, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	var names []string
	for _, file := range database.File {
		if !strings.HasSuffix(file.Name, "/") {
			names = append(names, file.Name)
		}
	}
	slices.Sort(names)
	switch {
	case *update:
		err = os.WriteFile("timezones.txt", []byte(heading+"\n"+strings.Join(names, "\n")+"\n"), 0o644)
	case !slices.Equal(names, listed):
		err = errors.New("run go test ./internal/event -run TestTimezones -update: Go has other zones than the list")
	}
	if err != nil {
		t.Error(err)
	}
}

// TestIsTimezone: only a whole line of the list is a time zone. TestTimezones tests the accepted names.
func TestIsTimezone(t *testing.T) {
	for _, name := range []string{
		"", "\n", "Africa/Abidjan\nAfrica/Accra", "# The names in the IANA time zone database",
		"europe/berlin", "Europe", "Europe/", "Europe/Berlin ", "Europe/Berlin\n", "Europe/Berlin\x00", "Berlin", "/Berlin",
		"Local", "localtime", "posix/UTC", "../etc/passwd", "Europe/./Berlin", "zone.tab", "CEST", "+02:00", "\xff",
	} {
		if isTimezone(name) {
			t.Errorf("%.50q is accepted", name)
		}
	}
}

// TestExpiry: an event expires seven days after its date, but not after the year 9999.
func TestExpiry(t *testing.T) {
	for _, c := range []struct{ name, date, want string }{
		{"seven days", "2027-05-01T19:00:00+02:00", "2027-05-08T17:00:00Z"},
		{"over a change of the clocks", "2027-03-27T19:00:00+01:00", "2027-04-03T18:00:00Z"},
		{"to the nanosecond", "2027-05-01T19:00:00.999999999Z", "2027-05-08T19:00:00.999999999Z"},
		{"before 1970", "1969-12-01T00:00:00.5Z", "1969-12-08T00:00:00.5Z"},
		{"of four years ago", "2023-05-01T19:00:00Z", "2023-05-08T19:00:00Z"},
		{"of the year 0", "0000-01-01T00:00:00+14:00", "0000-01-07T10:00:00Z"},
		{"in the year 9999", "9999-12-24T23:59:59.999999998Z", "9999-12-31T23:59:59.999999998Z"},
		{"in the year 10000", "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999999Z"},
	} {
		_, date, _ := parseDateTime(c.date)
		if got := expiry(date).Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%s: expires %v, want %v", c.name, got, c.want)
		}
	}
}
