package robustness

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"turnout/internal/bolt"
	"turnout/internal/dynamo"
	"turnout/internal/dynamo/faulttest"
)

// patience is how long the check of one history may take.
const patience = 20 * time.Second

// newBolt returns an embedded store in a new file.
func newBolt(t *testing.T) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(filepath.Join(t.TempDir(), "turnout.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestLinearizability: concurrent operations have the outcomes of some sequential
// order, also operations that are repeated because their response was lost.
func TestLinearizability(t *testing.T) {
	onDynamoDB := func(f func(seed uint64) faulttest.Fault, network func(Client, uint64) Client) func(*testing.T, uint64) *History {
		return func(t *testing.T, seed uint64) (h *History) {
			Simulate(t, dynamo.DefaultGates, func(s Simulation) {
				s.Inject(f(seed))
				h = runRandomTraffic(network(s.Client(0), seed), seed, 300)
			})
			return h
		}
	}
	onBolt := func(network func(Client, uint64) Client) func(*testing.T, uint64) *History {
		return func(t *testing.T, seed uint64) *History {
			return runRandomTraffic(network(Serve(t, newBolt(t)), seed), seed, 1000)
		}
	}
	contention := func(uint64) faulttest.Fault { return faulttest.Contention(transaction) }
	faulty := func(seed uint64) faulttest.Fault {
		return faulttest.Then(faulttest.Sometimes(seed, 0.3, mixture...), contention(seed))
	}
	reliable := func(c Client, _ uint64) Client { return c }
	for name, run := range map[string]func(*testing.T, uint64) *History{
		"embedded store":                      onBolt(reliable),
		"embedded store, lossy network":       onBolt(lossy),
		"DynamoDB, contention":                onDynamoDB(contention, reliable),
		"DynamoDB, contention, lossy network": onDynamoDB(contention, lossy),
		"DynamoDB, faults, lossy network":     onDynamoDB(faulty, lossy),
	} {
		for range 2 {
			seed := rand.Uint64()
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				const tries = 4 // of which one must be decided in time
				for try := range uint64(tries) {
					h := run(t, seed+try)
					t.Logf("seed %d, answers: %v", seed+try, h.Count())
					switch h.Linearizable(patience) {
					case porcupine.Ok:
						return
					case porcupine.Illegal:
						t.Fatalf("no order explains the answers of seed %d", seed+try)
					}
				}
				t.Errorf("no decision about any of %d histories", tries)
			})
		}
	}
}

// TestValidationDetects: without the condition of one write the store breaks its
// promises, and the check of the history finds it.
func TestValidationDetects(t *testing.T) {
	for name, unguarded := range map[string]struct{ kind, sort, does string }{
		"a closed gate admits":        {"Update", "GATE#", "admitted :one"},
		"an RSVP is cancelled twice":  {"Delete", "RSVP#", ""},
		"an event is cancelled twice": {"Update", "DETAILS", "cancelled = :yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const tries = 30 // the race has to happen first
			for seed := range uint64(tries) {
				var h *History
				// With one gate, and a guest who stays: a gate that counts none does not
				// count further down.
				Simulate(t, 1, func(s Simulation) {
					slow := faulttest.Only("TransactWriteItems", faulttest.Delay(transaction))
					s.Inject(faulttest.Then(slow, faulttest.Rewrite(func(operation string, body map[string]any) {
						if operation == "TransactWriteItems" {
							strip(body["TransactItems"].([]any), unguarded.kind, unguarded.sort, unguarded.does)
						}
					})))
					h = shortTraffic(s.Client(0), seed)
				})
				if h.Linearizable(2*time.Second) == porcupine.Illegal {
					return
				}
			}
			t.Errorf("%d histories of a broken store are accepted", tries)
		})
	}
}

// strip removes the condition of writes of a kind to items of a sort key, with the
// values that nothing else in the write needs.
func strip(writes []any, kind, sort, does string) {
	for _, w := range writes {
		write, ok := w.(map[string]any)[kind].(map[string]any)
		if !ok {
			continue
		}
		key := write["Key"].(map[string]any)["sk"].(map[string]any)["S"].(string)
		update, _ := write["UpdateExpression"].(string)
		if !strings.HasPrefix(key, sort) || !strings.Contains(update, does) {
			continue
		}
		delete(write, "ConditionExpression")
		values, _ := write["ExpressionAttributeValues"].(map[string]any)
		for name := range values {
			if !strings.Contains(update, name) {
				delete(values, name)
			}
		}
	}
}
