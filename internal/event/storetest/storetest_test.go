package storetest

import (
	"cmp"
	"context"
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
		notReady:          "ready",
		dropsEmptyText:    "keeps events as they are",
		cutsNanoseconds:   "keeps events as they are",
		trimsNames:        "keeps names as they are",
		overwritesEvents:  "keeps an event when its token comes again",
		countsTwice:       "keeps one RSVP when it comes again",
		mixesEvents:       "keeps events apart",
		sortsByHash:       "lists in the order of RSVP",
		sortsByText:       "lists in the order of RSVP",
		mergesMoments:     "lists guests of the same moment",
		endsAtMegabyte:    "lists more than a megabyte",
		makesEvents:       "does not know an unknown event",
		trustsNobody:      "obeys the organizer alone",
		cancelledFirst:    "obeys the organizer alone",
		expiresLate:       "admits until it is cancelled or expires",
		expiresEarly:      "admits until it is cancelled or expires",
		expiredFirst:      "admits until it is cancelled or expires",
		changesReason:     "cancels for good",
		refusesLateCancel: "cancels an expired event",
		removesBlindly:    "removes an RSVP of that event only",
		keepsAfterEnd:     "removes from an event that is over",
		remakesCounters:   "lives on without counters",
		remakesDetails:    "is unknown without details",
		keepsOrphans:      "is unknown without details",
		ignoresContext:    "gives up when the context is done",
		countsThenGivesUp: "gives up when the context is done",
		racesToAdmit:      "a crowd meets a cancelling organizer",
		racesToRemove:     "a crowd removes one RSVP",
		racesToAdd:        "a crowd adds one RSVP",
		racesToCancel:     "a crowd of organizers cancels",
		racesToCount:      "a crowd comes and goes",
	} {
		t.Run(string(f), func(t *testing.T) {
			pattern := "^TestMemory$/^" + strings.ReplaceAll(clause, " ", "_") + "$"
			// A crowd may miss a race once, but not ten times.
			faulty := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+pattern, "-test.count=10", "-test.failfast")
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
	notReady          fault = "is not ready"
	dropsEmptyText    fault = "drops empty texts"
	cutsNanoseconds   fault = "cuts off nanoseconds"
	trimsNames        fault = "trims names"
	overwritesEvents  fault = "overwrites events"
	countsTwice       fault = "counts an RSVP twice"
	mixesEvents       fault = "takes an event for its neighbour"
	sortsByHash       fault = "sorts by hash"
	sortsByText       fault = "sorts moments as texts"
	mergesMoments     fault = "keeps one RSVP per moment"
	endsAtMegabyte    fault = "ends a list at a megabyte"
	makesEvents       fault = "creates an event with its first RSVP"
	trustsNobody      fault = "takes the zero hash for the organizer's"
	cancelledFirst    fault = "tells strangers that an event is cancelled"
	expiresLate       fault = "admits after the moment of expiry"
	expiresEarly      fault = "rounds the moment of an RSVP up"
	expiredFirst      fault = "reports cancelled events as expired"
	changesReason     fault = "changes the reason"
	refusesLateCancel fault = "refuses to cancel an expired event"
	removesBlindly    fault = "counts down without looking"
	keepsAfterEnd     fault = "keeps RSVPs of cancelled events"
	remakesCounters   fault = "remakes counters"
	remakesDetails    fault = "remakes details"
	keepsOrphans      fault = "keeps RSVPs without details"
	ignoresContext    fault = "ignores the context"
	countsThenGivesUp fault = "counts, then gives up"
	racesToAdmit      fault = "admits without a lock"
	racesToRemove     fault = "removes without a lock"
	racesToAdd        fault = "adds without a lock"
	racesToCancel     fault = "cancels without a lock"
	racesToCount      fault = "counts without a lock"
)

// memory is a Store in three maps: one lock makes each of its methods atomic.
type memory struct {
	fault
	mu       sync.Mutex
	details  map[event.Token]details
	counters map[event.Token]int
	rsvps    map[event.Token]map[event.Hash]event.RSVP
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
		if d.organizer.Equal(organizer) && d.SameContent(e) {
			return nil
		}
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
	case m.fault == refusesLateCancel && !now.Before(d.ExpiresAt):
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
	switch {
	case !ok && m.fault == makesEvents:
		m.counters[token]++
		return event.ErrEventNotFound
	case !ok:
		return event.ErrEventNotFound
	case m.rsvps[token][r.Hash].Name != "" && m.fault != countsTwice:
		if m.rsvps[token][r.Hash].Name != r.Name {
			return event.ErrTokenTaken
		}
		return nil
	case m.fault == expiresLate && r.CreatedAt.Add(-1).Equal(d.ExpiresAt) && !d.Cancelled:
	case m.fault == expiresEarly && r.CreatedAt.Add(time.Second).After(d.ExpiresAt) && !d.Cancelled,
		m.fault == expiredFirst && r.CreatedAt.After(d.ExpiresAt):
		return event.ErrEventExpired
	default:
		if err := d.Admits(r.CreatedAt); err != nil {
			return err
		}
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
	_, again := m.rsvps[token][r.Hash]
	m.gap(racesToAdmit)
	m.gap(racesToAdd)
	if !again || m.fault == countsTwice {
		count := m.counters[token]
		m.gap(racesToCount)
		m.rsvps[token][r.Hash] = r
		m.counters[token] = count + 1
	}
	return nil
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
	case !ok && m.fault != removesBlindly,
		m.fault == keepsOrphans && !known,
		m.fault == keepsAfterEnd && d.Cancelled:
		return nil
	}
	m.gap(racesToRemove)
	delete(m.rsvps[token], rsvp)
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
	var rsvps []event.RSVP
	for _, r := range m.rsvps[token] {
		rsvps = append(rsvps, r)
	}
	slices.SortFunc(rsvps, func(a, b event.RSVP) int {
		switch m.fault {
		case sortsByHash:
			return slices.Compare(a.Hash[:], b.Hash[:])
		case sortsByText:
			return cmp.Compare(a.CreatedAt.UTC().Format(time.RFC3339Nano), b.CreatedAt.UTC().Format(time.RFC3339Nano))
		}
		return a.Position().Compare(b.Position())
	})
	if m.fault == sortsByHash || m.fault == sortsByText {
		return rsvps, false, nil
	}
	if m.fault == endsAtMegabyte {
		maxBytes = min(maxBytes, 1<<20)
	}
	page, more := event.Page(rsvps, after, maxBytes)
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

func (m *memory) Forget(_ *testing.T, token event.Token, part Part) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch part {
	case Details:
		delete(m.details, token)
	case Counters:
		delete(m.counters, token)
	case RSVPs:
		delete(m.rsvps, token)
	}
}

func (m *memory) Pieces(_ *testing.T, token event.Token, part Part) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, details := m.details[token]
	_, counters := m.counters[token]
	switch {
	case part == Details && details, part == Counters && counters:
		return 1
	case part == RSVPs:
		return len(m.rsvps[token])
	}
	return 0
}
