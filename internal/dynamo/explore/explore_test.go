package explore

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event/storetest"
)

// A beginning is the history of an event before a search.
type beginning struct {
	name       string
	operations []operation
}

// beginnings are sorted by the time that they take, the longest first.
var beginnings = []beginning{
	{"two guests", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: createRSVP, guest: 1}}},
	{"one guest has left", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: createRSVP, guest: 1}, {kind: cancelRSVP}}},
	{"one guest", []operation{{kind: createEvent}, {kind: createRSVP}}},
	{"event", []operation{{kind: createEvent}}},
	{"cancelled", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: cancelEvent}}},
	{"nothing", nil},
}

// TestEveryMethodIsExplored: the alphabet has each method of the store except Health, which has no order.
func TestEveryMethodIsExplored(t *testing.T) {
	var explored []string
	for _, o := range alphabet {
		explored = append(explored, strings.ReplaceAll(o.kind.String(), " ", ""))
	}
	for _, method := range storetest.Methods() {
		isMethod := func(name string) bool { return strings.EqualFold(name, method) }
		if method != "Health" && !slices.ContainsFunc(explored, isMethod) {
			t.Errorf("no search calls %s", method)
		}
	}
}

// combinations returns all combinations of n operations. An operation may occur several times.
func combinations(n int, of []operation) (all [][]operation) {
	if n == 0 {
		return [][]operation{nil}
	}
	for i, first := range of {
		for _, rest := range combinations(n-1, of[i:]) {
			all = append(all, append([]operation{first}, rest...))
		}
	}
	return all
}

// searched is the largest number of operations that CI combines. It is smaller with the race detector, which
// makes a search ten times slower and finds little: the beginnings share no memory.
var searched = func() int {
	build, _ := debug.ReadBuildInfo()
	if slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return 2
	}
	return 3
}()

// TestAllOrders: the promises hold in every order of calls, with one fault anywhere.
func TestAllOrders(t *testing.T) {
	t.Parallel()
	for _, first := range beginnings {
		t.Run(first.name, func(t *testing.T) {
			t.Parallel()
			for gates, most := range []int{1: searched - 1, 2: searched} {
				p := newProcesses(t, gates)
				for n := 1; n <= most; n++ {
					all := tally{began: time.Now()}
					for _, operations := range combinations(n, alphabet) {
						all.add(t, p, search{operations: operations}, first, 1)
					}
					t.Logf("%d operations, %d gates: %v", n, gates, &all)
				}
			}
		})
	}
}

func init() { debug.SetGCPercent(400) } // the heap is mostly garbage, so collect it less often

// TestExpiry: the promises hold in every order of calls while the event expires, and TTL removes its items one
// by one, in any order.
func TestExpiry(t *testing.T) {
	t.Parallel()
	for _, first := range expiring {
		t.Run(first.name, func(t *testing.T) {
			t.Parallel()
			p := newProcesses(t, 1)
			for n := 1; n < searched; n++ {
				all := tally{began: time.Now()}
				for _, operations := range combinations(n, withoutCreate) {
					all.add(t, p, search{operations: operations, expires: true}, first, 2-n)
				}
				t.Logf("%d operations: %v", n, &all)
			}
		})
	}
}

// withoutCreate has all operations except creating an event. After TTL has removed only the details, creating the event
// again would find the remaining items. internal/docs/design.md says why this cannot happen.
var withoutCreate = alphabet[2:]

// expiring are the beginnings of a search around the expiry: an event exists, and it has at most one guest,
// because the RSVP of a second guest is only one more item for TTL.
var expiring = slices.DeleteFunc(slices.Clone(beginnings), func(b beginning) bool {
	return b.name == "nothing" || b.name == "two guests"
})

var long = flag.Duration("explore", 0, "how long TestExplore may search")

// TestExplore searches for longer than CI: with two faults, and four operations. Its
// parts are tests, so that -run can choose one.
func TestExplore(t *testing.T) {
	if *long == 0 {
		t.Skip("make explore runs it")
	}
	end := time.Now().Add(*long)
	create, reuse := operation{kind: createEvent}, operation{kind: createEvent, content: 1}
	cancel, keyed := operation{kind: cancelEvent}, operation{kind: cancelEvent, keyed: true}
	ada, leave := operation{kind: createRSVP}, operation{kind: cancelRSVP}
	for _, part := range []struct {
		name          string
		operations    [][]operation
		gates, faults int
		expires       bool
	}{
		{"RSVP, repeat, withdraw, cancel", [][]operation{{ada, ada, leave, cancel}}, 2, 2, false},
		{"withdraw, withdraw, cancel", [][]operation{{leave, leave, cancel}}, 1, 2, false},
		{"create, create, reuse", [][]operation{{create, create, reuse}}, 2, 2, false},
		{"cancel, cancel, cancel with a key twice", [][]operation{{cancel, cancel, keyed, keyed}}, 2, 2, false},
		{"two around the expiry, one fault", combinations(2, withoutCreate), 1, 1, true},
		{"two around the expiry, two gates", combinations(2, withoutCreate), 2, 0, true},
		{"two, two faults", combinations(2, alphabet), 2, 2, false},
		{"three, one fault, one gate", combinations(3, alphabet), 1, 1, false},
		{"four", combinations(4, alphabet), 2, 0, false},
		{"three around the expiry", combinations(3, withoutCreate), 1, 0, true},
		{"three, two faults", combinations(3, alphabet), 2, 2, false},
		{"four, one fault", combinations(4, alphabet), 2, 1, false},
	} {
		t.Run(part.name, func(t *testing.T) {
			p, all := newProcesses(t, part.gates), tally{began: time.Now()}
			next := time.Now().Add(reportEvery)
			what := search{expires: part.expires, stop: func(executions int) bool {
				now := time.Now()
				if now.After(next) {
					next = now.Add(reportEvery)
					fmt.Printf("%s: %v; %d executions of the next\n", part.name, &all, executions)
				}
				return now.After(end) || executions >= 1_000_000
			}}
			from := beginnings
			if part.expires {
				from = expiring
			}
			// Each run has another order, because no run reaches the end of the largest parts.
			for _, i := range rand.Perm(len(part.operations)) {
				what.operations = part.operations[i]
				for _, first := range from {
					all.add(t, p, what, first, part.faults)
				}
			}
			fmt.Printf("%s: %v\n", part.name, &all)
		})
	}
}

const reportEvery = 10 * time.Second

// A tally sums up searches.
type tally struct {
	complete, unfinished, executions, states, failed int
	began                                            time.Time
}

// add searches, unless enough has failed.
func (all *tally) add(t *testing.T, p *processes, x search, first beginning, faults int) {
	if all.failed == 3 {
		return
	}
	x.processes = p
	w := x.begin(first.operations)
	w.faults = faults
	if violation := x.run(w); violation != "" {
		all.failed++
		t.Errorf("at first %s: %v", first.name, violation)
	}
	if x.stopped {
		all.unfinished++
	} else {
		all.complete++
	}
	all.executions += x.executions
	all.states += len(x.seen)
}

func (all *tally) String() string {
	took := time.Since(all.began).Round(time.Millisecond)
	return fmt.Sprintf("%d combinations, %d unfinished, %d executions, %d states, %d failed, %v",
		all.complete, all.unfinished, all.executions, all.states, all.failed, took)
}
