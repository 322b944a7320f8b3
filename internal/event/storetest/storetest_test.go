package storetest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"turnout/internal/event"
)

const faultVariable = "STORETEST_FAULT"

// TestMemory: a store without faults passes the suite. TestSuiteFindsFaults runs it
// with a fault.
func TestMemory(t *testing.T) {
	f := fault(os.Getenv(faultVariable))
	Run(t, func(*testing.T) Store { return &Memory{fault: f} })
}

func BenchmarkMemory(b *testing.B) {
	Benchmark(b, func(*testing.B) event.Store { return new(Memory) }, 10, 1_000, 100_000)
}

// TestSuiteFindsFaults: a store with one fault fails the clause that tests for it.
func TestSuiteFindsFaults(t *testing.T) {
	for f, clause := range map[fault]string{
		notReady:             "ready",
		dropsEmptyText:       "round trip of events",
		cutsNanoseconds:      "round trip of events",
		trimsNames:           "round trip of names",
		mixesEvents:          "events with neighbouring tokens",
		overwritesEvents:     "repeated AddEvent",
		refusesRepeatedEvent: "repeated AddEvent",
		comparesExpiry:       "repeated AddEvent",
		ignoresContent:       "repeated AddEvent",
		ignoresOrganizer:     "repeated AddEvent",
		countsTwice:          "repeated AddRSVP",
		ignoresName:          "repeated AddRSVP",
		remembersRemoved:     "repeated AddRSVP",
		refusesRepeatedRSVP:  "repeated AddRSVP after the end",
		sortsByHash:          "order of the list",
		sortsByText:          "order of the list",
		mergesMoments:        "order of the same moment",
		pagesByTime:          "order of the same moment",
		overfillsPages:       "size of a page",
		returnsEmptyPages:    "size of a page",
		hasAlwaysMore:        "size of a page",
		pagesByNumber:        "pages while guests come and go",
		endsAtMegabyte:       "list of more than a megabyte",
		makesEvents:          "unknown event",
		acceptsZeroHash:      "wrong organizer",
		cancelledFirst:       "wrong organizer",
		expiredFirst:         "admission until cancel or expiry",
		expiresLate:          "expiry to the nanosecond",
		expiresEarly:         "expiry to the nanosecond",
		cutsExpiry:           "expiry to the nanosecond",
		changesReason:        "cancel is final",
		refusesLateCancel:    "cancel of an expired event",
		removesBlindly:       "RemoveRSVP",
		keepsAfterEnd:        "RemoveRSVP after the end",
		ignoresContext:       "context is done",
		countsThenGivesUp:    "context is done",
		recreatesCounters:    "without counters",
		recountsFromZero:     "counters that are made again",
		recreatesDetails:     "without details",
		keepsOrphans:         "without details",
		recreatesRSVPs:       "without RSVPs",
		racesToCreate:        "concurrent AddEvent of one event",
		racesToAdmit:         "concurrent AddRSVP and CancelEvent",
		racesToAdd:           "concurrent AddRSVP of one RSVP",
		racesToName:          "concurrent AddRSVP of one token",
		racesToRemove:        "concurrent RemoveRSVP of one RSVP",
		racesToCancel:        "concurrent CancelEvent",
		racesToCount:         "concurrent AddRSVP and RemoveRSVP",
		countsBelowZero:      "any sequence of calls",
		reopensAtExpiry:      "any sequence of calls",
	} {
		t.Run(string(f), func(t *testing.T) {
			pattern := "^TestMemory$/^" + strings.ReplaceAll(clause, " ", "_") + "$"
			// A race may not happen in one run; in ten it does.
			faulty := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.count=10", "-test.failfast", "-rapid.nofailfile")
			faulty.Env = append(os.Environ(), faultVariable+"="+string(f))
			output, err := faulty.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: TestMemory/") {
				t.Errorf("%q passes, with the output\n%s", clause, output)
			}
		})
	}
}
