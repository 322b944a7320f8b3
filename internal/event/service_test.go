package event_test

import (
	"context"
	"errors"
	"slices"
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

// newService returns a service whose clock stands still. The service has an event with the tokens eventToken and
// organizerToken.
func newService(t *testing.T) *event.Service {
	t.Helper()
	store := new(storetest.Memory)
	e := event.Event{Token: token(eventToken), ExpiresAt: now}
	if err := store.CreateEvent(t.Context(), e, token(organizerToken).Hash()); err != nil {
		t.Fatal(err)
	}
	return &event.Service{Store: store, Now: func() time.Time { return now }}
}

func token(s string) event.Token {
	t, ok := event.ParseToken(s)
	if !ok {
		panic(s)
	}
	return t
}

// sent returns a request body's member that the client has set.
func sent[T any](value T) event.Field[T] { return event.Field[T]{Value: &value} }

func validEvent() event.CreateEventInput {
	in := event.NewCreateEventInput()
	*in["title"] = sent("Summer party")
	*in["dateTime"] = sent("2027-05-01T19:00:00+02:00")
	*in["timezone"] = sent("Europe/Berlin")
	return in
}

var confirmed = event.CancelEventInput{Cancelled: sent(true)}

// told is a store that records the times that the service passes to it.
type told struct {
	event.Store
	times []time.Time
}

func (s *told) CreateEvent(_ context.Context, e event.Event, _ event.Hash) error {
	s.times = append(s.times, e.CreatedAt, e.ExpiresAt)
	return nil
}

func (s *told) CancelEvent(_ context.Context, _ event.Token, _ event.Hash, _ event.Cancellation, now time.Time) error {
	s.times = append(s.times, now)
	return nil
}

func (s *told) CancelRSVP(_ context.Context, _ event.Token, _ event.RSVPID, now time.Time) error {
	s.times = append(s.times, now)
	return nil
}

// TestClock: the service passes its own time, and the event's expiry, to the store.
func TestClock(t *testing.T) {
	store := &told{}
	service := &event.Service{Store: store, Now: func() time.Time { return now }}
	_, _, err := service.CreateEvent(t.Context(), validEvent(), event.Key{})
	err = errors.Join(err,
		service.CancelEvent(t.Context(), eventToken, organizerToken, confirmed, event.Key{}),
		service.CancelRSVP(t.Context(), eventToken, eventToken))
	expires := time.Date(2027, time.May, 8, 17, 0, 0, 0, time.UTC)
	if err != nil || !slices.Equal(store.times, []time.Time{now, expires, now, now}) {
		t.Errorf("told %v, %v", store.times, err)
	}
}
