package site

import (
	"testing"
	"time"

	"turnout/internal/event"
)

// TestPhase: an event is over once it has ended; without an end, or with one that the service would refuse, half a day
// after its start. It is closed when the service refuses RSVPs.
func TestPhase(t *testing.T) {
	start := time.Date(2027, 5, 1, 18, 0, 0, 0, time.UTC)
	const hour, day = time.Hour, 24 * time.Hour
	for _, c := range []struct {
		end   string // "" for an event without an end
		after time.Duration
		want  Phase
	}{
		{"", -1, Coming}, {"", 0, Started}, {"", 12 * hour, Started}, {"", 12*hour + 1, Over}, {"", 7 * day, Over},
		{"", 7*day + 1, Closed},
		{"2027-05-01T23:00:00+02:00", -1, Coming}, {"2027-05-01T23:00:00+02:00", 3 * hour, Started},
		{"2027-05-01T23:00:00+02:00", 3*hour + 1, Over}, {"2027-05-01T23:00:00+02:00", 7*day + 1, Closed},
		{"2027-05-03T12:00:00Z", 42 * hour, Started}, {"2027-05-03T12:00:00Z", 42*hour + 1, Over},
		{"2027-05-08T18:00:00Z", 7 * day, Started}, {"2027-05-08T18:00:00Z", 7*day + 1, Closed},
		{"2027-05-01T17:00:00Z", 12 * hour, Started}, {"2027-05-01T17:00:00Z", 12*hour + 1, Over},
		{"2027-05-09T18:00:00Z", 12*hour + 1, Over}, {"someday", 12 * hour, Started},
	} {
		e := event.Event{DateTime: "2027-05-01T20:00:00+02:00", EndDateTime: &c.end, Timezone: "Europe/Berlin"}
		if c.end == "" {
			e.EndDateTime = nil
		}
		if got := PhaseOf(e, start.Add(c.after)); got != c.want {
			t.Errorf("the end %q, %v after the start: %d, want %d", c.end, c.after, got, c.want)
		}
		e.Cancelled = true
		if got := PhaseOf(e, start.Add(c.after)); got != Cancelled {
			t.Errorf("a cancelled event is %d", got)
		}
	}
}

// TestKind: another start or another end is a new date, in any spelling of the instants.
func TestKind(t *testing.T) {
	from := event.Event{DateTime: "2027-05-01T20:00:00+02:00", EndDateTime: new("2027-05-01T23:00:00+02:00")}
	for _, c := range []struct {
		dateTime string
		end      *string
		want     Kind
	}{
		{"2027-05-01T18:00:00Z", new("2027-05-01t21:00:00z"), Reannounced},
		{"2027-05-01T18:00:00Z", new("2027-05-01T22:00:00Z"), NewDate},
		{"2027-05-01T18:00:00Z", nil, NewDate},
		{"2027-05-01T19:00:00Z", from.EndDateTime, NewDate},
	} {
		to := event.Event{DateTime: c.dateTime, EndDateTime: c.end}
		if got := (Move{From: from, To: to}).Kind(); got != c.want {
			t.Errorf("%s to %v is %s, want %s", c.dateTime, c.end, got, c.want)
		}
	}
}
