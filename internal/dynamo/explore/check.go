package explore

import (
	"math/bits"
	"slices"
	"strconv"
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

// An order is a possible order of the operations so far that leads to what the table holds:
// which of them have happened, with what outcome, and the model after them.
type order struct {
	happened [maxOperations]code
	model    model
}

const (
	// over marks operations that have been answered.
	over code = 0xff - iota

	// unseen marks operations that may have any answer, see losesSight.
	unseen
)

// extended returns all orders that continue those of w with operations under way.
func (x *search) extended(w *world) []order {
	orders := slices.Clone(w.orders)
	for at := 0; at < len(orders); at++ {
		for i := range x.operations {
			p := &w.operations[i]
			if p.status == idle {
				continue
			}
			next := orders[at]
			if x.comesBack(&next.model, i, p, w.taken) && !slices.Contains(orders, next) {
				orders = append(orders, next)
			}
			if next = orders[at]; next.happened[i] != nothing {
				continue
			}
			next.model, next.happened[i] = next.model.step(x.operations[i], p.node.launch.clock)
			if !slices.Contains(orders, next) {
				orders = append(orders, next)
			}
		}
	}
	return orders
}

// comesBack reports whether an RSVP that TTL has removed may come back: an attempt that
// began before the expiry makes it again, and TTL removes it again. A late attempt of a
// withdrawal that found none may remove it, too.
func (x *search) comesBack(m *model, i int, p *progress, taken bool) bool {
	o := x.operations[i]
	switch g := &m.guests[o.guest]; {
	case o.kind == createRSVP && p.node.launch.clock == beforeExpiry && *g == expired:
		*g = in + guestState(o.content)
		return true
	case o.kind == withdraw && taken && p.status == answered && (*g == in || *g == inToo):
		*g = gone
		return true
	}
	return false
}

// explain keeps the orders that lead to what the table holds.
func (x *search) explain(w *world) {
	now := visible(w.table)
	w.orders = slices.DeleteFunc(x.extended(w), func(o order) bool { return o.model.visible() != now })
	if len(w.orders) == 0 {
		x.violated(w, "no order leads to what is stored")
	}
}

// answer keeps the orders in which an operation has happened as it was answered.
func (x *search) answer(w *world, i int) {
	o, got := x.operations[i], w.operations[i].node.outcome
	now := visible(w.table)
	w.orders = slices.DeleteFunc(x.extended(w), func(each order) bool {
		return each.model.visible() != now || !each.happened[i].allows(o, got.code) &&
			!(w.operations[i].node.broken && each.hasVanished(i, o, got.code)) &&
			!(each.model.event == erased && w.operations[i].isOverrun(w.operations[:], got.code))
	})
	for k := range w.orders {
		w.orders[k].happened[i] = over
	}
	switch {
	case got.code == unavailable:
		x.violated(w, "%v gives up, although little went wrong", o)
	case len(w.orders) == 0:
		x.violated(w, "no order of what is stored has the answer to %v", o)
	case o.kind == cancelEvent && got.code == done && !w.stopped:
		w.stopped, w.stoppedAt = true, w.ever|stored(w.table)
	case o.kind == createRSVP && got.code == done && w.stopped && !w.stoppedAt.has(o.guest):
		x.violated(w, "%v succeeds after the cancel was answered", o)
	case o.kind == read && got.code >= isActive && got.code <= isCancelledToo:
		if least, most := x.bounds(w, i); got.count < count(least) || got.count > count(most) && !w.taken {
			x.violated(w, "%d guests are counted, at least %d and at most %d are there", got.count, count(least), count(most))
		}
	case o.kind == list && got.code == done:
		if least, most := x.bounds(w, i); least&^got.names != 0 || got.names&^(most|w.expired) != 0 { // see comesBack
			x.violated(w, "guests %b are listed, at least %b and at most %b are there", got.names, least, most)
		}
	}
}

// isOverrun reports whether an RSVP was refused by what it had read of the event before
// it was erased: afterwards it does not find that it was stored.
func (p *progress) isOverrun(operations []progress, got code) bool {
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

// hasVanished reports whether an operation has happened, and what it made has been erased
// or withdrawn since. If its response was lost it is answered like one that comes now.
func (o order) hasVanished(i int, each operation, got code) bool {
	exists := o.model.event == active || o.model.event == cancelled
	if o.happened[i] != done || exists && (each.kind != createRSVP || o.model.guests[each.guest] != gone) {
		return false
	}
	_, now := o.model.step(each, beforeExpiry)
	return now == got
}

func count(m mask) int { return bits.OnesCount8(uint8(m)) }

// bounds are the guests that a read must find, and those that it may find (promise P12).
func (x *search) bounds(w *world, i int) (least, most mask) {
	reader := w.operations[i]
	for g := range guests {
		acknowledged, sent := x.initial.guests[g] == in, x.initial.guests[g] == in
		leaves, left := false, x.initial.guests[g] == gone
		for j, o := range x.operations {
			p := &w.operations[j]
			if p.status == idle || o.guest != g && o.kind != erase {
				continue
			}
			before := reader.after.has(j)
			switch o.kind {
			case createRSVP:
				acknowledged = acknowledged || before && p.node.outcome.code == done
				sent = true
			case withdraw:
				leaves = true
				left = left || before && x.wasIn(w, j, g)
			case erase:
				leaves = true
			}
		}
		if acknowledged && !leaves && !w.taken {
			least |= 1 << g
		}
		if sent && !left {
			most |= 1 << g
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
	orders := x.extended(w) // before
	for i, g := range guests {
		if sk == g.key {
			w.expired |= stored(w.table) & (1 << i)
		}
	}
	w.table = w.table.with(partition, sk, nil)
	w.taken = true
	w.history = append(slices.Clip(w.history), moment{taken: sk})
	now := visible(w.table)
	w.orders = nil
	for _, o := range orders {
		o.model = o.model.taken(sk)
		for i, each := range x.operations {
			if w.operations[i].status == running && each.losesSight(sk) {
				o.happened[i] = unseen
			}
		}
		if o.model.visible() == now && !slices.Contains(w.orders, o) {
			w.orders = append(w.orders, o)
		}
	}
	if len(w.orders) == 0 {
		x.violated(w, "no order leads to what TTL has left")
	}
}

// latest is when the last item of an event expires, its details aside.
var latest = longAfter.time().Add(16 * time.Minute)

// check looks at what is stored.
func (x *search) check(w *world) {
	counted, there := 0, stored(w.table)
	w.ever |= there
	for _, r := range w.table.rows {
		if strings.HasPrefix(r.sk, gateKey) {
			admitted := number(r.item["admitted"])
			if admitted < 0 {
				x.violated(w, "%s counts %d", r.sk, admitted)
			}
			counted += admitted
		}
		if end := expiresAt(r.item); end == 0 || r.sk != detailsKey && end > latest.Unix() {
			x.violated(w, "%s stays for good", r.sk)
		}
	}
	if visible(w.table).event != none && !w.taken && counted != count(there) {
		x.violated(w, "%d guests are counted, %d are stored", counted, count(there))
	}
	if w.stopped && there&^w.stoppedAt != 0 {
		x.violated(w, "a guest is stored after the cancel was answered")
	}
}

// finish looks at the end of an execution.
func (x *search) finish(w *world) {
	for i, o := range x.operations {
		p := &w.operations[i]
		if o.kind == erase && p.status == answered && p.node.outcome.code == done && stored(w.table) != 0 {
			x.violated(w, "names are left of an erased event")
		}
	}
	var id []byte
	for _, m := range w.history {
		id = append(append(id, m.taken...), byte(m.operation))
		if n := w.operations[m.operation].node; m.answered {
			id = append(id, byte(n.outcome.code), byte(n.launch.clock))
			id = strconv.AppendBool(id, n.broken)
		}
	}
	if x.judged[string(id)] {
		return
	}
	x.judged[string(id)] = true
	if !explained(x.initial, w.operations[:len(x.operations)], w.history) {
		x.violated(w, "no order has these answers")
	}
}

// visible is what a table shows of the event.
func visible(t table) (m model) {
	details := t.row(partition, detailsKey)
	if details == nil || details.item["title"] == nil {
		return model{}
	}
	m.event = active
	if stringOf(details.item["title"]) == "Party" {
		m.content = 1
	}
	if flag, _ := details.item["cancelled"].(*types.AttributeValueMemberBOOL); flag != nil && flag.Value {
		m.event = cancelled
		if stringOf(details.item["cancellationReason"]) == reasons[1] {
			m.reason = 1
		}
		m.keyed = details.item["cancelKeyHash"] != nil
	}
	for i, g := range guests {
		if r := t.row(partition, g.key); r != nil {
			switch stringOf(r.item["name"]) {
			case "":
			case g.names[0]:
				m.guests[i] = in
			default:
				m.guests[i] = inToo
			}
		}
	}
	return m
}

// stored are the guests whose names are stored.
func stored(t table) (there mask) {
	for i, g := range guests {
		if r := t.row(partition, g.key); r != nil && r.item["name"] != nil {
			there |= 1 << i
		}
	}
	return there
}

func expiresAt(i item) int64 { return int64(number(i["expiresAt"])) }
