package robustness

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
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
			simulate(t, dynamo.DefaultGates, func(s simulation) {
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
					switch h.linearizable(patience) {
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
