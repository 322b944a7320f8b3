package robustness

import (
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

const (
	transaction = 10 * time.Millisecond // for which DynamoDB holds the items of one
	latency     = 3 * time.Millisecond  // of every call to DynamoDB and back
)

// A simulation is the service in a bubble of synctest, on a table of DynamoDB Local.
// Time consists of transactions, latency, faults and waits alone: DynamoDB Local
// executes every call, but its speed and that of the machine do not count.
type simulation struct {
	T *testing.T

	table     dynamo.Config
	transport *faulttest.Transport
}

// simulate runs body in a bubble, with that number of gates per event.
func simulate(t *testing.T, gates int, body func(s simulation)) {
	t.Helper()
	table := NewTable(t)
	transport := faulttest.NewTransport(table.Endpoint)
	defer transport.Close()
	table.Transport, table.Gates = transport, gates
	synctest.Test(t, func(t *testing.T) {
		s := simulation{t, table, transport}
		s.Inject(faulttest.NoFault)
		body(s)
	})
}

// Inject replaces the fault that DynamoDB has besides its latency.
func (s simulation) Inject(f faulttest.Fault) {
	s.transport.Inject(faulttest.Then(faulttest.Delay(latency), f))
}

// Client returns a client of a new instance of the service, whose clock is wrong by
// that much.
func (s simulation) Client(skew time.Duration) Client {
	service := event.NewService(dynamo.Open(s.table))
	service.Now = func() time.Time { return time.Now().Add(skew) }
	return inProcess(s.T, Handler(service))
}
