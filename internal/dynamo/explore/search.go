package explore

import (
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const maxOperations = 4

// A world is the state of an execution after a step: the table, the progress of each operation,
// and the calls on their way. Each step copies the world, and changes nothing behind its pointers.
type world struct {
	table      table
	owners     []int // the operations that own the executed transactions
	operations [maxOperations]progress
	late       []late
	faults     int // the number of faults still to come
	phase      phase
	taken      bool // whether TTL has removed an item
	expired    mask // the names that TTL has removed
	uncounted  mask // the names whose gate TTL has removed

	orders    []order
	ever      mask // the names that have been stored
	stopped   bool // whether a cancel has had its response
	stoppedAt mask // the names that had been stored at that time
}

// A progress says how far an operation is.
type progress struct {
	node   *node
	status status
	after  mask // the operations that had their responses before this one began
	query  *query
}

type status uint8

const (
	idle status = iota
	running
	answered
	dead // the request's time is over
)

// A query is a Query whose items are read one by one, at different times.
type query struct {
	last string // the sort key of the last item read
	rows []*row
}

// A late call arrives after its caller has given up.
type late struct {
	operation int
	node      *node
	call      *request
}

// A search tries all orders of some operations on an initial world.
type search struct {
	processes  *processes
	operations []operation
	copies     []int // for each operation, how many equal operations come before it
	expires    bool  // whether the event expires during the search

	missing    map[string]bool // the keys of items that cannot exist
	seen       map[uint64]bool
	path       []step // the steps of the current execution
	executions int
	violation  string
	initial    model
	stop       func(executions int) bool // called before each step, unless it is nil
	stopped    bool
}

// A step is one choice.
type step struct {
	what      what
	operation int
	clock     phase  // the phase in which an operation begins
	key       string // the sort key of the item that a Query reads or TTL removes
}

type what int

const (
	carriedOut  what = iota
	lost             // the call is carried out, and the response is lost
	notExecuted      // the connection breaks before the call
	isLate           // the connection breaks, and the call arrives later
	conflicts
	isNotAnswered // the call is carried out, and the request's time ends before the response
	isNotReached  // the call is not executed, and the request's time ends
	readsItem
	arrives // a late call arrives
	ttl
	passes // the next phase begins
)

func (s step) describe(x *search) string {
	text := [...]string{
		carriedOut:    "",
		lost:          ", and its response is lost",
		notExecuted:   ", which is not executed",
		isLate:        ", which will arrive later",
		conflicts:     ", which meets a conflict",
		isNotAnswered: ", and no response comes in time",
		isNotReached:  ", which does not arrive in time",
		readsItem:     ", of which it reads ",
		arrives:       "the late call arrives",
		ttl:           "TTL removes ",
		passes:        "time passes",
	}[s.what] + s.key
	if s.what >= arrives {
		return text
	}
	return fmt.Sprintf("%d %v%s", s.operation, x.operations[s.operation], text)
}

// run tries all orders, and returns the first violation, or nothing.
func (x *search) run(w world) string {
	x.seen = map[uint64]bool{}
	x.copies = make([]int, len(x.operations))
	for i, o := range x.operations {
		for _, earlier := range x.operations[:i] {
			if earlier == o {
				x.copies[i]++
			}
		}
	}
	x.missing = map[string]bool{gateKey + "1": x.processes.gates == 1}
	for i, g := range guests {
		x.missing[g.key] = x.initial.guests[i] == absent && !slices.ContainsFunc(x.operations, func(o operation) bool {
			return (o.kind == createRSVP || o.kind == cancelRSVP) && o.guest == i
		})
	}
	x.visit(w)
	return x.violation
}

// violated ends the search.
func (x *search) violated(w *world, format string, arguments ...any) {
	if x.violation != "" {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, format, arguments...)
	for _, s := range x.path {
		fmt.Fprintf(&text, "\n\t%s", s.describe(x))
	}
	for i := range x.operations {
		if p := w.operations[i]; p.status == answered {
			fmt.Fprintf(&text, "\n%d %v: %v", i, x.operations[i], p.node.outcome)
		}
	}
	for _, r := range w.table.rows {
		fmt.Fprintf(&text, "\n%s", describe(r.item))
	}
	x.violation = text.String()
}

func (x *search) visit(w world) {
	key := w.key(x)
	if x.seen[key] {
		x.executions++
		return
	}
	x.seen[key] = true
	leaf := true
	x.each(&w, func(s step) {
		leaf = false
		x.stopped = x.stopped || x.stop != nil && x.stop(x.executions)
		if x.violation != "" || x.stopped {
			return
		}
		x.path = append(x.path, s)
		next := w
		x.do(&next, s)
		if x.violation == "" {
			x.visit(next)
		}
		x.path = x.path[:len(x.path)-1]
	})
	if leaf {
		x.executions++
		x.finish(&w)
	}
}

// each yields the possible steps.
func (x *search) each(w *world, yield func(step)) {
	underWay, open := len(w.late) > 0, len(w.late) > 0
	for i := range x.operations {
		p := &w.operations[i]
		switch p.status {
		case idle:
			open = true
			if x.sameIsIdle(w, i) {
				continue // an equal operation begins first
			}
			for _, clock := range clocks[w.phase] {
				x.eachCall(w, i, clock, x.processes.root(launch{x.operations[i], x.copies[i], clock}), yield)
			}
		case running:
			underWay, open = true, true
			x.eachCall(w, i, p.node.launch.clock, p.node, yield)
		}
	}
	for i := range w.late {
		yield(step{what: arrives, operation: i})
	}
	if !x.expires || !open {
		return
	}
	for _, r := range w.table.rows {
		if r.expires <= w.phase.time().Unix() && !w.isOnItsWay(r.sk) {
			yield(step{what: ttl, key: r.sk})
		}
	}
	// Long after the expiry, all operations that began before are over.
	if w.phase < afterExpiry || w.phase < longAfter && !underWay {
		yield(step{what: passes})
	}
}

// isOnItsWay reports whether a late call writes an item. TTL does not overtake such a call.
func (w *world) isOnItsWay(sk string) bool {
	return slices.ContainsFunc(w.late, func(l late) bool {
		return slices.ContainsFunc(l.call.writes, func(each write) bool { _, key := each.key(); return key == sk })
	})
}

// sameIsIdle reports whether an equal operation with a smaller number has not begun.
func (x *search) sameIsIdle(w *world, i int) bool {
	for j, o := range x.operations[:i] {
		if o == x.operations[i] && w.operations[j].status == idle {
			return true
		}
	}
	return false
}

// eachCall yields the possible fates of the next call of an operation.
func (x *search) eachCall(w *world, i int, clock phase, n *node, yield func(step)) {
	s := step{operation: i, clock: clock}
	each := func(kinds ...what) {
		for _, s.what = range kinds {
			yield(s)
		}
	}
	switch n.call.input.(type) {
	case *dynamodb.GetItemInput:
		each(carriedOut)
		if w.faults > 0 {
			each(notExecuted, isNotReached)
		}
		return
	case *dynamodb.QueryInput:
		q := w.operations[i].query
		if q == nil && w.faults > 0 {
			each(notExecuted, isNotReached)
		}
		yield(step{readsItem, i, clock, x.nextKey(n.call, q)})
		return
	}
	each(carriedOut)
	if w.faults > 0 {
		each(lost, notExecuted, isLate, isNotAnswered, isNotReached)
		if _, batch := n.call.input.(*dynamodb.BatchWriteItemInput); !batch {
			each(conflicts)
		}
	}
}

// do returns the world after a step.
func (x *search) do(w *world, s step) {
	switch s.what {
	case passes:
		w.phase++
		return
	case ttl:
		x.take(w, s.key)
		return
	case arrives:
		l := w.late[s.operation]
		w.late = slices.Delete(slices.Clone(w.late), s.operation, s.operation+1)
		x.execute(w, l.operation, l.call)
		return
	}
	p := &w.operations[s.operation]
	if p.status == idle {
		p.status = running
		p.node = x.processes.root(launch{x.operations[s.operation], x.copies[s.operation], s.clock})
		for i := range x.operations {
			if w.operations[i].status == answered {
				p.after |= 1 << i
			}
		}
	}
	call := p.node.call
	if call.stale {
		x.violated(w, "%v makes a read that may miss the last writes", x.operations[s.operation])
	}
	if s.what == readsItem {
		x.readItem(w, s, call)
		return
	}
	if s.what != carriedOut {
		w.faults--
	}
	r := reply{answer: answer{err: io.ErrUnexpectedEOF, hash: 10}} // the reply over a broken connection
	switch s.what {
	case carriedOut:
		r.answer = x.execute(w, s.operation, call)
	case lost, isNotAnswered:
		x.execute(w, s.operation, call)
	case isLate:
		w.late = append(slices.Clip(w.late), late{s.operation, p.node, call})
	case conflicts:
		r.answer = conflict(call)
	}
	if s.what == isNotAnswered || s.what == isNotReached {
		r.took = tooLong
	}
	x.reply(w, s.operation, r)
}

// execute carries out a call on the table.
func (x *search) execute(w *world, i int, call *request) (a answer) {
	before := w.table
	w.table, a = w.table.do(call)
	if len(w.table.executed) > len(w.owners) {
		w.owners = append(slices.Clip(w.owners), i)
	}
	if !slices.Equal(before.rows, w.table.rows) {
		x.explain(w)
		x.check(w, before)
	}
	return a
}

// keys are the sort keys of an event's items, in order.
var keys = [...]string{detailsKey, gateKey + "0", gateKey + "1", guests[0].key, guests[1].key}

// nextKey returns the key of the item that a Query reads next, or "" after the last.
func (x *search) nextKey(call *request, q *query) string {
	for _, sk := range call.ranged {
		if (q == nil || sk > q.last) && !x.missing[sk] {
			return sk
		}
	}
	return ""
}

// readItem reads one item for a Query. After the last item it answers the Query.
func (x *search) readItem(w *world, s step, call *request) {
	p := &w.operations[s.operation]
	q := &query{last: s.key}
	if p.query != nil {
		q.rows = slices.Clip(p.query.rows)
	}
	if r := w.table.row(partition, s.key); r != noRow {
		q.rows = append(q.rows, r)
	}
	p.query = q
	if x.nextKey(call, q) == "" {
		p.query = nil
		x.reply(w, s.operation, reply{answer: table{rows: q.rows}.query(call.input.(*dynamodb.QueryInput))})
	}
}

// reply answers a call. The outcome of an operation that has run out of time says nothing about its effect.
func (x *search) reply(w *world, i int, r reply) {
	p := &w.operations[i]
	p.node = x.processes.after(p.node, r)
	switch {
	case p.node.call != nil:
	case r.took == tooLong && p.node.outcome.code == unavailable:
		p.status = dead
	default:
		p.status = answered
		x.answer(w, i)
	}
}

// conflict returns the answer to a write that overlaps with a transaction.
func conflict(call *request) answer {
	if _, ok := call.input.(*dynamodb.TransactWriteItemsInput); !ok {
		return answer{err: &types.TransactionConflictException{}, hash: 11}
	}
	reasons := make([]types.CancellationReason, len(call.writes))
	for i := range reasons {
		reasons[i].Code = aws.String("None")
	}
	reasons[0].Code = aws.String("TransactionConflict")
	return answer{err: &types.TransactionCanceledException{CancellationReasons: reasons}, hash: 12}
}

// key returns a hash of the parts of a world on which the rest of its execution depends.
func (w *world) key(x *search) (key uint64) {
	for _, r := range w.table.rows {
		key += mix(20, r.hash)
	}
	var repeats [maxOperations]bool // whether an operation may repeat its transaction
	for i := range x.operations {
		p := &w.operations[i]
		repeats[i] = p.status == running
		one := mix(uint64(p.status), uint64(p.after))
		switch p.status {
		case running:
			one = mix(one, p.node.id)
			if p.query != nil {
				one = mix(one, hashString(p.query.last))
				for _, r := range p.query.rows {
					one += mix(22, r.hash)
				}
			}
		case answered, dead:
			one = mix(one, mix(uint64(p.node.outcome.code), uint64(p.node.launch.clock)))
		}
		key += mix(uint64(23+i), one)
	}
	for _, l := range w.late {
		key += mix(uint64(30+l.operation), l.node.id)
		repeats[l.operation] = true
	}
	for i, e := range w.table.executed {
		if repeats[w.owners[i]] {
			key += mix(21, hashString(e.token))
		}
	}
	for _, o := range w.orders {
		key += maphash.Comparable(seed, o)
	}
	flags := uint64(0)
	if w.stopped {
		flags |= 1
	}
	if w.taken {
		flags |= 2
	}
	rest := flags |
		uint64(w.expired)<<8 |
		uint64(w.stoppedAt)<<16 |
		uint64(w.ever)<<24 |
		uint64(w.uncounted)<<32 |
		uint64(w.phase)<<40 |
		uint64(w.faults)<<48
	return mix(key, rest)
}

// begin returns the world after some operations without faults.
func (x *search) begin(first []operation) (w world) {
	if x.expires {
		w.phase = beforeExpiry
	}
	for i, o := range first {
		n := x.processes.root(launch{o, -1 - i, w.phase})
		for n.call != nil {
			var a answer
			w.table, a = w.table.do(n.call)
			n = x.processes.after(n, reply{answer: a})
		}
		x.initial, _ = x.processes.step(x.initial, o, beforeExpiry)
	}
	w.table.executed = nil
	w.orders = []order{{model: x.initial}}
	w.ever = stored(w.table)
	return w
}
