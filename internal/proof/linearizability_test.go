package proof_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"

	"turnout/internal/event"
	"turnout/internal/faulttest"
)

// An input is an operation on one event.
type input struct {
	op       string
	event    string // token
	guest    string // name; or "" for an RSVP that the event has never had
	reason   string
	intruder bool // with a wrong organizer token
}

// An output is what a client hears: answers with 503 say nothing.
type output struct {
	status    int
	count     int
	cancelled bool
	reason    string
	names     string // in alphabetical order
}

// A state is an event as the specification has it. The zero state is that of an
// event that does not exist.
type state struct {
	created   bool
	cancelled bool
	reason    string
	guests    map[string]bool // never changed, but replaced
}

func (s state) names() string { return strings.Join(slices.Sorted(maps.Keys(s.guests)), ",") }

func (s state) with(guest string) state {
	s.guests = maps.Clone(s.guests)
	if s.guests == nil {
		s.guests = map[string]bool{}
	}
	s.guests[guest] = true
	return s
}

func (s state) without(guest string) state {
	s.guests = maps.Clone(s.guests)
	delete(s.guests, guest)
	return s
}

// step carries an operation out, and says what the client must hear.
func step(s state, in input) (state, output) {
	switch {
	case in.op == "create event":
		s.created = true
		return s, output{status: http.StatusCreated}
	case in.op == "cancel RSVP":
		return s.without(in.guest), output{status: http.StatusNoContent}
	case !s.created:
		return s, output{status: http.StatusNotFound}
	case in.intruder:
		return s, output{status: http.StatusForbidden}
	}
	switch in.op {
	case "get event":
		return s, output{status: http.StatusOK, count: len(s.guests), cancelled: s.cancelled, reason: s.reason}
	case "list attendees":
		return s, output{status: http.StatusOK, names: s.names()}
	case "create RSVP":
		if s.cancelled {
			return s, output{status: http.StatusConflict}
		}
		return s.with(in.guest), output{status: http.StatusCreated}
	case "cancel event":
		if s.cancelled {
			return s, output{status: http.StatusConflict}
		}
		s.cancelled, s.reason = true, in.reason
		return s, output{status: http.StatusNoContent}
	}
	panic(in.op)
}

// specification is the model of the checker. Events do not touch each other, so
// each is checked by itself.
//
// Every answer counts in full, also a count: the stores under test read it as of
// one moment, which DynamoDB in the cloud does not promise (package dynamo).
var specification = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		events := map[string][]porcupine.Operation{}
		for _, o := range history {
			token := o.Input.(input).event
			events[token] = append(events[token], o)
		}
		return slices.Collect(maps.Values(events))
	},
	Init: func() any { return state{} },
	Step: func(s, in, out any) (bool, any) {
		after, want := step(s.(state), in.(input))
		got := out.(output)
		return got == want || got.status == http.StatusServiceUnavailable, after
	},
	Equal: func(a, b any) bool {
		x, y := a.(state), b.(state)
		return x.created == y.created && x.cancelled == y.cancelled && x.reason == y.reason && maps.Equal(x.guests, y.guests)
	},
	DescribeOperation: func(in, out any) string { return fmt.Sprintf("%+v -> %+v", in, out) },
}

// A recorder keeps the history of what clients do.
type recorder struct {
	api     api
	begin   time.Time
	mu      sync.Mutex
	history []porcupine.Operation
	parties []party
	guests  map[string][][2]string // by event: name and token
}

func (r *recorder) record(client int, in input, call func() answer) answer {
	start := time.Since(r.begin)
	a := call()
	end := time.Since(r.begin)
	out := output{status: a.status, count: a.AttendeeCount, cancelled: a.Cancelled}
	if a.CancellationReason != nil {
		out.reason = *a.CancellationReason
	}
	if a.Attendees != nil {
		out.names = strings.Join(slices.Sorted(slices.Values(a.names())), ",")
	}
	if a.status == http.StatusServiceUnavailable {
		end = math.MaxInt64 // it may happen whenever, and never is like after all the others
	}
	if in.op == "create event" {
		if a.status != http.StatusCreated {
			return a // nobody holds its token
		}
		in.event = a.EventToken
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{ClientId: client, Input: in, Call: int64(start), Output: out, Return: int64(end)})
	return a
}

// act makes one call that chance chooses, for the newest events most of all.
func (r *recorder) act(client, n int, chance *rand.Rand) {
	r.mu.Lock()
	p := r.parties[len(r.parties)-1-chance.IntN(min(2, len(r.parties)))]
	var guest [2]string
	if known := r.guests[p.token]; len(known) > 0 {
		guest = known[chance.IntN(len(known))]
	}
	r.mu.Unlock()
	in := input{event: p.token}
	if chance.IntN(20) == 0 {
		in.intruder, p.organizer = true, uuid.NewString()
	}
	if chance.IntN(50) == 0 {
		p.token = uuid.NewString()
		in.event = p.token
	}
	switch draw := chance.IntN(100); {
	case draw < 2:
		r.createEvent(client)
	case draw < 37:
		in.op, in.guest, in.intruder = "create RSVP", fmt.Sprintf("%d.%d", client, n), false
		a := r.record(client, in, func() answer { return r.api.createRSVP(p.token, in.guest) })
		if a.status == http.StatusCreated {
			r.mu.Lock()
			r.guests[p.token] = append(r.guests[p.token], [2]string{in.guest, a.RSVPToken})
			r.mu.Unlock()
		}
	case draw < 57:
		in.op, in.guest, in.intruder = "cancel RSVP", guest[0], false
		token := guest[1]
		if token == "" {
			token = uuid.NewString()
		}
		r.record(client, in, func() answer { return r.api.cancelRSVP(p.token, token) })
	case draw < 82:
		in.op, in.intruder = "get event", false
		r.record(client, in, func() answer { return r.api.getEvent(p.token) })
	case draw < 97:
		in.op = "list attendees"
		r.record(client, in, func() answer { return r.api.listAttendees(p) })
	default:
		in.op, in.reason = "cancel event", fmt.Sprintf("reason %d.%d", client, n)
		a := r.record(client, in, func() answer { return r.api.cancelEvent(r.api.t.Context(), p, in.reason) })
		if a.status == http.StatusNoContent {
			r.createEvent(client)
		}
	}
}

func (r *recorder) createEvent(client int) {
	var p party
	a := r.record(client, input{op: "create event"}, func() (a answer) { p, a = r.api.createEvent(); return a })
	if a.status == http.StatusCreated {
		r.mu.Lock()
		r.parties = append(r.parties, p)
		r.mu.Unlock()
	}
}

// live lets clients at the service, all at once, and returns what they heard.
func live(a api, seed uint64, operations int) []porcupine.Operation {
	const clients = 10
	r := &recorder{api: a, begin: time.Now(), guests: map[string][][2]string{}}
	for len(r.parties) == 0 {
		r.createEvent(0)
	}
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			chance := rand.New(rand.NewPCG(seed, uint64(client)))
			for n := range operations / clients {
				r.act(client, n, chance)
			}
		})
	}
	all.Wait()
	return r.history
}

// verdict says whether there is an order of the operations, each at one moment
// between its call and its answer, in which they are what the specification says.
// The more answers were lost, the more orders there are to try: it may give up.
func verdict(history []porcupine.Operation) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(specification, history, 20*time.Second)
}

// TestLinearizability: whatever clients do at the same time, it is as if they had
// done it one after the other.
func TestLinearizability(t *testing.T) {
	faulty := faulttest.Sometimes(1, 0.3, mixture...)
	for name, on := range map[string]struct {
		operations int
		open       func(*testing.T) event.Store
	}{
		"embedded store": {2000, func(t *testing.T) event.Store { return newBolt(t) }},
		"DynamoDB": {600, func(t *testing.T) event.Store {
			store, _ := behind(t, newTable(t), faulttest.NoFault)
			return store
		}},
		"DynamoDB under contention and faults": {600, func(t *testing.T) event.Store {
			store, _ := behind(t, newTable(t), faulttest.Then(faulty, faulttest.Contention(transaction)))
			return store
		}},
	} {
		for range 3 {
			seed := rand.Uint64()
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				const tries = 4 // of which one has to come to a verdict
				for try := range uint64(tries) {
					history := live(serve(t, on.open(t)), seed+try, on.operations)
					t.Logf("seed %d, answers: %v", seed+try, answers(history))
					switch verdict(history) {
					case porcupine.Ok:
						return
					case porcupine.Illegal:
						t.Fatalf("no order explains what the clients of seed %d heard", seed+try)
					}
				}
				t.Errorf("no verdict about any of %d histories", tries)
			})
		}
	}
}

// answers counts the operations by name and status.
func answers(history []porcupine.Operation) map[string]int {
	count := map[string]int{}
	for _, o := range history {
		count[fmt.Sprint(o.Input.(input).op, " ", o.Output.(output).status)]++
	}
	return count
}

// TestLinearizabilityBites: without the condition of one write DynamoDB lets
// through what it should not, and the checker notices.
func TestLinearizabilityBites(t *testing.T) {
	for name, unguarded := range map[string]struct{ write, condition string }{
		"a closed gate admits":        {"Update", "closed = :no AND expiresAt > :now"},
		"an RSVP is cancelled twice":  {"Delete", "attribute_exists(pk)"},
		"an event is cancelled twice": {"Update", "organizerTokenHash = :organizer AND cancelled = :no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, _ := behind(t, newTable(t), faulttest.Then(faulttest.Delay(way), faulttest.Rewrite(func(operation string, body map[string]any) {
				if operation == "TransactWriteItems" {
					strip(body["TransactItems"].([]any), unguarded.write, unguarded.condition)
				}
			})))
			a := serve(t, store)
			const tries = 20 // the race has to happen first
			for seed := range uint64(tries) {
				if verdict(live(a, seed, 200)) == porcupine.Illegal {
					return
				}
			}
			t.Errorf("%d histories of a broken store were let through", tries)
		})
	}
}

// strip takes a condition away, with the values that nothing else in the write needs.
func strip(writes []any, kind, condition string) {
	for _, w := range writes {
		write, ok := w.(map[string]any)[kind].(map[string]any)
		if !ok || write["ConditionExpression"] != condition {
			continue
		}
		delete(write, "ConditionExpression")
		update, _ := write["UpdateExpression"].(string)
		values, _ := write["ExpressionAttributeValues"].(map[string]any)
		for name := range values {
			if !strings.Contains(update, name) {
				delete(values, name)
			}
		}
	}
}
