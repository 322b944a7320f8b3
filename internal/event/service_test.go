package event_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

const (
	eventToken     = "11111111-1111-4111-8111-111111111111"
	organizerToken = "22222222-2222-4222-8222-222222222222"
	rsvpToken      = "33333333-3333-4333-8333-333333333333"
)

var now = time.Date(2027, time.April, 1, 12, 0, 0, 123456789, time.UTC)

// newService returns a service whose clock stands still, and whose first tokens
// are eventToken and organizerToken, on a store whose calls all succeed.
func newService() (*event.Service, *recorder) {
	store := new(recorder)
	tokens := []string{eventToken, organizerToken, rsvpToken}
	return &event.Service{
		Store: store,
		Now:   func() time.Time { return now },
		NewToken: func() event.Token {
			next := token(tokens[0])
			tokens = tokens[1:]
			return next
		},
	}, store
}

func token(s string) event.Token {
	t, ok := event.ParseToken(s)
	if !ok {
		panic(s)
	}
	return t
}

// recorder is a Store that records its calls and fails them with err, if set.
type recorder struct {
	calls  []string
	added  event.Event
	reason *string
	key    event.Hash
	rsvp   event.RSVP
	err    error
}

func (r *recorder) record(name string, args ...any) error {
	r.calls = append(r.calls, call(name, args...))
	return r.err
}

func call(name string, args ...any) string {
	return fmt.Sprint(name, args)
}

func (r *recorder) wantCalls(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.calls, want) {
		t.Errorf("the store is called with %q, want %q", r.calls, want)
	}
}

func (r *recorder) AddEvent(_ context.Context, e event.Event, organizer event.Hash) error {
	r.added = e
	return r.record("AddEvent", e.Token, organizer)
}

func (r *recorder) EventByToken(_ context.Context, token event.Token) (event.Event, error) {
	return event.Event{Token: token}, r.record("EventByToken", token)
}

func (r *recorder) CancelEvent(_ context.Context, token event.Token, organizer event.Hash, reason *string, key event.Hash, now time.Time) error {
	r.reason, r.key = reason, key
	return r.record("CancelEvent", token, organizer, now)
}

func (r *recorder) AddRSVP(_ context.Context, token event.Token, rsvp event.RSVP) error {
	r.rsvp = rsvp
	return r.record("AddRSVP", token, rsvp.Hash)
}

func (r *recorder) RemoveRSVP(_ context.Context, token event.Token, rsvp event.Hash, now time.Time) error {
	return r.record("RemoveRSVP", token, rsvp, now)
}

func (r *recorder) AttendeesByEvent(_ context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) ([]event.RSVP, bool, error) {
	return []event.RSVP{{Name: "Anna"}, {Name: "Ben"}}, true, r.record("AttendeesByEvent", token, organizer, after, maxBytes)
}

func (r *recorder) Ready(context.Context) error { return r.record("Ready") }

func TestCreateEvent(t *testing.T) {
	service, store := newService()
	e, organizer, err := service.CreateEvent(t.Context(), event.CreateEventInput{
		Title:       sent(" Summer\tparty\n"),
		Description: sent(""),
		DateTime:    sent("2027-05-01T19:00:30,5+02:00"),
		Timezone:    sent("Europe/Berlin"),
	}, event.Key{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Token != token(eventToken) || organizer != token(organizerToken) {
		t.Errorf("the tokens are %v and %v", e.Token, organizer)
	}
	store.wantCalls(t, call("AddEvent", token(eventToken), token(organizerToken).Hash()))
	if e != store.added {
		t.Errorf("stored is %+v, answered %+v", store.added, e)
	}
	if e.Description == nil || *e.Description != "" || e.Location != nil {
		t.Errorf("description and location are %v, %v", e.Description, e.Location)
	}
	e.Description = nil
	if want := (event.Event{
		Token:     token(eventToken),
		Title:     " Summer\tparty\n",
		DateTime:  "2027-05-01T19:00:30.5+02:00",
		Timezone:  "Europe/Berlin",
		CreatedAt: now,
		ExpiresAt: time.Date(2027, time.May, 8, 17, 0, 30, 500_000_000, time.UTC),
	}); e != want {
		t.Errorf("the event is %+v, want %+v", e, want)
	}
}

func TestEvent(t *testing.T) {
	service, store := newService()
	e, err := service.Event(t.Context(), eventToken)
	if e.Token != token(eventToken) || err != nil {
		t.Errorf("Event: %v, %v", e.Token, err)
	}
	store.wantCalls(t, call("EventByToken", token(eventToken)))
}

func TestCancelEvent(t *testing.T) {
	for _, reason := range []event.Field[string]{absent, sent(""), sent(" rain\n")} {
		service, store := newService()
		err := service.CancelEvent(t.Context(), eventToken, organizerToken, event.CancelEventInput{Cancelled: sent(true), Reason: reason}, event.Key{})
		if err != nil {
			t.Fatal(err)
		}
		store.wantCalls(t, call("CancelEvent", token(eventToken), token(organizerToken).Hash(), now))
		if (store.reason == nil) != (reason.Value == nil) || store.reason != nil && *store.reason != *reason.Value {
			t.Errorf("the reason %v is stored as %v", reason.Value, store.reason)
		}
		if (store.key != event.Hash{}) {
			t.Errorf("without a key the store gets %x", store.key)
		}
	}
}

// TestCancelKey: the store gets a hash of the event and the key.
func TestCancelKey(t *testing.T) {
	hashes := map[event.Hash]bool{{}: true}
	for _, key := range []string{aKey, otherKey} {
		for _, at := range []string{eventToken, organizerToken} {
			for range 2 {
				service, store := newService()
				err := service.CancelEvent(t.Context(), at, organizerToken, event.CancelEventInput{Cancelled: sent(true)}, event.ParseKey([]string{key}))
				if hashes[store.key] = true; err != nil {
					t.Error(err)
				}
			}
		}
	}
	if len(hashes) != 1+4 {
		t.Errorf("%d hashes of two keys at two events", len(hashes)-1)
	}
}

func TestCreateRSVP(t *testing.T) {
	service, store := newService()
	service.NewToken = func() event.Token { return token(rsvpToken) }
	rsvp, name, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent(" Anna\u00a0")}, event.Key{})
	if rsvp != token(rsvpToken) || name != " Anna\u00a0" || err != nil {
		t.Errorf("CreateRSVP: %v, %q, %v", rsvp, name, err)
	}
	store.wantCalls(t, call("AddRSVP", token(eventToken), token(rsvpToken).Hash()))
	if want := (event.RSVP{Hash: token(rsvpToken).Hash(), Name: " Anna\u00a0", CreatedAt: now}); store.rsvp != want {
		t.Errorf("stored is %+v, want %+v", store.rsvp, want)
	}
}

func TestCancelRSVP(t *testing.T) {
	service, store := newService()
	if err := service.CancelRSVP(t.Context(), eventToken, rsvpToken); err != nil {
		t.Error(err)
	}
	store.wantCalls(t, call("RemoveRSVP", token(eventToken), token(rsvpToken).Hash(), now))
}

func TestAttendees(t *testing.T) {
	service, store := newService()
	after := event.Position{CreatedAt: now, Hash: token(rsvpToken).Hash()}
	rsvps, more, err := service.Attendees(t.Context(), eventToken, organizerToken, after, 5)
	if !slices.Equal(rsvps, []event.RSVP{{Name: "Anna"}, {Name: "Ben"}}) || !more || err != nil {
		t.Errorf("Attendees: %v, %v, %v", rsvps, more, err)
	}
	store.wantCalls(t, call("AttendeesByEvent", token(eventToken), token(organizerToken).Hash(), after, 5))
}

// malformed are not tokens.
var malformed = []string{"", "1", "11111111111141118111111111111111", "{11111111-1111-4111-8111-111111111111}", "%31", "\x00"}

// The body is validated first, then the event token; then the store is called.
func TestOrderOfErrors(t *testing.T) {
	invalidName := event.CreateRSVPInput{Name: sent(" ")}
	anna := event.CreateRSVPInput{Name: sent("Anna")}
	for _, bad := range malformed {
		service, store := newService()
		store.err = errors.New("the store is called")

		wantInvalid(t, service.CancelEvent(t.Context(), bad, bad, event.CancelEventInput{}, event.Key{}), "cancelled is required")
		_, _, err := service.CreateRSVP(t.Context(), bad, invalidName, event.Key{})
		wantInvalid(t, err, "name must not be blank")

		_, err = service.Event(t.Context(), bad)
		wantNotFound(t, "Event", err)
		wantNotFound(t, "CancelEvent", service.CancelEvent(t.Context(), bad, organizerToken, confirmed, event.Key{}))
		wantNotFound(t, "CancelEvent", service.CancelEvent(t.Context(), bad, bad, confirmed, event.Key{}))
		_, _, err = service.CreateRSVP(t.Context(), bad, anna, event.Key{})
		wantNotFound(t, "CreateRSVP", err)
		_, _, err = service.Attendees(t.Context(), bad, organizerToken, event.Position{}, 5)
		wantNotFound(t, "Attendees", err)
		_, _, err = service.Attendees(t.Context(), bad, bad, event.Position{}, 5)
		wantNotFound(t, "Attendees", err)

		for _, tokens := range [][2]string{{bad, rsvpToken}, {eventToken, bad}, {bad, bad}} {
			if err := service.CancelRSVP(t.Context(), tokens[0], tokens[1]); err != nil {
				t.Errorf("CancelRSVP with %q: %v", tokens, err)
			}
		}
		store.wantCalls(t)
	}
}

func wantNotFound(t *testing.T, call string, err error) {
	t.Helper()
	if err != event.ErrEventNotFound {
		t.Errorf("%s: %v, want %v", call, err, event.ErrEventNotFound)
	}
}

// A malformed organizer token must not hide that the event does not exist: the
// store is called, with the hash that belongs to no token.
func TestMalformedOrganizerToken(t *testing.T) {
	for _, bad := range malformed {
		service, store := newService()
		store.err = event.ErrOrganizerToken
		if err := service.CancelEvent(t.Context(), eventToken, bad, confirmed, event.Key{}); err != event.ErrOrganizerToken {
			t.Errorf("CancelEvent with %q: %v", bad, err)
		}
		if _, _, err := service.Attendees(t.Context(), eventToken, bad, event.Position{}, 5); err != event.ErrOrganizerToken {
			t.Errorf("Attendees with %q: %v", bad, err)
		}
		store.wantCalls(t,
			call("CancelEvent", token(eventToken), event.Hash{}, now),
			call("AttendeesByEvent", token(eventToken), event.Hash{}, event.Position{}, 5))
	}
}

// Errors of the store are returned, without a result.
func TestStoreErrorsPass(t *testing.T) {
	for _, want := range []error{
		event.ErrEventNotFound, event.ErrOrganizerToken, event.ErrAlreadyCancelled, event.ErrEventCancelled,
		event.ErrEventExpired, fmt.Errorf("dialling: %w", event.ErrUnavailable), errors.New("a defect"),
	} {
		service, store := newService()
		store.err = want
		e, organizer, err := service.CreateEvent(t.Context(), validEvent(), event.Key{})
		if (err != want || e != event.Event{} || organizer != event.Token{}) {
			t.Errorf("CreateEvent: %v, %v, %v", e, organizer, err)
		}
		rsvp, name, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent("Anna")}, event.Key{})
		if (err != want || rsvp != event.Token{} || name != "") {
			t.Errorf("CreateRSVP: %v, %q, %v", rsvp, name, err)
		}
		_, readErr := service.Event(t.Context(), eventToken)
		_, _, listErr := service.Attendees(t.Context(), eventToken, organizerToken, event.Position{}, 5)
		for call, err := range map[string]error{
			"Event":       readErr,
			"Attendees":   listErr,
			"CancelEvent": service.CancelEvent(t.Context(), eventToken, organizerToken, confirmed, event.Key{}),
			"CancelRSVP":  service.CancelRSVP(t.Context(), eventToken, rsvpToken),
			"Ready":       service.Ready(t.Context()),
		} {
			if err != want {
				t.Errorf("%s: %v, want %v", call, err, want)
			}
		}
	}
}
