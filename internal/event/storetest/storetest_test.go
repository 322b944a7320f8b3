package storetest

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"turnout/internal/event"
)

const faultVariable = "STORETEST_FAULT"

// TestMemory proves the suite fair: a store without faults passes. TestSuiteBites
// runs it with one.
func TestMemory(t *testing.T) {
	f := fault(os.Getenv(faultVariable))
	Run(t, func(*testing.T) Store { return newMemory(f) })
}

func BenchmarkMemory(b *testing.B) {
	Benchmark(b, func(*testing.B) event.Store { return newMemory("") }, 10, 1_000, 100_000)
}

// TestSuiteBites proves the suite strict: of a store with one fault, it fails
// the clause that is there for it.
func TestSuiteBites(t *testing.T) {
	for f, clause := range map[fault]string{
		notReady:             "ready",
		dropsEmptyText:       "round trip of events",
		cutsNanoseconds:      "round trip of events",
		trimsNames:           "round trip of names",
		mixesEvents:          "events with neighbouring tokens",
		overwritesEvents:     "repeated AddEvent",
		refusesRepeatedEvent: "repeated AddEvent",
		comparesExpiry:       "repeated AddEvent",
		ignoresContent:       "repeated AddEvent",
		ignoresOrganizer:     "repeated AddEvent",
		countsTwice:          "repeated AddRSVP",
		ignoresName:          "repeated AddRSVP",
		remembersRemoved:     "repeated AddRSVP",
		refusesRepeatedRSVP:  "repeated AddRSVP after the end",
		sortsByHash:          "order of the list",
		sortsByText:          "order of the list",
		mergesMoments:        "order of the same moment",
		pagesByTime:          "order of the same moment",
		overfillsPages:       "size of a page",
		returnsEmptyPages:    "size of a page",
		hasAlwaysMore:        "size of a page",
		pagesByNumber:        "pages while guests come and go",
		endsAtMegabyte:       "list of more than a megabyte",
		makesEvents:          "unknown event",
		trustsNobody:         "wrong organizer",
		cancelledFirst:       "wrong organizer",
		expiredFirst:         "admission until cancel or expiry",
		expiresLate:          "expiry to the nanosecond",
		expiresEarly:         "expiry to the nanosecond",
		cutsExpiry:           "expiry to the nanosecond",
		changesReason:        "cancel is final",
		refusesLateCancel:    "cancel of an expired event",
		removesBlindly:       "RemoveRSVP",
		keepsAfterEnd:        "RemoveRSVP after the end",
		ignoresContext:       "context is done",
		countsThenGivesUp:    "context is done",
		remakesCounters:      "without counters",
		remakesDetails:       "without details",
		keepsOrphans:         "without details",
		remakesRSVPs:         "without RSVPs",
		racesToCreate:        "concurrent AddEvent of one event",
		racesToAdmit:         "concurrent AddRSVP and CancelEvent",
		racesToAdd:           "concurrent AddRSVP of one RSVP",
		racesToName:          "concurrent AddRSVP of one token",
		racesToRemove:        "concurrent RemoveRSVP of one RSVP",
		racesToCancel:        "concurrent CancelEvent",
		racesToCount:         "concurrent AddRSVP and RemoveRSVP",
		countsBelowZero:      "any sequence of calls",
		reopensAtExpiry:      "any sequence of calls",
	} {
		t.Run(string(f), func(t *testing.T) {
			pattern := "^TestMemory$/^" + strings.ReplaceAll(clause, " ", "_") + "$"
			// Those who race may miss each other once, but not ten times.
			faulty := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.count=10", "-test.failfast", "-rapid.nofailfile")
			faulty.Env = append(os.Environ(), faultVariable+"="+string(f))
			output, err := faulty.CombinedOutput()
			if err == nil || !strings.Contains(string(output), "--- FAIL: TestMemory/") {
				t.Errorf("%q passes, with the output\n%s", clause, output)
			}
		})
	}
}

// A fault is the guard that a memory lacks.
type fault string

const (
	notReady             fault = "is not ready"
	dropsEmptyText       fault = "drops empty texts"
	cutsNanoseconds      fault = "cuts off nanoseconds"
	trimsNames           fault = "trims names"
	mixesEvents          fault = "takes an event for its neighbour"
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
	trustsNobody         fault = "takes the zero hash for the organizer's"
	cancelledFirst       fault = "tells strangers that an event is cancelled"
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
	remakesCounters      fault = "remakes counters"
	remakesDetails       fault = "remakes details"
	keepsOrphans         fault = "keeps RSVPs without details"
	remakesRSVPs         fault = "remakes RSVPs"
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

// memory is a Store in three maps: one lock makes each of its methods atomic.
type memory struct {
	fault
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

func newMemory(f fault) *memory {
	return &memory{
		fault:    f,
		details:  make(map[event.Token]details),
		counters: make(map[event.Token]int),
		rsvps:    make(map[event.Token]map[event.Hash]event.RSVP),
		removed:  make(map[event.Hash]bool),
	}
}

// begin locks, unless the context is done.
func (m *memory) begin(ctx context.Context) error {
	if ctx.Err() != nil && m.fault != ignoresContext {
		return event.ErrUnavailable
	}
	m.mu.Lock()
	return nil
}

// gap is where a faulty memory lets others in between its look and its leap.
func (m *memory) gap(f fault) {
	if m.fault == f {
		m.mu.Unlock()
		runtime.Gosched()
		m.mu.Lock()
	}
}

func (m *memory) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
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

func (m *memory) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
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

func (m *memory) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, now time.Time) error {
	if err := m.begin(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	d, ok := m.details[token]
	switch {
	case m.fault == remakesDetails:
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
	return nil
}

func (m *memory) organizes(d details, h event.Hash) bool {
	return d.organizer.Equal(h) || m.fault == trustsNobody && h == event.Hash{}
}

func (m *memory) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
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
func (m *memory) admits(d details, at time.Time) error {
	refused := d.Admits(at)
	switch {
	case m.fault == expiresLate && at.Add(-1).Equal(d.ExpiresAt) && !d.Cancelled,
		m.fault == reopensAtExpiry && at.After(d.ExpiresAt.Add(1)) && d.Cancelled,
		m.fault == remakesRSVPs && len(m.rsvps[d.Token]) == 0 && m.counters[d.Token] > 0:
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

// uncount makes up for the premature count, but for a context that was done.
func (m *memory) uncount(ctx context.Context, token event.Token) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() == nil {
		m.counters[token] = len(m.rsvps[token])
	}
}

func (m *memory) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash) error {
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
	if _, ok := m.counters[token]; ok || m.fault == remakesCounters {
		m.counters[token]--
	}
	return nil
}

func (m *memory) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) ([]event.RSVP, bool, error) {
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

func (m *memory) Ready(ctx context.Context) error {
	if m.fault == notReady {
		return event.ErrUnavailable
	}
	if err := m.begin(ctx); err != nil {
		return err
	}
	m.mu.Unlock()
	return nil
}

func (m *memory) Pieces(_ context.Context, token event.Token) (pieces []Piece, _ error) {
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

func (m *memory) Forget(_ context.Context, token event.Token, p Piece) error {
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
