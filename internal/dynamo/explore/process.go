package explore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"

	"turnout/internal/dynamo"
)

// The answers to the calls of an operation make a tree. The store runs once for each node of the
// tree, and a search follows the trees.

// A launch is an operation with the circumstances of its beginning.
type launch struct {
	operation operation
	copy      int // distinguishes equal operations
	clock     phase
}

// A node is a running operation after some answers: with its next call, or its outcome.
type node struct {
	id     uint64
	launch launch
	before *node // the node before the last call; nil for the first node
	via    reply // the reply to the call of the node before
	broken bool  // whether a call has had no reply

	call    *request // the next call, or nil
	outcome outcome

	next map[uint64]*node
}

// A reply is an answer, and how long it took by the operation's clock.
type reply struct {
	answer
	took time.Duration
}

// processes has one tree for each operation, on a store with a given number of gates.
type processes struct {
	t     *testing.T
	store *dynamo.Store
	gates int
	roots map[launch]*node
	nodes uint64
	steps map[stepKey]stepResult
}

func newProcesses(t *testing.T, gates int) *processes {
	intercepted := func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("explore", intercept), middleware.Before)
	}
	config := dynamo.Config{Table: "table", Region: "local", Gates: gates, Middleware: intercepted}
	return &processes{
		t: t, store: dynamo.Open(config), gates: gates, roots: map[launch]*node{}, steps: map[stepKey]stepResult{},
	}
}

func (p *processes) root(l launch) *node {
	n := p.roots[l]
	if n == nil {
		n = &node{launch: l}
		p.roots[l] = n
		p.run(n)
	}
	return n
}

// after returns the node that follows a reply.
func (p *processes) after(n *node, r reply) *node {
	key := mix(r.hash, uint64(r.took))
	next := n.next[key]
	if next == nil {
		next = &node{launch: n.launch, before: n, via: r, broken: n.broken || r.err == io.ErrUnexpectedEOF}
		if n.next == nil {
			n.next = map[uint64]*node{}
		}
		n.next[key] = next
		p.run(next)
	}
	return next
}

const (
	requestLimit = 8 * time.Second
	tooLong      = requestLimit + time.Second
)

// A script has the calls that an operation must make, with their replies. Its last
// node gets the next call.
type script struct {
	path  []*node // all nodes of the operation, the first one first
	stop  context.CancelFunc
	ended bool
	wrong error
}

type scriptKey struct{}

var errStopped = errors.New("stopped")

var random sync.Mutex // held while uuid reads from this package's source

// run repeats an operation up to a new node, and notes the next call, or the outcome, in the node.
func (p *processes) run(last *node) {
	p.nodes++
	last.id = p.nodes
	var path []*node
	for n := last; n != nil; n = n.before {
		path = append(path, n)
	}
	slices.Reverse(path)
	random.Lock()
	defer random.Unlock()
	synctest.Test(p.t, func(t *testing.T) {
		uuid.SetRand(rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, last.launch))))
		defer uuid.SetRand(nil)
		now := last.launch.clock.time().Add(time.Duration(last.launch.copy)) // no two at the same instant
		time.Sleep(time.Until(now))
		ctx, cancel := context.WithTimeout(context.Background(), requestLimit)
		defer cancel()
		s := &script{path: path, stop: cancel}
		last.outcome = last.launch.operation.run(context.WithValue(ctx, scriptKey{}, s), p.store, now)
		if s.wrong == nil && !s.ended && len(s.path) > 1 {
			s.wrong = fmt.Errorf("it ends %d calls early", len(s.path)-1)
		}
		if s.wrong != nil {
			t.Fatalf("%v does something else when it runs again: %v", last.launch.operation, s.wrong)
		}
	})
}

// intercept replaces DynamoDB: it responds to a call of the store with the reply that the script has for the call.
func intercept(
	ctx context.Context, in middleware.InitializeInput, _ middleware.InitializeHandler,
) (out middleware.InitializeOutput, _ middleware.Metadata, err error) {
	s := ctx.Value(scriptKey{}).(*script)
	n := s.path[0]
	switch {
	case s.ended:
		return out, middleware.Metadata{}, errStopped
	case ctx.Err() != nil: // the replies have taken too long
		return out, middleware.Metadata{}, ctx.Err()
	case len(s.path) == 1: // this is the call after the last known reply
		n.call, s.ended = n.request(in.Parameters), true
		s.stop()
		return out, middleware.Metadata{}, errStopped
	case !reflect.DeepEqual(n.call.input, in.Parameters):
		s.wrong, s.ended = fmt.Errorf("%+v, want %+v", in.Parameters, n.call.input), true
		s.stop()
		return out, middleware.Metadata{}, errStopped
	}
	s.path = s.path[1:]
	r := s.path[0].via
	time.Sleep(r.took)
	out.Result = r.out
	return out, middleware.Metadata{}, r.err
}

// request returns the request of a call. If the call repeats an earlier call, it is the request of that call.
func (n *node) request(input any) *request {
	for earlier := n.before; earlier != nil; earlier = earlier.before {
		if reflect.DeepEqual(earlier.call.input, input) {
			return earlier.call
		}
	}
	return newRequest(input)
}
