package site

import (
	"testing"
	"time"

	"turnout/internal/event"
)

// TestPhases: the moments at which the phase of an event changes.
func TestPhases(t *testing.T) {
	start := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	e := event.Event{DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
	const day = 24 * time.Hour
	for age, want := range map[time.Duration]Phase{
		-1: Coming, 0: Started, day / 2: Started, day/2 + 1: Over, 7 * day: Over, 7*day + 1: Closed,
	} {
		if got := PhaseOf(e, nil, start.Add(age)); got != want {
			t.Errorf("%v after its start: phase %d, want %d", age, got, want)
		}
	}
	e.Cancelled = true
	if got := PhaseOf(e, nil, start.Add(30*day)); got != Cancelled {
		t.Errorf("cancelled: phase %d", got)
	}
	if got := PhaseOf(event.Event{DateTime: "someday"}, nil, start); got != Coming {
		t.Errorf("someday: phase %d", got)
	}
}
