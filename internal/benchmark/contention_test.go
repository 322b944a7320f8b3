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
	var oneGate robustness.Burst
	for _, gates := range []int{1, dynamo.DefaultGates / 2, dynamo.DefaultGates, 2 * dynamo.DefaultGates} {
		var bursts []robustness.Burst
		for range turns {
			bursts = append(bursts, robustness.NewBurst(t, gates, guests))
		}
		slices.SortFunc(bursts, func(a, b robustness.Burst) int { return int(a.All - b.All) })
		c, target := bursts[turns/2], recorded
		name := fmt.Sprintf("%d guests at once, %d gates", guests, gates)
		switch gates {
		case 1:
			oneGate = c
		case dynamo.DefaultGates:
			r.must(name+": admitted", fmt.Sprint(c.Admitted), fmt.Sprint(guests), c.Admitted == guests)
			target = atLeast(5)
		}
		name += fmt.Sprintf(", p50 %d ms, p99 %d ms, %.1f transactions each",
			c.Quantile(0.5).Milliseconds(), c.Quantile(0.99).Milliseconds(), float64(c.Transactions)/float64(guests))
		r.ratio(name, c.PerSecond(), oneGate.PerSecond(), "RSVPs/s", "one gate", target)
	}
	longest := robustness.CancelUnderContention(t, 10)
	r.figure("cancel under contention: the longest of 10 organizers", float64(longest.Milliseconds()), "ms", atMost(2000))
}
