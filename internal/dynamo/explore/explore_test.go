package explore

import (
	"fmt"
	"testing"
	"time"
)

// before is what has happened to an event when a search begins.
var before = map[string][]operation{
	"nothing":            nil,
	"event":              {{kind: createEvent}},
	"one guest":          {{kind: createEvent}, {kind: createRSVP}},
	"cancelled":          {{kind: createEvent}, {kind: createRSVP}, {kind: cancelEvent}},
	"one guest has left": {{kind: createEvent}, {kind: createRSVP}, {kind: createRSVP, guest: 1}, {kind: withdraw}},
}

var alphabet = []operation{
	{kind: createEvent}, {kind: createEvent, content: 1},
	{kind: createRSVP}, {kind: createRSVP, content: 1}, {kind: createRSVP, guest: 1},
	{kind: withdraw},
	{kind: cancelEvent}, {kind: cancelEvent, content: 1},
	{kind: erase}, {kind: read}, {kind: list},
}

// combinations yields all of n operations, in which the same one may be several times.
func combinations(n int, of []operation, yield func([]operation)) {
	var choose func(chosen []operation, from int)
	choose = func(chosen []operation, from int) {
		if len(chosen) == n {
			yield(chosen)
			return
		}
		for i := from; i < len(of); i++ {
			choose(append(chosen[:len(chosen):len(chosen)], of[i]), i)
		}
	}
	choose(nil, 0)
}

// searched are the operations that CI combines at most. The race detector makes a search
// ten times slower, and there is one goroutine.
var searched = map[bool]int{false: 3, true: 2}[raceDetector]

// TestAllOrders: whatever the order of calls, and with one fault anywhere, the promises
// hold.
func TestAllOrders(t *testing.T) {
	p := newProcesses(t, 2)
	for n := 1; n <= searched; n++ {
		all := tally{began: time.Now()}
		for name, first := range before {
			combinations(n, alphabet, func(operations []operation) {
				all.add(t, name, &search{processes: p, operations: operations}, first, 1)
			})
		}
		t.Logf("%d operations: %v", n, &all)
	}
}

// TestExpiry: the same while the event expires and TTL removes its items one by one, in
// any order.
func TestExpiry(t *testing.T) {
	p := newProcesses(t, 1)
	for n := 1; n < searched; n++ {
		all := tally{began: time.Now()}
		for name, first := range before {
			combinations(n, withoutCreate, func(operations []operation) {
				all.add(t, name, &search{processes: p, operations: operations, expires: true}, first, 2-n)
			})
		}
		t.Logf("%d operations: %v", n, &all)
	}
}

// withoutCreate: an event that is made again at the link of one of which TTL has removed
// only the details finds what is left of it; internal/docs/design.md says so.
var withoutCreate = alphabet[2:]

// A tally says what searches did.
type tally struct {
	searches, executions, states, failed int
	began                                time.Time
}

func (all *tally) add(t *testing.T, name string, x *search, first []operation, faults int) {
	w := x.begin(first)
	w.faults = faults
	if violation := x.run(w); violation != "" {
		if all.failed++; all.failed <= 3 {
			t.Errorf("%s: %v", name, violation)
		}
	}
	all.searches++
	all.executions += x.executions
	all.states += len(x.seen)
}

func (all *tally) String() string {
	return fmt.Sprintf("%d combinations, %d executions, %d states, %d failed, %v",
		all.searches, all.executions, all.states, all.failed, time.Since(all.began).Round(time.Millisecond))
}
