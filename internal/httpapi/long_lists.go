package httpapi

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"turnout/internal/event"
)

// A list takes memory while it is read, and while a client reads the response, perhaps slowly. So long lists take
// turns, and no event takes the turns of others. Sizes are bytes of the response, without escapes in names.
const (
	tinyList    = 64 << 10 // only a longer list counts
	shortList   = 1 << 20  // a longer list needs a turn, of which an event has one at a time
	mostShort   = 4 << 20  // the short lists of one event; beyond it, a further one needs a turn, too
	mostReading = 2        // lists with a turn that are read at the same time
	mostSending = 32 << 20 // lists with a turn that are sent at the same time; a longer one is sent alone
)

// lists are all lists under way.
var lists = struct {
	mu      sync.Mutex
	events  map[string]*eventLists
	reading chan struct{} // holds a value for each list with a turn that is being read
	sending int           // bytes of lists with a turn that are being sent
}{events: make(map[string]*eventLists), reading: make(chan struct{}, mostReading)}

// eventLists are the lists of one event that are under way.
type eventLists struct {
	requests int           // their number
	short    atomic.Int64  // bytes of the lists without a turn
	turn     chan struct{} // holds a value while a list has the turn
}

// A list is the list of one request, until its response has been sent.
type list struct {
	key     string      // identifies the event
	event   *eventLists // nil as long as the list is tiny
	rsvps   []event.RSVP
	few     [16]event.RSVP // memory for a short list
	size    int            // bytes
	turn    bool
	reading bool
	sending int // bytes
}

// beginList begins a list of the event with a token. The caller ends it.
func beginList(eventToken string) *list {
	l := &list{key: strings.ToLower(eventToken)}
	l.rsvps = l.few[:0]
	return l
}

// join adds the list to the lists of its event.
func (l *list) join() {
	lists.mu.Lock()
	defer lists.mu.Unlock()
	if lists.events[l.key] == nil {
		lists.events[l.key] = &eventLists{turn: make(chan struct{}, 1)}
	}
	l.event = lists.events[l.key]
	l.event.requests++
}

var (
	errNeedsTurn   = errors.New("the list needs a turn, and none is free")
	errSlowClients = fmt.Errorf("%w: clients read long lists too slowly", event.ErrUnavailable)
)

// add adds an RSVP. It takes a turn for a long list, or returns errNeedsTurn.
func (l *list) add(r event.RSVP) error {
	l.rsvps = append(l.rsvps, r)
	size := len(`{"name":""},`) + len(r.Name)
	l.size += size
	if l.event == nil && l.size > tinyList {
		l.join()
		size = l.size
	}
	if l.event == nil || l.turn {
		return nil
	}
	if l.event.short.Add(int64(size)) <= mostShort && l.size <= shortList || l.takeTurn(closed) {
		return nil
	}
	return errNeedsTurn
}

// closed is a channel that does not let anybody wait.
var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// takeTurn reports whether the list has a turn. It waits until done is closed.
func (l *list) takeTurn(done <-chan struct{}) bool {
	if !enter(l.event.turn, done) {
		return false
	}
	if !enter(lists.reading, done) {
		<-l.event.turn
		return false
	}
	l.event.short.Add(-int64(l.size))
	l.turn, l.reading = true, true
	return true
}

// enter sends a value to room once there is space, or returns false when done is closed.
func enter(room chan<- struct{}, done <-chan struct{}) bool {
	select {
	case room <- struct{}{}:
		return true
	default:
	}
	select {
	case room <- struct{}{}:
		return true
	case <-done:
		return false
	}
}

// drop removes the RSVPs, so that they take no memory while the list waits.
func (l *list) drop() {
	l.event.short.Add(-int64(l.size))
	l.rsvps, l.size = nil, 0
}

// send begins to send the list, in a response with a size in bytes. The list is no longer being read.
func (l *list) send(size int) error {
	if !l.turn {
		return nil
	}
	<-lists.reading
	l.reading = false
	lists.mu.Lock()
	defer lists.mu.Unlock()
	if lists.sending > 0 && lists.sending+size > mostSending {
		return errSlowClients
	}
	l.sending = size
	lists.sending += size
	return nil
}

// end ends the list, which has been sent or has failed.
func (l *list) end() {
	if l.event == nil {
		return
	}
	if l.reading {
		<-lists.reading
	}
	if l.turn {
		<-l.event.turn
	} else {
		l.event.short.Add(-int64(l.size))
	}
	lists.mu.Lock()
	defer lists.mu.Unlock()
	lists.sending -= l.sending
	if l.event.requests--; l.event.requests == 0 {
		delete(lists.events, l.key)
	}
}
