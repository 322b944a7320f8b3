package robustness

import (
	"testing"
	"time"
)

// TestCancelUnderContention: a cancel during a burst of RSVPs succeeds within two
// seconds, and no RSVP succeeds afterwards, however much the clocks of the instances
// differ.
func TestCancelUnderContention(t *testing.T) {
	for name, skews := range map[string][]time.Duration{
		"one clock":      nil,
		"seconds apart":  {-3 * time.Second, 3 * time.Second},
		"minutes apart":  {-10 * time.Minute, 10 * time.Minute},
		"all are behind": {-time.Hour, -time.Hour, -time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const organizers = 3
			longest := CancelUnderContention(t, organizers, skews...)
			t.Logf("the longest of %d organizers waited %v", organizers, longest)
			if longest > 2*time.Second { // of simulated time
				t.Errorf("an organizer waited %v", longest)
			}
		})
	}
}
