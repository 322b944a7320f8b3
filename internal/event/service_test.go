package event_test

import (
	"context"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

const (
	eventToken     = "11111111-1111-4111-8111-111111111111"
	organizerToken = "22222222-2222-4222-8222-222222222222"
)

var now = time.Date(2027, time.April, 1, 12, 0, 0, 123456789, time.UTC)

// newService returns a service whose clock stands still, and whose tokens are in turns
// eventToken and organizerToken.
func newService() (*event.Service, *storetest.Memory) {
	store := new(storetest.Memory)
	next, other := eventToken, organizerToken
	inTurns := func() event.Token {
		next, other = other, next
		return token(other)
	}
	return &event.Service{Store: store, Now: func() time.Time { return now }, NewToken: inTurns}, store
}

func token(s string) event.Token {
	t, ok := event.ParseToken(s)
	if !ok {
		panic(s)
	}
	return t
}

// create makes an event with the tokens eventToken and organizerToken.
func create(t *testing.T, service *event.Service) {
	t.Helper()
	if _, _, err := service.CreateEvent(t.Context(), validEvent(), event.Key{}); err != nil {
		t.Fatal(err)
	}
}

// TestMemory: the contract of the stores, for the parts of this package that they share:
// pages, expiry, and repeated calls.
func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Store { return new(storetest.Memory) })
}

// sent is a member of a request body as the client sent it.
func sent[T any](value T) event.Field[T] { return event.Field[T]{Value: &value} }

func validEvent() event.CreateEventInput {
	return event.CreateEventInput{
		Title:    sent("Summer party"),
		DateTime: sent("2027-05-01T19:00:00+02:00"),
		Timezone: sent("Europe/Berlin"),
	}
}

var confirmed = event.CancelEventInput{Cancelled: sent(true)}

func wantErrors(t *testing.T, want error, calls map[string]error) {
	t.Helper()
	for call, err := range calls {
		if err != want {
			t.Errorf("%s: %v, want %v", call, err, want)
		}
	}
}

// moments records the time that a store is told.
type moments struct {
	event.Store
	cancelled, removed time.Time
}

func (m *moments) CancelEvent(_ context.Context, _ event.Token, _ event.Hash, _ event.Cancellation, now time.Time) error {
	m.cancelled = now
	return nil
}

func (m *moments) RemoveRSVP(_ context.Context, _ event.Token, _ event.Hash, now time.Time) error {
	m.removed = now
	return nil
}

// TestClock: the store is told the time of the service, and when the event expires.
func TestClock(t *testing.T) {
	service, store := newService()
	told := &moments{Store: store}
	service.Store = told
	e, _, err := service.CreateEvent(t.Context(), validEvent(), event.Key{})
	cancelErr := service.CancelEvent(t.Context(), eventToken, organizerToken, confirmed, event.Key{})
	wantErrors(t, nil, map[string]error{"CreateEvent": err, "CancelEvent": cancelErr, "CancelRSVP": service.CancelRSVP(t.Context(), eventToken, eventToken)})
	expires := time.Date(2027, time.May, 8, 17, 0, 0, 0, time.UTC)
	if e.CreatedAt != now || e.ExpiresAt != expires || told.cancelled != now || told.removed != now {
		t.Errorf("created %v, expires %v, cancelled %v, removed %v", e.CreatedAt, e.ExpiresAt, told.cancelled, told.removed)
	}
}
