package benchmark

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"turnout/internal/dynamo"
	"turnout/internal/event"
)

// The assumptions of the simulation: how long a call travels each way, and how long a transaction
// holds its items.
const (
	travel  = 3 * time.Millisecond
	holding = 10 * time.Millisecond
)

// gates simulates 200 RSVPs to one event at once, with the real store and its waits, at several
// numbers of gates. internal/docs/design.md has the figures.
func gates(r *report, _ string) {
	const guests, turns = 200, 11
	took, sent := map[int]values{}, map[int]values{}
	for _, gates := range []int{1, dynamo.DefaultGates, 2 * dynamo.DefaultGates} {
		var durations, transactions []float64
		for range turns {
			duration, n := burst(r.t, gates, guests)
			durations = append(durations, duration.Seconds()*1e3/guests)
			transactions = append(transactions, float64(n)/guests)
		}
		took[gates], sent[gates] = durations, transactions
	}
	const ours = dynamo.DefaultGates
	name := fmt.Sprintf("simulated burst, %d gates: ", ours)
	r.ratio(name+"time", took[ours], took[1], "ms each", "one gate", 0.25)
	r.ratio(name+"transactions", sent[ours], sent[1], "each", "one gate", 0.25)
	r.ratio(name+"transactions", sent[ours], sent[2*ours], "each", fmt.Sprintf("%d gates", 2*ours), 1.5)
}

// burst stores RSVPs at once. It returns how long that took in simulated time, and the number of
// transactions.
func burst(t *testing.T, gates, guests int) (took time.Duration, transactions int) {
	synctest.Test(t, func(t *testing.T) {
		table := &busyTable{held: map[string]bool{}}
		store := dynamo.Open(dynamo.Config{Table: "turnout", Region: "eu-central-1", Transport: table, Gates: gates})
		now := time.Now()
		e := event.Event{Token: event.NewToken(), Title: "Concert", CreatedAt: now, ExpiresAt: now.AddDate(0, 0, 7)}
		if err := store.CreateEvent(t.Context(), e, event.Hash{1}); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var all sync.WaitGroup
		for range guests {
			all.Go(func() {
				rsvp := event.RSVP{ID: event.NewToken().RSVPID(), Name: "Ada", CreatedAt: now}
				if err := store.CreateRSVP(t.Context(), e.Token, rsvp); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		took, transactions = time.Since(begin), table.transactions
	})
	return took, transactions
}

// A busyTable responds to the calls of RSVPs to one event. As DynamoDB does, it rejects a transaction while
// another transaction holds one of its items.
type busyTable struct {
	mu           sync.Mutex
	details      json.RawMessage
	held         map[string]bool // the held items by sort key
	transactions int
}

// RoundTrip implements http.RoundTripper.
func (b *busyTable) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(travel)
	defer time.Sleep(travel)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var call struct {
		Item          json.RawMessage // the item of a PutItem call
		TransactItems []struct {
			Update *struct {
				Key struct{ SK struct{ S string } }
			}
		}
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
	case "PutItem":
		b.details = call.Item
		return answer(http.StatusOK, "{}"), nil
	case "GetItem":
		return answer(http.StatusOK, fmt.Sprintf(`{"Item":%s}`, b.details)), nil
	}
	for _, i := range call.TransactItems { // RSVPs put different items, but many of them update the same gate
		if i.Update != nil && !b.write(i.Update.Key.SK.S) {
			return answer(http.StatusBadRequest, `{"__type":"TransactionCanceledException",`+
				`"CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict"}]}`), nil
		}
	}
	return answer(http.StatusOK, "{}"), nil
}

// write holds an item, and reports whether no other transaction did.
func (b *busyTable) write(item string) bool {
	b.mu.Lock()
	b.transactions++
	free := !b.held[item]
	b.held[item] = true
	b.mu.Unlock()
	if free {
		time.Sleep(holding)
		b.mu.Lock()
		delete(b.held, item)
		b.mu.Unlock()
	}
	return free
}

func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}
