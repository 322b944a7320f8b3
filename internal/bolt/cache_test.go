package bolt

import (
	"testing"

	"turnout/internal/event"
)

// TestCacheHoldsWhatIsCurrent: a value is not cached if a commit was running, or began, while the value was read.
func TestCacheHoldsWhatIsCurrent(t *testing.T) {
	e := event.Event{Token: event.NewToken(), Title: "Picnic"}
	for name, c := range map[string]struct {
		do   func(*cache)
		want bool
	}{
		"read":                             {func(c *cache) { c.put(e, c.commits.Load()) }, true},
		"read, then a commit":              {func(c *cache) { c.put(e, c.commits.Load()); c.beginCommit() }, false},
		"a commit begins while it is read": {func(c *cache) { n := c.commits.Load(); c.beginCommit(); c.put(e, n) }, false},
		"a commit while it is read":        {func(c *cache) { n := c.commits.Load(); c.beginCommit(); c.endCommit(); c.put(e, n) }, false},
		"read during a commit":             {func(c *cache) { c.beginCommit(); c.put(e, c.commits.Load()) }, false},
	} {
		var held cache
		c.do(&held)
		got, ok := held.get(e.Token)
		if ok != c.want || ok && got != e {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
		if _, ok := held.get(event.NewToken()); ok {
			t.Errorf("%s: holds another event", name)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	var c cache
	held := func() (n int) {
		c.events.Range(func(any, any) bool { n++; return true })
		return n
	}
	for i := range maxCached {
		if c.put(event.Event{Token: event.NewToken()}, 0); held() != i+1 {
			t.Fatalf("%d events after %d", held(), i+1)
		}
	}
	if c.put(event.Event{Token: event.NewToken()}, 0); held() != 1 {
		t.Errorf("%d events are kept", held())
	}
}
