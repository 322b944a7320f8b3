package robustness

import (
	"testing"
	"time"

	"turnout/internal/dynamo"
)

// TestCrowd: 200 guests who RSVP to one event at the same moment are all in.
func TestCrowd(t *testing.T) {
	t.Parallel()
	crowd := NewCrowd(t, dynamo.DefaultGates, 200)
	t.Log(crowd)
	if crowd.Admitted != crowd.Guests {
		t.Errorf("%d of %d guests were admitted", crowd.Admitted, crowd.Guests)
	}
	if crowd.Transactions <= crowd.Guests {
		t.Error("nobody met anybody at a gate")
	}
}

// TestCancelUnderContention: an organizer who cancels in the middle of a storm of
// RSVPs hears so within two seconds, and nobody is admitted afterwards.
func TestCancelUnderContention(t *testing.T) {
	t.Parallel()
	longest := CancelUnderContention(t, 20)
	t.Logf("the longest of 20 organizers waited %v", longest)
	if longest > 2*time.Second { // of the bubble: the machine has no say in it
		t.Errorf("an organizer waited %v", longest)
	}
}
