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
	"turnout/internal/event"
	"turnout/internal/faulttest"
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

// TestLinearizability: concurrent operations have the outcomes of some sequential order.
func TestLinearizability(t *testing.T) {
	faulty := faulttest.Sometimes(1, 0.3, mixture...)
	for name, on := range map[string]struct {
		operations int
		open       func(*testing.T) event.Store
	}{
		"embedded store": {2000, func(t *testing.T) event.Store { return newBolt(t) }},
		"DynamoDB": {600, func(t *testing.T) event.Store {
			store, _ := Through(t, NewTable(t), faulttest.NoFault)
			return store
		}},
		"DynamoDB under contention and faults": {600, func(t *testing.T) event.Store {
			store, _ := Through(t, NewTable(t), faulttest.Then(faulty, faulttest.Contention(transaction)))
			return store
		}},
	} {
		for range 3 {
			seed := rand.Uint64()
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				const tries = 4 // of which one must be decided in time
				for try := range uint64(tries) {
					h := doEverything(Serve(t, on.open(t)), seed+try, on.operations)
					t.Logf("seed %d, answers: %v", seed+try, h.Count())
					switch h.Linearizable(patience) {
					case porcupine.Ok:
						return
					case porcupine.Illegal:
						t.Fatalf("the history of seed %d is not linearizable", seed+try)
					}
				}
				t.Errorf("none of %d histories was decided in time", tries)
			})
		}
	}
}

// TestValidationDetects: a store without the condition of one write is found to be not
// linearizable.
func TestValidationDetects(t *testing.T) {
	for name, unguarded := range map[string]struct{ write, condition string }{
		"a closed gate admits":        {"Update", "attribute_not_exists(pk) OR (closed = :no AND admitsUntil >= :now)"},
		"an RSVP is cancelled twice":  {"Delete", "attribute_exists(pk)"},
		"an event is cancelled twice": {"Update", "organizerTokenHash = :organizer AND cancelled = :no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, _ := Through(t, NewTable(t), faulttest.Then(faulttest.Delay(latency), faulttest.Rewrite(func(operation string, body map[string]any) {
				if operation == "TransactWriteItems" {
					strip(body["TransactItems"].([]any), unguarded.write, unguarded.condition)
				}
			})))
			c := Serve(t, store)
			const tries = 20 // the race has to happen first
			for seed := range uint64(tries) {
				if doEverything(c, seed, 200).Linearizable(patience) == porcupine.Illegal {
					return
				}
			}
			t.Errorf("%d histories of a broken store were accepted", tries)
		})
	}
}

// strip removes a condition, with the values that only it uses.
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
