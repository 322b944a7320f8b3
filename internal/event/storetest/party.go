package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"turnout/internal/event"
)

// The suite's own time lies far ahead: a store that forgets expired events by
// its own clock must not do so during a test.
var (
	created  = time.Date(2100, time.June, 1, 12, 0, 0, 123456789, time.UTC)
	answered = created.Add(time.Hour)
	expires  = time.Date(2100, time.June, 22, 17, 0, 0, 0, time.UTC)
	over     = expires.Add(time.Hour)
)

// patience is far more than any call takes. It only ends tests that hang.
const patience = 30 * time.Second

// A party is an event in a store, seen by someone who holds all of its tokens.
type party struct {
	t         *testing.T
	store     Store
	event     event.Event // as it was added
	organizer event.Hash
}

// newParty adds an event without guests.
func newParty(t *testing.T, s Store) party {
	t.Helper()
	return hold(t, s, sampleEvent())
}

// hold adds the event e.
func hold(t *testing.T, s Store, e event.Event) party {
	t.Helper()
	p := party{t, s, e, randomHash()}
	ctx, done := p.deadline()
	defer done()
	if err := s.AddEvent(ctx, e, p.organizer); err != nil {
		t.Fatalf("AddEvent: %v", err)
	}
	return p
}

func sampleEvent() event.Event {
	return event.Event{
		Token:       event.NewToken(),
		Title:       "Summer party",
		Description: new("Bring a cake."),
		DateTime:    "2100-06-15T19:00:00+02:00",
		Timezone:    "Europe/Berlin",
		Location:    new("The garden"),
		CreatedAt:   created,
		ExpiresAt:   expires,
	}
}

// rsvp is the answer of a guest, n nanoseconds after answered.
func rsvp(n int, name string) event.RSVP {
	return event.RSVP{Hash: randomHash(), Name: name, CreatedAt: answered.Add(time.Duration(n))}
}

func randomHash() event.Hash { return event.NewToken().Hash() }

func (p party) deadline() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.t.Context(), patience)
}

// The methods of the store, for this event and in time.

func (p party) read() (event.Event, error) {
	ctx, done := p.deadline()
	defer done()
	return p.store.EventByToken(ctx, p.event.Token)
}

func (p party) cancel(organizer event.Hash, reason *string, now time.Time) error {
	ctx, done := p.deadline()
	defer done()
	return p.store.CancelEvent(ctx, p.event.Token, organizer, reason, now)
}

func (p party) add(r event.RSVP) error {
	ctx, done := p.deadline()
	defer done()
	return p.store.AddRSVP(ctx, p.event.Token, r)
}

func (p party) remove(rsvp event.Hash) error {
	ctx, done := p.deadline()
	defer done()
	return p.store.RemoveRSVP(ctx, p.event.Token, rsvp)
}

func (p party) list(organizer event.Hash) ([]string, error) {
	ctx, done := p.deadline()
	defer done()
	rsvps, more, err := p.store.AttendeesByEvent(ctx, p.event.Token, organizer, event.Position{}, math.MaxInt)
	if more {
		p.t.Error("a list without bounds has more")
	}
	var names []string
	for _, r := range rsvps {
		names = append(names, r.Name)
	}
	return names, err
}

// admit adds guests who answer one after the other, and returns their RSVPs.
func (p party) admit(names ...string) []event.Hash {
	p.t.Helper()
	var hashes []event.Hash
	for i, name := range names {
		r := rsvp(i, name)
		p.wantNil("AddRSVP", p.add(r))
		hashes = append(hashes, r.Hash)
	}
	return hashes
}

func (p party) wantNil(call string, err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%s: %v, want nil", call, err)
	}
}

// wantError takes want alone, or wrapped, but no second error of the domain with it.
func (p party) wantError(call string, err, want error) {
	p.t.Helper()
	for _, e := range []error{
		event.ErrEventNotFound, event.ErrOrganizerToken, event.ErrAlreadyCancelled,
		event.ErrEventCancelled, event.ErrEventExpired, event.ErrTokenTaken, event.ErrUnavailable,
	} {
		if errors.Is(err, e) != (e == want) {
			p.t.Errorf("%s: %v, want %v", call, err, want)
			return
		}
	}
}

// wantEvent compares field by field, so that none can be left out.
func (p party) wantEvent(want event.Event) {
	p.t.Helper()
	got, err := p.read()
	p.wantNil("EventByToken", err)
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		has, wants := shown(g.Field(i).Interface()), shown(w.Field(i).Interface())
		if has != wants {
			p.t.Errorf("%s is %.200s, want %.200s", g.Type().Field(i).Name, has, wants)
		}
	}
}

// shown prints what a field says: a moment is the same in every zone.
func shown(field any) string {
	switch f := field.(type) {
	case time.Time:
		return f.UTC().Format(time.RFC3339Nano)
	case *string:
		if f == nil {
			return "nothing"
		}
		return strconv.Quote(*f)
	case string:
		return strconv.Quote(f)
	}
	return fmt.Sprint(field)
}

// wantGuests wants these names in this order, and their number as the count.
func (p party) wantGuests(names ...string) {
	p.t.Helper()
	if got := p.guests(); !slices.Equal(got, names) {
		p.t.Errorf("attendees are %.200q, want %.200q", got, names)
	}
}

// wantCrowd is wantGuests where the order is chance.
func (p party) wantCrowd(names []string) {
	p.t.Helper()
	got := p.guests()
	missing, surplus := difference(names, got), difference(got, names)
	if len(missing)+len(surplus) > 0 {
		p.t.Errorf("of %d attendees %d are missing and %d too many", len(names), len(missing), len(surplus))
	}
}

// guests returns the list after comparing it with the count.
func (p party) guests() []string {
	p.t.Helper()
	e, err := p.read()
	p.wantNil("EventByToken", err)
	names, err := p.list(p.organizer)
	p.wantNil("AttendeesByEvent", err)
	if e.AttendeeCount != len(names) {
		p.t.Errorf("the count is %d, the list has %d", e.AttendeeCount, len(names))
	}
	return names
}

// difference returns what a has more often than b.
func difference(a, b []string) (more []string) {
	left := make(map[string]int)
	for _, s := range b {
		left[s]++
	}
	for _, s := range a {
		if left[s]--; left[s] < 0 {
			more = append(more, s)
		}
	}
	return more
}

// wantUnchanged runs do and wants the event, its guests and all pieces as before.
func (p party) wantUnchanged(do func()) {
	p.t.Helper()
	before, err := p.read()
	p.wantNil("EventByToken", err)
	names, pieces := p.guests(), p.pieces()
	do()
	p.wantEvent(before)
	p.wantGuests(names...)
	p.wantPieces(pieces)
}

// pieces tells how many pieces of details, counters and RSVPs the store has.
func (p party) pieces() string {
	p.t.Helper()
	count := func(part Part) int { return p.store.Pieces(p.t, p.event.Token, part) }
	return fmt.Sprintf("%d details, %d counters, %d RSVPs", count(Details), count(Counters), count(RSVPs))
}

func (p party) wantPieces(want string) {
	p.t.Helper()
	if got := p.pieces(); got != want {
		p.t.Errorf("stored are %s, want %s", got, want)
	}
}
