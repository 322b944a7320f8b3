package robustness

import (
	"testing"
	"time"

	"turnout/internal/dynamo"
)

// TestBurst: 200 RSVPs to one event at the same moment all succeed.
func TestBurst(t *testing.T) {
	t.Parallel()
	burst := NewBurst(t, dynamo.DefaultGates, 200)
	t.Log(burst)
	if burst.Admitted != burst.Guests {
		t.Errorf("%d of %d guests were admitted", burst.Admitted, burst.Guests)
	}
	if burst.Transactions <= burst.Guests {
		t.Error("no RSVP met a conflict")
	}
}

// TestCancelUnderContention: a cancel during a burst of RSVPs succeeds within two
// seconds, and no RSVP succeeds afterwards.
func TestCancelUnderContention(t *testing.T) {
	t.Parallel()
	longest := CancelUnderContention(t, 20)
	t.Logf("the longest of 20 organizers waited %v", longest)
	if longest > 2*time.Second { // of simulated time
		t.Errorf("an organizer waited %v", longest)
	}
}
