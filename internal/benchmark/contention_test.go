package benchmark

import (
	"fmt"
	"slices"
	"testing"

	"turnout/internal/dynamo"
	"turnout/internal/robustness"
)

// contention measures simulated time, which does not depend on the machine.
func contention(t *testing.T, r *report) {
	const guests, turns = 200, 3
	medianOf := func(gates int) robustness.Burst {
		var bursts []robustness.Burst
		for range turns {
			bursts = append(bursts, robustness.NewBurst(t, gates, guests))
		}
		slices.SortFunc(bursts, func(a, b robustness.Burst) int { return int(a.All - b.All) })
		return bursts[turns/2]
	}
	one, sixteen := medianOf(1), medianOf(dynamo.DefaultGates)
	name := fmt.Sprintf("%d guests at once", guests)
	r.must(name+": admitted", fmt.Sprint(sixteen.Admitted), fmt.Sprint(guests), sixteen.Admitted == guests)
	r.ratio(name, sixteen.PerSecond(), one.PerSecond(), "RSVPs/s", "one gate", atLeast(5))
	longest := robustness.CancelUnderContention(t, 10)
	r.figure("cancel under contention: the longest of 10 organizers", float64(longest.Milliseconds()), "ms", atMost(2000))
}
