package proof_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
)

// A ledger is what the clients of one event have been told.
type ledger struct {
	mu       sync.Mutex
	in       map[string]bool // acknowledged RSVPs, less the acknowledged cancellations
	out      map[string]bool // acknowledged cancellations, and refused RSVPs
	unknown  map[string]bool // answered 503: may have happened, once
	answered map[int]int     // calls by status
}

func newLedger() *ledger {
	return &ledger{in: map[string]bool{}, out: map[string]bool{}, unknown: map[string]bool{}, answered: map[int]int{}}
}

// createRSVP calls and keeps record.
func (l *ledger) createRSVP(a api, event, name string) answer {
	got := a.createRSVP(event, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered[got.status]++
	switch got.status {
	case http.StatusCreated:
		l.in[name] = true
	case http.StatusServiceUnavailable:
		l.unknown[name] = true
	default:
		l.out[name] = true
	}
	return got
}

func (l *ledger) cancelRSVP(a api, event, name, token string) {
	got := a.cancelRSVP(event, token)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered[got.status]++
	delete(l.in, name)
	if got.status == http.StatusNoContent {
		l.out[name] = true
	} else {
		l.unknown[name] = true
	}
}

// check compares the ledger with the event, as someone sees it for whom nothing
// goes wrong: nothing acknowledged is lost, nothing happened twice, and count and
// list agree.
func (l *ledger) check(t *testing.T, a api, p party) {
	t.Helper()
	listed := a.listAttendees(p)
	names := listed.names()
	if event := a.getEvent(p.token); event.status != http.StatusOK || listed.status != http.StatusOK || event.AttendeeCount != len(names) {
		t.Errorf("get event %d, list %d: %d guests are counted, %d are listed", event.status, listed.status, event.AttendeeCount, len(names))
	}
	slices.Sort(names)
	if twice := len(names) - len(slices.Compact(slices.Clone(names))); twice > 0 {
		t.Errorf("%d guests are listed more than once", twice)
	}
	for name := range l.in {
		if _, found := slices.BinarySearch(names, name); !found {
			t.Errorf("%s was acknowledged and is not listed", name)
		}
	}
	for _, name := range names {
		if !l.in[name] && !l.unknown[name] {
			t.Errorf("%s is listed: refused or cancelled: %v", name, l.out[name])
		}
	}
}
