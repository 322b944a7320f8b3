package robustness

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/dynamotest"
	"turnout/internal/faulttest"
	"turnout/internal/httpapi/apitest"
)

// functionTimeout is that of the functions in template.yaml.
const functionTimeout = 10 * time.Second

// throughProxy returns two clients of the service on one table: through a proxy that
// injects faults, and directly, to check the outcome.
func throughProxy(t *testing.T) (c, observer Client, proxy *faulttest.Proxy) {
	t.Helper()
	table := NewTable(t)
	store, proxy := Through(t, table, faulttest.NoFault)
	direct, _ := Through(t, table, faulttest.NoFault)
	return Serve(t, store), Serve(t, direct), proxy
}

func TestFailures(t *testing.T) {
	// After each of these faults the service succeeds by its own retries.
	overcome := map[string]func() faulttest.Fault{
		"nothing":                    func() faulttest.Fault { return faulttest.NoFault },
		"the answer is lost":         func() faulttest.Fault { return faulttest.Once(faulttest.DroppedResponse) },
		"half of the answer is lost": func() faulttest.Fault { return faulttest.Once(faulttest.TruncatedResponse) },
		"the connection is reset":    func() faulttest.Fault { return faulttest.Once(faulttest.Reset) },
		"throttling":                 func() faulttest.Fault { return faulttest.Once(faulttest.Throttled) },
		"too little capacity":        func() faulttest.Fault { return faulttest.Once(faulttest.OverCapacity) },
		"the transaction goes on":    func() faulttest.Fault { return faulttest.Once(faulttest.InProgress) },
		"an error inside DynamoDB":   func() faulttest.Fault { return faulttest.Once(faulttest.ServerError) },
		"DynamoDB is overloaded":     func() faulttest.Fault { return faulttest.Once(faulttest.Overloaded) },
		"other transactions":         func() faulttest.Fault { return faulttest.Contention(transaction) },
		"other transactions, and loss": func() faulttest.Fault {
			return faulttest.Then(faulttest.Once(faulttest.DroppedResponse), faulttest.Contention(transaction))
		},
	}
	for name, fault := range overcome {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, observer, proxy := throughProxy(t)
			proxy.Inject(fault())
			e := c.NewEvent()
			h := NewHistory()
			h.ComeAndGo(c, e, "", 6)
			h.Settled(observer, e)
			if count := h.Count(); count["create RSVP 201"] != 48 || count["cancel RSVP 204"] != 24 {
				t.Errorf("answers: %v", count)
			}
			if got := c.CancelEvent(e, "rain"); got.Status != http.StatusNoContent {
				t.Errorf("cancel event answered %d", got.Status)
			}
			if got := h.CreateRSVP(c, e, "a latecomer"); got.Status != http.StatusConflict {
				t.Errorf("an RSVP to a cancelled event answered %d", got.Status)
			}
			h.Settled(observer, e)
		})
	}

	// Of these nobody can be spared. "Always" is more than the SDK retries.
	const seed = 20261120
	for name, fault := range map[string]faulttest.Fault{
		"every answer is lost":       faulttest.Only("TransactWriteItems", faulttest.DroppedResponse),
		"every connection is reset":  faulttest.Only("TransactWriteItems", faulttest.Reset),
		"always throttled":           faulttest.Throttled,
		"always an error":            faulttest.Only("TransactWriteItems", faulttest.ServerError),
		"30 % throttled":             faulttest.Sometimes(seed, 0.3, faulttest.Throttled, faulttest.OverCapacity),
		"30 % in progress":           faulttest.Sometimes(seed, 0.3, faulttest.InProgress),
		"30 % errors":                faulttest.Sometimes(seed, 0.3, faulttest.ServerError),
		"30 % lost answers":          faulttest.Sometimes(seed, 0.3, faulttest.DroppedResponse, faulttest.TruncatedResponse),
		"30 % of everything at once": faulttest.Then(faulttest.Sometimes(seed, 0.3, mixture...), faulttest.Contention(transaction)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, observer, proxy := throughProxy(t)
			e := c.NewEvent()
			proxy.Inject(fault)
			h := NewHistory()
			h.ComeAndGo(c, e, "", 6)
			t.Logf("seed %d, answers: %v", seed, h.Count())
			h.Settled(observer, e)
		})
	}
}

var mixture = []faulttest.Fault{
	faulttest.Throttled, faulttest.OverCapacity, faulttest.InProgress, faulttest.ServerError,
	faulttest.Overloaded, faulttest.Reset, faulttest.DroppedResponse, faulttest.TruncatedResponse,
}

// TestHangingResponses: a request whose call to DynamoDB hangs is answered before the
// timeout of the function.
func TestHangingResponses(t *testing.T) {
	for name, fault := range map[string]faulttest.Fault{
		"before it is carried out": faulttest.HangingRequest,
		"after it is carried out":  faulttest.HangingResponse,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, observer, proxy := throughProxy(t)
			e := c.NewEvent()
			h := NewHistory()
			stays := h.CreateRSVP(c, e, "Anna")
			proxy.Inject(fault)
			c.HTTP.Timeout = functionTimeout
			var all sync.WaitGroup
			all.Go(func() { h.CreateRSVP(c, e, "Ben") })
			all.Go(func() { h.CancelRSVP(c, e, "Anna", stays.RSVPToken) })
			for _, call := range []func() Answer{
				func() Answer { return c.GetEvent(e) },
				func() Answer { return c.ListAttendees(e) },
				func() Answer { _, got := c.CreateEvent(); return got },
				func() Answer { return c.Health() },
			} {
				all.Go(func() {
					if got := call(); got.Status != http.StatusServiceUnavailable {
						t.Errorf("answered %d", got.Status)
					}
				})
			}
			all.Wait()
			if count := h.Count(); count["create RSVP 503"] != 1 || count["cancel RSVP 503"] != 1 {
				t.Errorf("answers: %v", count)
			}
			proxy.Inject(faulttest.NoFault)
			h.Settled(observer, e)
		})
	}
}

// TestRefusedConnections: without a DynamoDB every operation answers 503.
func TestRefusedConnections(t *testing.T) {
	t.Parallel()
	c, observer, proxy := throughProxy(t)
	e := c.NewEvent()
	h := NewHistory()
	h.ComeAndGo(c, e, "", 2)
	proxy.Close()
	var all sync.WaitGroup
	for name, call := range map[string]func() Answer{
		"create RSVP":    func() Answer { return h.CreateRSVP(c, e, "Ben") },
		"get event":      func() Answer { return c.GetEvent(e) },
		"list attendees": func() Answer { return c.ListAttendees(e) },
		"cancel event":   func() Answer { return c.CancelEvent(e, "rain") },
	} {
		all.Go(func() {
			if got := call(); got.Status != http.StatusServiceUnavailable {
				t.Errorf("%s answered %d", name, got.Status)
			}
		})
	}
	all.Wait()
	h.Settled(observer, e)
}

// TestExpiredGates: many clients cancel one RSVP at once after TTL has removed the
// gates of its event.
func TestExpiredGates(t *testing.T) {
	t.Parallel()
	table := NewTable(t)
	store, proxy := Through(t, table, faulttest.NoFault)
	c := Serve(t, store)
	e := c.NewEvent()
	leaver := c.CreateRSVP(e, "Anna")
	c.CreateRSVP(e, "Ben")
	for gate := range dynamo.DefaultGates {
		err := dynamotest.Call(table.Endpoint, "DeleteItem", apitest.Object{"TableName": table.Table,
			"Key": apitest.Object{"pk": apitest.Object{"S": "EVENT#" + e.Token}, "sk": apitest.Object{"S": fmt.Sprint("GATE#", gate)}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if count := c.GetEvent(e).AttendeeCount; count != 0 {
		t.Fatalf("%d guests are counted without gates", count)
	}
	proxy.Inject(faulttest.Contention(transaction))
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if got := c.CancelRSVP(e, leaver.RSVPToken); got.Status != http.StatusNoContent {
				t.Errorf("answered %d", got.Status)
			}
		})
	}
	all.Wait()
	if names := c.ListAttendees(e).names(); len(names) != 1 || names[0] != "Ben" {
		t.Errorf("listed are %q", names)
	}
}
