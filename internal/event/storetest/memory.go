package storetest

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"turnout/internal/event"
)

// Memory is a Store in maps, for the tests of packages that must not import a
// real one. The zero Memory is empty and ready to use.
type Memory struct {
	fault    // none, except in the test of this suite
	mu       sync.Mutex
	details  map[event.Token]details
	counters map[event.Token]int
	rsvps    map[event.Token]map[event.Hash]event.RSVP
	removed  map[event.Hash]bool
}

type details struct {
	event.Event
	organizer event.Hash
}

// begin locks, unless the context is done.
func (m *Memory) begin(ctx context.Context) error {
	if ctx.Err() != nil && m.fault != ignoresContext {
		return event.ErrUnavailable
	}
	m.mu.Lock()
	if m.details == nil {
		m.details = make(map[event.Token]details)
		m.counters = make(map[event.Token]int)
		m.rsvps = make(map[event.Token]map[event.Hash]event.RSVP)
		m.removed = make(map[event.Hash]bool)
	}
	return nil
}

// gap lets other calls run between the check and the write, if the fault is f.
func (m *Memory) gap(f fault) {
	if m.fault == f {
		m.mu.Unlock()
		runtime.Gosched()
		m.mu.Lock()
	}
}

// AddEvent implements event.Store.
func (m *Memory) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if d, ok := m.details[e.Token]; ok && m.fault != overwritesEvents {
		same := d.organizer.Equal(organizer) || m.fault == ignoresOrganizer
		same = same && (d.SameContent(e) || m.fault == ignoresContent)
		same = same && (d.ExpiresAt.Equal(e.ExpiresAt) || m.fault != comparesExpiry)
		if !same || m.fault == refusesRepeatedEvent {
			return event.ErrTokenTaken
		}
		return nil
	}
	m.gap(racesToCreate)
	if _, ok := m.details[e.Token]; ok && m.fault == racesToCreate {
		return event.ErrTokenTaken
	}
	switch {
	case m.fault == dropsEmptyText && e.Location != nil && *e.Location == "":
		e.Location = nil
	case m.fault == cutsNanoseconds:
		e.CreatedAt = e.CreatedAt.Truncate(time.Microsecond)
	}
	m.details[e.Token] = details{e, organizer}
	m.counters[e.Token] = 0
	m.rsvps[e.Token] = make(map[event.Hash]event.RSVP)
	return nil
}

// EventByToken implements event.Store.
func (m *Memory) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	if err := m.begin(ctx); err != nil {
		return event.Event{}, err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	if !ok {
		return event.Event{}, event.ErrEventNotFound
	}
	d.AttendeeCount = m.counters[token]
	return d.Event, nil
}

// CancelEvent implements event.Store.
func (m *Memory) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, now time.Time) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	switch {
	case m.fault == recreatesDetails:
		d.Cancelled = false
	case !ok:
		return event.ErrEventNotFound
	case m.fault == cancelledFirst && d.Cancelled:
		return event.ErrAlreadyCancelled
	case !m.organizes(d, organizer):
		return event.ErrOrganizerToken
	case d.Cancelled:
		if m.fault == changesReason {
			d.CancellationReason = reason
			m.details[token] = d
		}
		return event.ErrAlreadyCancelled
	case m.fault == refusesLateCancel && now.After(d.ExpiresAt):
		return event.ErrEventExpired
	}
	m.gap(racesToCancel)
	d.Cancelled, d.CancellationReason = true, reason
	m.details[token] = d
	if m.fault == recountsFromZero {
		m.counters[token] += 0
	}
	return nil
}

func (m *Memory) organizes(d details, h event.Hash) bool {
	return d.organizer.Equal(h) || m.fault == acceptsZeroHash && h == event.Hash{}
}

// AddRSVP implements event.Store.
func (m *Memory) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	if m.fault == countsThenGivesUp {
		m.mu.Lock()
		m.counters[token]++
		m.mu.Unlock()
		defer m.uncount(ctx, token)
	}
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	if !ok {
		if m.fault == makesEvents {
			m.counters[token]++
		}
		return event.ErrEventNotFound
	}
	stored, again := m.rsvps[token][r.Hash]
	m.gap(racesToAdd)
	m.gap(racesToName)
	refused := m.admits(d, r.CreatedAt)
	switch {
	case again && m.fault == refusesRepeatedRSVP && refused != nil:
		return refused
	case again && stored.Name != r.Name && m.fault != ignoresName:
		return event.ErrTokenTaken
	case m.removed[r.Hash] && m.fault == remembersRemoved, again && m.fault != countsTwice:
		return nil
	case refused != nil:
		return refused
	}
	if m.fault == trimsNames {
		r.Name = strings.TrimSpace(r.Name)
	}
	if m.fault == mixesEvents && token[15] == 0 {
		token[15]++
	}
	if m.fault == mergesMoments {
		for _, other := range m.rsvps[token] {
			if other.CreatedAt.Equal(r.CreatedAt) {
				return nil
			}
		}
	}
	m.gap(racesToAdmit)
	count := m.counters[token]
	m.gap(racesToCount)
	m.rsvps[token][r.Hash] = r
	m.counters[token] = count + 1
	return nil
}

// admits is event.Event.Admits, with its own faults.
func (m *Memory) admits(d details, at time.Time) error {
	refused := d.Admits(at)
	switch {
	case m.fault == expiresLate && at.Add(-1).Equal(d.ExpiresAt) && !d.Cancelled,
		m.fault == reopensAtExpiry && at.After(d.ExpiresAt.Add(1)) && d.Cancelled,
		m.fault == recreatesRSVPs && len(m.rsvps[d.Token]) == 0 && m.counters[d.Token] > 0:
		return nil
	case m.fault == expiresEarly && at.Equal(d.ExpiresAt),
		m.fault == expiredFirst && at.After(d.ExpiresAt),
		m.fault == cutsExpiry && !at.Before(d.ExpiresAt.Truncate(time.Second).Add(time.Second)):
		return event.ErrEventExpired
	case m.fault == cutsExpiry:
		return nil
	}
	return refused
}

// uncount reverts the premature count, unless the context was done.
func (m *Memory) uncount(ctx context.Context, token event.Token) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() == nil {
		m.counters[token] = len(m.rsvps[token])
	}
}

// RemoveRSVP implements event.Store.
func (m *Memory) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, known := m.details[token]
	_, ok := m.rsvps[token][rsvp]
	switch {
	case !ok && m.fault == countsBelowZero && m.removed[rsvp]:
	case !ok && m.fault != removesBlindly,
		m.fault == keepsOrphans && !known,
		m.fault == keepsAfterEnd && d.Cancelled:
		return nil
	}
	m.gap(racesToRemove)
	delete(m.rsvps[token], rsvp)
	m.removed[rsvp] = true
	if _, ok := m.counters[token]; ok || m.fault == recreatesCounters {
		m.counters[token]--
	}
	return nil
}

// AttendeesByEvent implements event.Store.
func (m *Memory) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) ([]event.RSVP, bool, error) {
	if err := m.begin(ctx); err != nil {
		return nil, false, err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	switch {
	case !ok:
		return nil, false, event.ErrEventNotFound
	case !m.organizes(d, organizer):
		return nil, false, event.ErrOrganizerToken
	}
	rsvps := slices.Collect(maps.Values(m.rsvps[token]))
	page, more := event.Page(rsvps, after, maxBytes)
	first := len(rsvps)
	if len(page) > 0 {
		first = slices.Index(rsvps, page[0])
	}
	switch m.fault {
	case sortsByHash:
		slices.SortFunc(page, func(a, b event.RSVP) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	case sortsByText:
		text := func(r event.RSVP) string { return r.CreatedAt.UTC().Format(time.RFC3339Nano) }
		slices.SortFunc(page, func(a, b event.RSVP) int { return cmp.Compare(text(a), text(b)) })
	case pagesByTime:
		page = slices.DeleteFunc(page, func(r event.RSVP) bool { return r.CreatedAt.Equal(after.CreatedAt) })
	case pagesByNumber:
		if gone := !slices.ContainsFunc(rsvps, func(r event.RSVP) bool { return r.Position().Compare(after) == 0 }); gone && first < len(rsvps) {
			page, more = event.Page(rsvps[first+1:], event.Position{}, maxBytes)
		}
	case overfillsPages:
		if more {
			page = rsvps[first : first+len(page)+1]
		}
	case returnsEmptyPages:
		if len(page) > 0 && len(page[0].Name) > maxBytes {
			page = nil
		}
	case hasAlwaysMore:
		more = more || maxBytes < 1<<30
	case endsAtMegabyte:
		if maxBytes > 1<<20 {
			page, _ = event.Page(rsvps, after, 1<<20)
		}
	}
	return page, more, nil
}

// Ready implements event.Store.
func (m *Memory) Ready(ctx context.Context) error {
	if m.fault == notReady {
		return event.ErrUnavailable
	}
	if err := m.begin(ctx); err != nil {
		return err
	}
	m.mu.Unlock()
	return nil
}

// Pieces implements Store.
func (m *Memory) Pieces(_ context.Context, token event.Token) (pieces []Piece, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.details[token]; ok {
		pieces = append(pieces, Piece{Details, ""})
	}
	if _, ok := m.counters[token]; ok {
		pieces = append(pieces, Piece{Counters, ""})
	}
	for hash := range m.rsvps[token] {
		pieces = append(pieces, Piece{RSVPs, string(hash[:])})
	}
	return pieces, nil
}

// DeletePiece implements Store.
func (m *Memory) DeletePiece(_ context.Context, token event.Token, p Piece) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch p.Part {
	case Details:
		delete(m.details, token)
	case Counters:
		delete(m.counters, token)
	case RSVPs:
		delete(m.rsvps[token], event.Hash([]byte(p.Key)))
	}
	return nil
}

// A fault is a condition that a Memory leaves out, to test the suite itself.
type fault string

const (
	notReady             fault = "is not ready"
	dropsEmptyText       fault = "drops empty texts"
	cutsNanoseconds      fault = "cuts off nanoseconds"
	trimsNames           fault = "trims names"
	mixesEvents          fault = "confuses events with adjacent tokens"
	overwritesEvents     fault = "overwrites events"
	refusesRepeatedEvent fault = "refuses a repeated event"
	comparesExpiry       fault = "compares the expiry of a repeated event"
	ignoresContent       fault = "does not compare the content of a repeated event"
	ignoresOrganizer     fault = "does not compare the organizer of a repeated event"
	countsTwice          fault = "counts an RSVP twice"
	ignoresName          fault = "does not compare the name of a repeated RSVP"
	remembersRemoved     fault = "takes a removed RSVP for a repeated one"
	refusesRepeatedRSVP  fault = "refuses a repeated RSVP after the end"
	sortsByHash          fault = "sorts by hash"
	sortsByText          fault = "sorts moments as texts"
	mergesMoments        fault = "keeps one RSVP per moment"
	pagesByTime          fault = "goes on after the moment of the last RSVP"
	overfillsPages       fault = "ends a page with the RSVP that does not fit"
	returnsEmptyPages    fault = "returns a page without RSVPs"
	hasAlwaysMore        fault = "has more after the last page"
	pagesByNumber        fault = "goes on at a number"
	endsAtMegabyte       fault = "ends a list at a megabyte"
	makesEvents          fault = "creates an event with its first RSVP"
	acceptsZeroHash      fault = "takes the zero hash for the organizer's"
	cancelledFirst       fault = "reports to anyone that an event is cancelled"
	expiredFirst         fault = "reports cancelled events as expired"
	expiresLate          fault = "admits after the moment of expiry"
	expiresEarly         fault = "refuses in the moment of expiry"
	cutsExpiry           fault = "expires in whole seconds"
	changesReason        fault = "changes the reason"
	refusesLateCancel    fault = "refuses to cancel an expired event"
	removesBlindly       fault = "counts down without looking"
	keepsAfterEnd        fault = "keeps RSVPs of cancelled events"
	ignoresContext       fault = "ignores the context"
	countsThenGivesUp    fault = "counts, then gives up"
	recreatesCounters    fault = "creates counters again"
	recountsFromZero     fault = "creates a counter with a cancel, and counts down from zero"
	recreatesDetails     fault = "creates details again"
	keepsOrphans         fault = "keeps RSVPs without details"
	recreatesRSVPs       fault = "creates RSVPs again"
	racesToCreate        fault = "creates without a lock"
	racesToAdmit         fault = "admits without a lock"
	racesToAdd           fault = "adds without a lock"
	racesToName          fault = "compares names without a lock"
	racesToRemove        fault = "removes without a lock"
	racesToCancel        fault = "cancels without a lock"
	racesToCount         fault = "counts without a lock"
	countsBelowZero      fault = "counts down for an RSVP that is gone"
	reopensAtExpiry      fault = "admits to a cancelled event that has expired"
)
