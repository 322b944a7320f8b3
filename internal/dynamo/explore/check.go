package explore

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	detailsKey = "DETAILS"
	gateKey    = "GATE#"
	rsvpKey    = "RSVP#"
)

var partition = "EVENT#" + eventToken.String()

// An order is a possible order of the operations so far that explains the table. It has the operations that
// have happened, their outcomes, and the model after them.
type order struct {
	happened [maxOperations]code
	model    model
}

// with adds an order, unless orders has it already.
func with(orders []order, next order) []order {
	if slices.Contains(orders, next) {
		return orders
	}
	return append(orders, next)
}

// keep replaces the orders of w by those of the given orders that are possible.
func (w *world) keep(orders []order, possible func(*order) bool) {
	w.orders = nil
	for _, o := range orders {
		if possible(&o) {
			w.orders = with(w.orders, o)
		}
	}
}

const (
	// over marks operations that have been answered.
	over code = 0xff - iota

	// unseen marks operations that may have any answer, see losesSight.
	unseen
)

// extended returns the orders of w and all their continuations by operations under way.
func (x *search) extended(w *world) []order {
	orders := slices.Clone(w.orders)
	for at := 0; at < len(orders); at++ {
		for i := range x.operations {
			p := &w.operations[i]
			if p.status == idle {
				continue
			}
			next := orders[at]
			if next.happened[i] == nothing {
				next.model, next.happened[i] = x.processes.step(next.model, x.operations[i], p.node.launch.clock)
				orders = with(orders, next)
			}
			if next = orders[at]; x.comesBack(&next.model, i, p, w.taken) {
				orders = with(orders, next)
			}
		}
	}
	return orders
}

// comesBack reports whether an RSVP that TTL has removed may come back. An attempt that
// began before the expiry creates the RSVP again, and TTL removes it again. So may a late attempt of a
// withdrawal that found no RSVP.
func (x *search) comesBack(m *model, i int, p *progress, taken bool) bool {
	o := x.operations[i]
	switch g := &m.guests[o.guest]; {
	case o.kind == createRSVP && p.node.launch.clock == beforeExpiry && *g == expired:
		*g = in + guestState(o.content)
		return true
	case o.kind == cancelRSVP && taken && p.status == answered && (*g == in || *g == inToo):
		*g = gone
		return true
	}
	return false
}

// explain keeps the orders that explain the table.
func (x *search) explain(w *world) {
	now := visible(w.table)
	w.keep(x.extended(w), func(o *order) bool { return o.model.visible() == now })
	if len(w.orders) == 0 {
		x.violated(w, "no order leads to what is stored")
	}
}

// answer is called when the client of an operation has its response. It keeps the orders in which the operation has had
// this outcome.
func (x *search) answer(w *world, i int) {
	o, got := x.operations[i], w.operations[i].node.outcome
	now := visible(w.table)
	w.keep(x.extended(w), func(each *order) bool {
		had := each.happened[i]
		each.happened[i] = over
		return each.model.visible() == now && x.explains(w, each, i, had)
	})
	there := stored(w.table)
	switch {
	case got.code == unavailable:
		x.violated(w, "%v gives up, although little went wrong", o)
	case len(w.orders) == 0:
		x.violated(w, "no order of what is stored has the answer to %v", o)
	case o.kind == cancelEvent && got.code == done && !w.stopped:
		w.stopped, w.stoppedAt = true, w.ever|stored(w.table)
	case o.kind == createRSVP && got.code == done && w.stopped && !w.stoppedAt.has(place(o.guest, o.content)):
		x.violated(w, "%v succeeds after the cancel was answered", o)
	case o.kind == cancelRSVP && got.code == done && (there.has(place(o.guest, 0)) || there.has(place(o.guest, 1))):
		x.violated(w, "%v leaves the RSVP that it has found last", o)
	case o.kind == getEvent && got.code >= isActive && got.code <= isCancelledToo && !w.taken:
		x.checkCount(w, i, got.count)
	case o.kind == listAttendees && got.code == done:
		x.checkList(w, i, got.names)
	}
}

// explains reports whether the client of operation i may get its response, in an order in which the operation had the
// outcome `had`.
func (x *search) explains(w *world, now *order, i int, had code) bool {
	o, p := x.operations[i], &w.operations[i]
	got := p.node.outcome.code
	switch {
	case had == got, had == unseen, had.isLeftOver(o, got):
		return true
	case had == done && p.node.broken && x.hasVanished(now, o, got):
		return true
	}
	return now.model.event == erased && p.overruns(w.operations[:], got)
}

// checkCount compares the count that a read has returned with the guests that the table has.
func (x *search) checkCount(w *world, i, got int) {
	names, mayBe := x.bounds(w, i)
	least, most := count(names), count(mayBe)
	if got < least || got > most {
		x.violated(w, "%d guests are counted, at least %d and at most %d are there", got, least, most)
	}
}

// checkList compares the names of a list with the names that the table has. While TTL removes items, a list
// may lack any of their names, and may have names that are removed.
func (x *search) checkList(w *world, i int, got mask) {
	least, most := x.bounds(w, i)
	missing, surplus := least&^got, got&^most
	if w.taken {
		missing, surplus = 0, surplus&^w.expired
	}
	if missing|surplus != 0 {
		x.violated(w, "names %b are listed, at least %b and at most %b are there", got, least, most)
	}
}

// overruns reports whether an RSVP was refused while its event was erased. Such an RSVP has read the event
// before, and afterwards finds its gate closed, or its own item removed.
func (p *progress) overruns(operations []progress, got code) bool {
	if p.node.launch.operation.kind != createRSVP || got != eventCancelled && got != eventExpired && got != tokenTaken {
		return false
	}
	for i, other := range operations {
		if other.node != nil && other.node.launch.operation.kind == erase && !p.after.has(i) {
			return true
		}
	}
	return false
}

// hasVanished reports whether an operation has happened, and its result has been erased or
// withdrawn since. If the response was lost, the retry is treated as a new operation.
func (x *search) hasVanished(o *order, each operation, got code) bool {
	exists := o.model.event == active || o.model.event == cancelled
	if exists && (each.kind != createRSVP || o.model.guests[each.guest] != gone) {
		return false
	}
	_, now := x.processes.step(o.model, each, beforeExpiry)
	return now == got
}

// count returns the number of guests with a name in a mask.
func count(m mask) int { return bits.OnesCount8(uint8(m|m>>1) & 0b01010101) }

// bounds returns the names that a read must find, and the names that it may find (P12).
func (x *search) bounds(w *world, i int) (least, most mask) {
	reader := w.operations[i]
	for at := range place(len(guests), 0) {
		g := at / 2
		sent := x.initial.guests[g] == in+guestState(at%2)
		acknowledged := sent
		leaves, left := false, x.initial.guests[g] == gone
		for j, o := range x.operations {
			p := &w.operations[j]
			if p.status == idle || o.guest != g && o.kind != erase {
				continue
			}
			before := reader.after.has(j)
			switch o.kind {
			case createRSVP:
				if o.content == at%2 {
					acknowledged = acknowledged || before && p.node.outcome.code == done
					sent = true
				}
			case cancelRSVP:
				leaves = true
				left = left || before && x.wasIn(w, j, g)
			case erase:
				leaves = true
			}
		}
		if acknowledged && !leaves {
			least |= 1 << at
		}
		if sent && !left {
			most |= 1 << at
		}
	}
	return least, most
}

// wasIn reports whether a guest was in before a withdrawal began.
func (x *search) wasIn(w *world, withdrawal, g int) bool {
	if x.initial.guests[g] == in {
		return true
	}
	for j, o := range x.operations {
		before := w.operations[withdrawal].after.has(j)
		if before && o.kind == createRSVP && o.guest == g && w.operations[j].node.outcome.code == done {
			return true
		}
	}
	return false
}

// take removes an item as TTL does.
func (x *search) take(w *world, sk string) {
	orders := x.extended(w) // all orders before TTL removes the item
	for i, g := range guests {
		if sk == g.key {
			w.expired |= stored(w.table) & (0b11 << place(i, 0))
		}
	}
	if strings.HasPrefix(sk, gateKey) {
		w.uncounted |= stored(w.table)
	}
	w.table = w.table.with(partition, sk, nil)
	w.taken = true
	for i, each := range x.operations {
		if w.operations[i].status == running && each.losesSight(sk) {
			for _, o := range orders {
				o.happened[i] = unseen
				orders = with(orders, o)
			}
		}
	}
	now := visible(w.table)
	w.keep(orders, func(o *order) bool {
		o.model = o.model.taken(sk)
		return o.model.visible() == now
	})
	if len(w.orders) == 0 {
		x.violated(w, "no order leads to what TTL has left")
	}
}

// latest returns the expiry of the item that expires last, without the details.
var latest = longAfter.time().Add(16 * time.Minute)

// check compares the table with promises, and with the table before the last write.
func (x *search) check(w *world, before table) {
	were, there, exists := stored(before), stored(w.table), visible(w.table).event != none
	w.ever |= there
	removedUncounted := were&^there&w.uncounted != 0
	w.uncounted &= were & there
	for _, r := range w.table.rows {
		if admitted := number(r.item["admitted"]); admitted < 0 {
			x.violated(w, "%s counts %d", r.sk, admitted)
		}
		if r.expires == 0 || r.sk != detailsKey && r.expires > latest.Unix() {
			x.violated(w, "%s stays for good", r.sk)
		}
		if exists && r.expires < w.table.row(partition, detailsKey).expires {
			x.violated(w, "%s goes before the details", r.sk)
		}
	}
	if was, is := drift(before), drift(w.table); exists && is != was && !(removedUncounted && is == was+1) {
		x.violated(w, "what is counted beyond what is stored changes from %d to %d", was, is)
	}
	if w.stopped && there&^w.stoppedAt != 0 {
		x.violated(w, "a guest is stored after the cancel was answered")
	}
}

// drift returns how many more guests are counted than stored. Only TTL can make the two numbers differ.
func drift(t table) int {
	counted := 0
	for _, r := range t.rows {
		counted += number(r.item["admitted"])
	}
	return counted - count(stored(t))
}

// finish checks, at the end of an execution, that no names are left of an erased event.
func (x *search) finish(w *world) {
	for i, o := range x.operations {
		p := &w.operations[i]
		if o.kind == erase && p.status == answered && p.node.outcome.code == done && stored(w.table) != 0 {
			x.violated(w, "names are left of an erased event")
		}
	}
}

// visible returns the event as a table shows it.
func visible(t table) (m model) {
	details := t.row(partition, detailsKey)
	if details.item["title"] == nil {
		return model{}
	}
	m.event = active
	if stringOf(details.item["endDateTime"]) == end {
		m.content = 1
	}
	if flag, _ := details.item["cancelled"].(*types.AttributeValueMemberBOOL); flag != nil && flag.Value {
		m.event = cancelled
		m.cancellation = cancellationOf(stringOf(details.item["cancellationReason"]), stringOf(details.item["movedTo"]))
		m.keyed = details.item["cancelKeyHash"] != nil
	}
	for i, g := range guests {
		switch stringOf(t.row(partition, g.key).item["name"]) {
		case "":
		case g.names[0]:
			m.guests[i] = in
		default:
			m.guests[i] = inToo
		}
	}
	return m
}

// stored returns the names in the table.
func stored(t table) (there mask) {
	for i, g := range guests {
		if name := t.row(partition, g.key).item["name"]; name != nil {
			there |= 1 << place(i, max(0, slices.Index(g.names[:], stringOf(name))))
		}
	}
	return there
}
