package event

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// TestDateTimeForms: every accepted form of ISO 8601 is read as the moment that it
// was made from, and is answered as RFC 3339 in upper case, otherwise unchanged
// where it was RFC 3339 already.
func TestDateTimeForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moment := time.Unix(rapid.Int64Range(-62135510400, 253402214400).Draw(t, "seconds"), 0)
		moment = moment.In(time.FixedZone("", 60*rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "offset in minutes")))
		if moment.Year() < 1 || moment.Year() > 9999 {
			t.Skip("its offset takes it out of the years that have four digits")
		}
		seconds := rapid.SampledFrom([]string{"", ":05", ":05.5", ":05,25", ":05.123456789"}).Draw(t, "seconds and fraction")
		zone := moment.Format("Z07:00")
		if zone == "Z" {
			zone = rapid.SampledFrom([]string{"Z", "z", "+00:00", "-00:00"}).Draw(t, "UTC")
		}
		sent := moment.Format("2006-01-02") + rapid.SampledFrom([]string{"T", "t"}).Draw(t, "T") + moment.Format("15:04") + seconds + zone

		wantSeconds := strings.ReplaceAll(seconds, ",", ".")
		if wantSeconds == "" {
			wantSeconds = ":00"
		}
		after, err := time.ParseDuration(strings.TrimPrefix(wantSeconds, ":") + "s")
		if err != nil {
			t.Fatal(err)
		}
		wantMoment := moment.Add(-time.Duration(moment.Second()) * time.Second).Add(after)

		got, at, problem := parseDateTime(sent)
		if want := strings.ToUpper(moment.Format("2006-01-02T15:04") + wantSeconds + zone); problem != "" || got != want || !at.Equal(wantMoment) {
			t.Fatalf("%s is %s at %v %q, want %s at %v", sent, got, at, problem, want, wantMoment)
		}
	})
}

// TestArbitraryDateTimes: what is accepted is answered as RFC 3339.
func TestArbitraryDateTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := rapid.StringMatching(`[0-3][0-9]{3}-[0-1][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9](:[0-6][0-9]([.,][0-9]{0,10})?)?([Zz]|[+-][0-2][0-9]:?[0-6][0-9])?`).Draw(t, "text")
		got, at, problem := parseDateTime(sent)
		parsed, err := time.Parse(time.RFC3339Nano, got)
		if (problem == "") != (err == nil && got != "") || problem == "" && !parsed.Equal(at) {
			t.Fatalf("%s is %q at %v %q: %v", sent, got, at, problem, err)
		}
	})
}

// TestTokenForms: a token is 36 characters of one form, in either case, and is
// answered in lower case.
func TestTokenForms(t *testing.T) {
	form := regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	rapid.Check(t, func(t *rapid.T) {
		token := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes")).String()
		at := rapid.IntRange(0, len(token)-1).Draw(t, "at")
		sent := rapid.SampledFrom([]string{
			token, strings.ToUpper(token), "{" + token + "}", "urn:uuid:" + token, strings.ReplaceAll(token, "-", ""),
			token[:at], token + token[:at], fmt.Sprint(token[:at], rapid.Rune().Draw(t, "rune"), token[at+1:]),
			token[:at] + string(rapid.Rune().Draw(t, "another")) + token[at+1:],
		}).Draw(t, "text")
		got, ok := ParseToken(sent)
		if ok != form.MatchString(sent) || ok && got.String() != strings.ToLower(sent) {
			t.Fatalf("%q is %v, %v", sent, got, ok)
		}
	})
}
