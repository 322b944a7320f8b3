package event

import (
	"strings"
	"testing"
	"time"

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
