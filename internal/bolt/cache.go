package bolt

import (
	"sync"
	"sync/atomic"

	"turnout/internal/event"
)

// A cache holds events as of the last commit, because a popular page reads the same
// event over and over. The cache is empty while a commit is under way, so that no read
// returns an older state than an earlier read.
type cache struct {
	events  sync.Map      // event.Token to *event.Event
	commits atomic.Uint64 // the number of beginnings and ends of commits; odd while a commit is under way

	mu   sync.Mutex // held while the cache changes
	size int
}

// maxCached bounds the memory: an event has up to 20 KB.
const maxCached = 1000

func (c *cache) get(token event.Token) (event.Event, bool) {
	e, ok := c.events.Load(token)
	if !ok {
		return event.Event{}, false
	}
	return *e.(*event.Event), true
}

// put caches an event. commits is its value before the event was read: if a commit was under way then, or
// has begun since, put does nothing.
func (c *cache) put(e event.Event, commits uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if commits%2 == 1 || c.commits.Load() != commits {
		return
	}
	if c.size++; c.size > maxCached {
		c.events.Clear()
		c.size = 1
	}
	c.events.Store(e.Token, &e)
}

func (c *cache) beginCommit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.commits.Add(1)
	c.events.Clear()
	c.size = 0
}

func (c *cache) endCommit() { c.commits.Add(1) }
