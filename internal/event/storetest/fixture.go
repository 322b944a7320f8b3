package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"time"

	"turnout/internal/event"
)

// The times of the suite are far in the future, because a store that deletes expired events by its own
// clock must not do so during a test.
var (
	created  = time.Date(2100, time.June, 1, 12, 0, 0, 123456789, time.UTC)
	answered = created.Add(time.Hour)
	expires  = time.Date(2100, time.June, 22, 17, 0, 0, 0, time.UTC)
	over     = expires.Add(time.Hour)
)

// patience is much more than a call takes. It ends tests that hang.
const patience = 30 * time.Second

// tester is the common part of *testing.T and *rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

// A fixture is an event in a store, with all of its tokens.
type fixture struct {
	t         tester
	store     Movable
	event     event.Event // the event as it was created
	organizer event.Hash
}

// newFixture creates an event without guests.
func newFixture(t tester, s Movable) fixture {
	t.Helper()
	return newFixtureOf(t, s, sampleEvent())
}

// newFixtureOf creates the event e, without guests.
func newFixtureOf(t tester, s Movable, e event.Event) fixture {
	t.Helper()
	f := fixture{t, s, e, randomHash()}
	f.wantNil("CreateEvent", f.createEvent(e, f.organizer))
	return f
}

func sampleEvent() event.Event {
	return event.Event{
		Token:       event.NewToken(),
		Title:       "Summer party",
		Description: new("Bring a cake."),
		DateTime:    "2100-06-15T19:00:00+02:00",
		EndDateTime: new("2100-06-16T01:00:00+02:00"),
		Timezone:    "Europe/Berlin",
		Location:    new("The garden"),
		Host:        new("Mara & Jo"),
		Language:    new("de-AT"),
		CreatedAt:   created,
		ExpiresAt:   expires,
	}
}

// rsvp returns the RSVP of a guest, made n nanoseconds after answered.
func rsvp(n int, name string) event.RSVP {
	return event.RSVP{ID: randomID(), Name: name, CreatedAt: answered.Add(time.Duration(n))}
}

func randomHash() event.Hash { return event.NewToken().Hash() }

func randomID() event.RSVPID { return event.NewToken().RSVPID() }

// ctx is the context of one call.
func (f fixture) ctx() context.Context {
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	context.AfterFunc(f.t.Context(), cancel)
	return ctx
}

// The next methods call the store's methods for this event, with a time limit.

func (f fixture) createEvent(e event.Event, organizer event.Hash) error {
	return f.store.CreateEvent(f.ctx(), e, organizer)
}

func (f fixture) getEvent() (event.Event, error) {
	return f.store.GetEvent(f.ctx(), f.event.Token)
}

func (f fixture) cancelEvent(organizer event.Hash, reason *string, now time.Time) error {
	return f.cancelEventWith(organizer, event.Cancellation{Reason: reason}, now)
}

func (f fixture) cancelEventWith(organizer event.Hash, c event.Cancellation, now time.Time) error {
	return f.store.CancelEvent(f.ctx(), f.event.Token, organizer, c, now)
}

func (f fixture) createRSVP(r event.RSVP) error {
	return f.store.CreateRSVP(f.ctx(), f.event.Token, r)
}

func (f fixture) getRSVP(rsvp event.RSVPID) (string, error) {
	return f.store.GetRSVP(f.ctx(), f.event.Token, rsvp)
}

func (f fixture) cancelRSVP(rsvp event.RSVPID) error {
	return f.store.CancelRSVP(f.ctx(), f.event.Token, rsvp, answered)
}

func (f fixture) listAttendees(organizer event.Hash) ([]event.RSVP, error) {
	return List(f.ctx(), f.store, f.event.Token, organizer)
}

// admit creates the RSVPs of guests who answer one after the other, and returns their RSVPs.
func (f fixture) admit(names ...string) []event.RSVP {
	f.t.Helper()
	rsvps := make([]event.RSVP, len(names))
	for i, name := range names {
		rsvps[i] = rsvp(i, name)
		f.wantNil("CreateRSVP", f.createRSVP(rsvps[i]))
	}
	return rsvps
}

func namesOf(rsvps []event.RSVP) []string {
	names := make([]string, len(rsvps))
	for i, r := range rsvps {
		names[i] = r.Name
	}
	return names
}

func (f fixture) wantNil(call string, err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("%s: %v, want nil", call, err)
	}
}

// wantError accepts want, bare or wrapped, unless another error of the domain is wrapped with it. If want is nil, err
// must be nil.
func (f fixture) wantError(call string, err, want error) {
	f.t.Helper()
	if want == nil {
		f.wantNil(call, err)
		return
	}
	for _, e := range []error{
		event.ErrEventNotFound, event.ErrOrganizerToken, event.ErrAlreadyCancelled, event.ErrEventCancelled,
		event.ErrEventExpired, event.ErrRSVPNotFound, event.ErrTokenTaken, event.ErrUnavailable,
	} {
		if errors.Is(err, e) != (e == want) {
			f.t.Errorf("%s: %v, want %v", call, err, want)
			return
		}
	}
}

// wantEvent compares all fields. Times are equal if they are the same instant, in any zone.
func (f fixture) wantEvent(want event.Event) {
	f.t.Helper()
	got, err := f.getEvent()
	f.wantNil("GetEvent", err)
	for _, e := range []*event.Event{&got, &want} {
		e.CreatedAt, e.ExpiresAt = e.CreatedAt.UTC(), e.ExpiresAt.UTC()
	}
	if !reflect.DeepEqual(got, want) {
		has, _ := json.Marshal(got)
		wants, _ := json.Marshal(want)
		f.t.Errorf("the event is %.2000s, want %.2000s", has, wants)
	}
}

// wantGuests asserts these names in this order, and their number as the count.
func (f fixture) wantGuests(names ...string) {
	f.t.Helper()
	if got := f.guests(); !slices.Equal(got, names) {
		f.t.Errorf("attendees are %.200q, want %.200q", got, names)
	}
}

// wantSame asserts the same names, in any order.
func (f fixture) wantSame(what string, got, want []string) {
	f.t.Helper()
	if missing, surplus := difference(want, got), difference(got, want); len(missing)+len(surplus) > 0 {
		f.t.Errorf("of %d %s %d are missing and %d too many", len(want), what, len(missing), len(surplus))
	}
}

// guests returns the names of the list after comparing it with the count.
func (f fixture) guests() []string {
	f.t.Helper()
	e, err := f.getEvent()
	f.wantNil("GetEvent", err)
	rsvps, err := f.listAttendees(f.organizer)
	f.wantNil("ListAttendees", err)
	if e.AttendeeCount != len(rsvps) {
		f.t.Errorf("the count is %d, the list has %d", e.AttendeeCount, len(rsvps))
	}
	return namesOf(rsvps)
}

// difference returns the surplus of a over b, as multisets.
func difference[T comparable](a, b []T) (more []T) {
	left := make(map[T]int)
	for _, v := range b {
		left[v]++
	}
	for _, v := range a {
		if left[v]--; left[v] < 0 {
			more = append(more, v)
		}
	}
	return more
}

// wantUnchanged runs do and asserts the event, its guests and all items as before.
func (f fixture) wantUnchanged(do func()) {
	f.t.Helper()
	before, err := f.getEvent()
	f.wantNil("GetEvent", err)
	names, items := f.guests(), f.items()
	do()
	f.wantEvent(before)
	f.wantGuests(names...)
	if now := f.items(); len(difference(now, items))+len(difference(items, now)) > 0 {
		f.t.Errorf("stored are %v, want %v", now, items)
	}
}

// items returns the stored items of the event.
func (f fixture) items() []Item {
	f.t.Helper()
	items, err := f.store.(Store).Items(f.ctx(), f.event.Token)
	f.wantNil("Items", err)
	return items
}

// wantNothingRecreated runs do, and asserts that it has added no item.
func (f fixture) wantNothingRecreated(do func()) {
	f.t.Helper()
	before := f.items()
	do()
	if more := difference(f.items(), before); len(more) > 0 {
		f.t.Errorf("created again: %v", more)
	}
}
