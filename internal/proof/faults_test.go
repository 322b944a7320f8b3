package proof_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"turnout/internal/faulttest"
)

// functionTimeout is that of the functions in template.yaml.
const functionTimeout = 10 * time.Second

// comeAndGo lets eight clients RSVP, one after the other, and take every second
// RSVP back.
func comeAndGo(a api, l *ledger, p party, rounds int) {
	const clients = 8
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			for round := range rounds {
				name := fmt.Sprintf("guest %d of client %d", round, client)
				got := l.createRSVP(a, p.token, name)
				if got.status == http.StatusCreated && round%2 == 1 {
					l.cancelRSVP(a, p.token, name, got.RSVPToken)
				}
			}
		})
	}
	all.Wait()
}

// TestFaults: whatever goes wrong between the service and DynamoDB, what was
// acknowledged has happened, and what was answered 503 has happened once or not.
func TestFaults(t *testing.T) {
	// What these leave to a retry, the service gets right without its client's help.
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
			a, observer, proxy := troubled(t)
			proxy.Inject(fault())
			p := a.newEvent()
			l := newLedger()
			comeAndGo(a, l, p, 6)
			l.check(t, observer, p)
			if l.answered[http.StatusCreated] != 48 || l.answered[http.StatusNoContent] != 24 {
				t.Errorf("answers by status: %v", l.answered)
			}
			if got := a.cancelEvent(t.Context(), p, "rain"); got.status != http.StatusNoContent {
				t.Errorf("cancel event answered %d", got.status)
			}
			if got := l.createRSVP(a, p.token, "a latecomer"); got.status != http.StatusConflict {
				t.Errorf("an RSVP to a cancelled event answered %d", got.status)
			}
			l.check(t, observer, p)
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
			a, observer, proxy := troubled(t)
			p := a.newEvent()
			proxy.Inject(fault)
			l := newLedger()
			comeAndGo(a, l, p, 6)
			t.Logf("seed %d: answers by status: %v", seed, l.answered)
			l.check(t, observer, p)
		})
	}
}

var mixture = []faulttest.Fault{
	faulttest.Throttled, faulttest.OverCapacity, faulttest.InProgress, faulttest.ServerError,
	faulttest.Overloaded, faulttest.Reset, faulttest.DroppedResponse, faulttest.TruncatedResponse,
}

// TestSilence: what never answers is answered for, before the function's own end.
func TestSilence(t *testing.T) {
	for name, fault := range map[string]faulttest.Fault{
		"before it is carried out": faulttest.HangingRequest,
		"after it is carried out":  faulttest.HangingResponse,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, observer, proxy := troubled(t)
			p := a.newEvent()
			stays := a.createRSVP(p.token, "Anna")
			proxy.Inject(fault)
			ctx, cancel := context.WithTimeout(t.Context(), functionTimeout)
			defer cancel()

			l := newLedger()
			l.in["Anna"] = true
			var all sync.WaitGroup
			all.Go(func() { l.createRSVP(a, p.token, "Ben") })
			all.Go(func() { l.cancelRSVP(a, p.token, "Anna", stays.RSVPToken) })
			for _, call := range []func() answer{
				func() answer { return a.getEvent(p.token) },
				func() answer { return a.listAttendees(p) },
				func() answer { _, got := a.createEvent(); return got },
				func() answer { return a.send(ctx, "GET", "/health", nil) },
			} {
				all.Go(func() {
					if got := call(); got.status != http.StatusServiceUnavailable {
						t.Errorf("answered %d", got.status)
					}
				})
			}
			all.Wait()
			if ctx.Err() != nil {
				t.Error("not answered within the function's own time")
			}
			if l.answered[http.StatusServiceUnavailable] != 2 {
				t.Errorf("answers by status: %v", l.answered)
			}
			proxy.Inject(faulttest.NoFault)
			l.check(t, observer, p)
		})
	}
}

// TestRefusedConnections: where nobody listens, every operation says so.
func TestRefusedConnections(t *testing.T) {
	t.Parallel()
	a, observer, proxy := troubled(t)
	p := a.newEvent()
	l := newLedger()
	comeAndGo(a, l, p, 2)
	proxy.Close()
	var all sync.WaitGroup
	for name, call := range map[string]func() answer{
		"create RSVP":    func() answer { return l.createRSVP(a, p.token, "Ben") },
		"get event":      func() answer { return a.getEvent(p.token) },
		"list attendees": func() answer { return a.listAttendees(p) },
		"cancel event":   func() answer { return a.cancelEvent(t.Context(), p, "rain") },
	} {
		all.Go(func() {
			if got := call(); got.status != http.StatusServiceUnavailable {
				t.Errorf("%s answered %d", name, got.status)
			}
		})
	}
	all.Wait()
	l.check(t, observer, p)
}

// TestForgottenGates: many cancel one RSVP at once, when TTL has already taken
// the gates of its event.
func TestForgottenGates(t *testing.T) {
	t.Parallel()
	table := newTable(t)
	store, proxy := behind(t, table, faulttest.NoFault)
	a := serve(t, store)
	p := a.newEvent()
	leaver := a.createRSVP(p.token, "Anna")
	a.createRSVP(p.token, "Ben")
	for gate := range store.Gates {
		call(t, table, "DeleteItem", object{"TableName": table.Table,
			"Key": object{"pk": object{"S": "EVENT#" + p.token}, "sk": object{"S": fmt.Sprint("GATE#", gate)}}}, nil)
	}
	if count := a.getEvent(p.token).AttendeeCount; count != 0 {
		t.Fatalf("%d guests are counted without gates", count)
	}
	proxy.Inject(faulttest.Contention(transaction))
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if got := a.cancelRSVP(p.token, leaver.RSVPToken); got.status != http.StatusNoContent {
				t.Errorf("answered %d", got.status)
			}
		})
	}
	all.Wait()
	if names := a.listAttendees(p).names(); len(names) != 1 || names[0] != "Ben" {
		t.Errorf("listed are %q", names)
	}
}
