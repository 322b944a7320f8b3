package explore

import (
	"flag"
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// before is what has happened to an event when a search begins.
var before = []struct {
	name       string
	operations []operation
}{
	{"cancelled", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: cancelEvent}}},
	{"event", []operation{{kind: createEvent}}},
	{"nothing", nil},
	{"one guest", []operation{{kind: createEvent}, {kind: createRSVP}}},
	{"one guest has left", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: createRSVP, guest: 1}, {kind: withdraw}}},
	{"two guests", []operation{{kind: createEvent}, {kind: createRSVP}, {kind: createRSVP, guest: 1}}},
}

var alphabet = []operation{
	{kind: createEvent}, {kind: createEvent, content: 1},
	{kind: createRSVP}, {kind: createRSVP, content: 1}, {kind: createRSVP, guest: 1},
	{kind: withdraw},
	{kind: cancelEvent}, {kind: cancelEvent, keyed: true}, {kind: cancelEvent, content: 1, keyed: true},
	{kind: erase}, {kind: read}, {kind: list},
}

// combinations returns all of n operations, in which the same one may be several times.
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

// searched are the operations that CI combines at most. The race detector makes a search
// ten times slower, and there is one goroutine.
var searched = map[bool]int{false: 3, true: 2}[raceDetector]

// TestAllOrders: whatever the order of calls, and with one fault anywhere, the promises
// hold.
func TestAllOrders(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // little is alive, and much is garbage
	for gates, most := range map[int]int{1: searched - 1, 2: searched} {
		p := newProcesses(t, gates)
		for n := 1; n <= most; n++ {
			all := tally{began: time.Now()}
			for _, operations := range combinations(n, alphabet) {
				all.add(t, p, search{operations: operations}, 1)
			}
			t.Logf("%d operations, %d gates: %v", n, gates, &all)
		}
	}
}

// TestExpiry: the same while the event expires and TTL removes its items one by one, in
// any order.
func TestExpiry(t *testing.T) {
	p := newProcesses(t, 1)
	for n := 1; n < searched; n++ {
		all := tally{began: time.Now()}
		for _, operations := range combinations(n, withoutCreate) {
			all.add(t, p, search{operations: operations, expires: true}, 2-n)
		}
		t.Logf("%d operations: %v", n, &all)
	}
}

// withoutCreate: an event that is made again at the link of one of which TTL has removed
// only the details finds what is left of it; internal/docs/design.md says so.
var withoutCreate = alphabet[2:]

// TestReplaysAreIdentical: an operation that makes another call when it runs again is
// found out.
func TestReplaysAreIdentical(t *testing.T) {
	p := newProcesses(t, 2)
	first := p.root(launch{operation: operation{kind: createEvent}})
	last := p.after(first, reply{answer: answer{out: &dynamodb.PutItemOutput{}}})
	if err := p.replay(last); err != nil {
		t.Error(err)
	}
	asked := first.call
	first.call = newRequest(&dynamodb.PutItemInput{})
	if p.replay(last) == nil {
		t.Error("another call is accepted")
	}
	first.call, last.call = asked, asked
	if p.replay(&node{launch: first.launch, before: last}) == nil {
		t.Error("a missing call is accepted")
	}
}

// TestAnswersAloneAreJudged: what no order explains is refused, whatever was stored.
func TestAnswersAloneAreJudged(t *testing.T) {
	ended := func(o operation) progress {
		return progress{node: &node{launch: launch{operation: o}, outcome: outcome{code: done}}}
	}
	operations := []progress{ended(operation{kind: cancelEvent}), ended(operation{kind: createRSVP})}
	began, answered := func(i int) moment { return moment{operation: i} }, func(i int) moment { return moment{operation: i, answered: true} }
	for _, test := range []struct {
		history []moment
		want    bool
	}{
		{[]moment{began(0), answered(0), began(1), answered(1)}, false}, // an RSVP after the cancel
		{[]moment{began(1), answered(1), began(0), answered(0)}, true},
		{[]moment{began(0), began(1), answered(0), answered(1)}, true},
	} {
		if got := explained(model{event: active}, operations, test.history); got != test.want {
			t.Errorf("%v is explained: %t", test.history, got)
		}
	}
}

// expiring reports whether a search around the expiry has that beginning. Nothing cannot
// expire, and the second guest's RSVP is only one more item for TTL.
func expiring(beginning string) bool { return beginning != "nothing" && beginning != "two guests" }

var long = flag.Duration("explore", 0, "how long TestExplore may search")

// TestExplore searches for longer than CI: with two faults, and four operations.
func TestExplore(t *testing.T) {
	if *long == 0 {
		t.Skip("make explore runs it")
	}
	end := time.Now().Add(*long)
	ada, cancel, keyed := operation{kind: createRSVP}, operation{kind: cancelEvent}, operation{kind: cancelEvent, keyed: true}
	leave, create, reuse := operation{kind: withdraw}, operation{kind: createEvent}, operation{kind: createEvent, content: 1}
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
		p, done, left := newProcesses(t, part.gates), tally{began: time.Now()}, 0
		for _, operations := range part.operations {
			if time.Now().After(end) {
				left++
				continue
			}
			done.add(t, p, search{operations: operations, expires: part.expires, limit: 1_000_000}, part.faults)
		}
		fmt.Printf("%s: %v; no time left for %d\n", part.name, &done, left)
	}
}

// A tally says what searches did.
type tally struct {
	searches, executions, states, limited, failed int
	began                                         time.Time
}

// add searches from each beginning.
func (all *tally) add(t *testing.T, p *processes, what search, faults int) {
	for _, first := range before {
		if what.expires && !expiring(first.name) {
			continue
		}
		x := what
		x.processes = p
		w := x.begin(first.operations)
		w.faults = faults
		if violation := x.run(w); violation != "" {
			if all.failed++; all.failed <= 3 {
				t.Errorf("at first %s: %v", first.name, violation)
			}
		}
		all.searches++
		all.executions += x.executions
		all.states += len(x.seen)
		if x.limit > 0 && x.executions >= x.limit {
			all.limited++
		}
	}
}

func (all *tally) String() string {
	return fmt.Sprintf("%d combinations, %d executions, %d states, %d failed, %d not searched to the end, %v", all.searches, all.executions,
		all.states, all.failed, all.limited, time.Since(all.began).Round(time.Millisecond))
}
