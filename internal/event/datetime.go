package event

import (
	"cmp"
	_ "embed" // embeds timezones.txt
	"regexp"
	"strings"
	"sync"
	"time"
)

// dateTimeForm is the extended format of ISO 8601 with an offset. Its groups are
// the date, the time to the minute, the second, the fraction and the offset.
var dateTimeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)` +
		`(?::(\d\d)(?:[.,](\d{1,9}))?)?` +
		`([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)
})

// parseDateTime returns the instant that s names, and s as RFC 3339 with T and Z in upper case. If s is
// RFC 3339 already, nothing else changes. The problem is empty if s is valid.
func parseDateTime(s string) (rfc3339 string, at time.Time, problem string) {
	part := dateTimeForm().FindStringSubmatch(s)
	if part == nil {
		return "", at, "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"
	}
	second, fraction := cmp.Or(part[3], "00"), part[4]
	if fraction != "" {
		fraction = "." + fraction
	}
	rfc3339 = part[1] + "T" + part[2] + ":" + second + fraction + strings.ToUpper(part[5])
	at, err := time.Parse(time.RFC3339Nano, rfc3339)
	if err != nil {
		return "", at, "must be a date and a time that exist, from 00:00:00 to 23:59:59"
	}
	return rfc3339, at, ""
}

// IsEnd reports whether an event that begins at start may end at end: later, and within the RSVPWindow.
func IsEnd(start, end time.Time) bool { return end.After(start) && end.Sub(start) <= RSVPWindow }

//go:embed timezones.txt
var timezones string

// isTimezone reports whether name is in the IANA time zone database, case-sensitively. It uses
// a list of names, because time.LoadLocation accepts Go's own names and files beside the
// zones, and adds 450 KB to a function.
func isTimezone(name string) bool {
	return !strings.Contains(name, "\n") && strings.Contains(timezones, "\n"+name+"\n")
}
