package event_test

import (
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

const (
	eventToken     = "11111111-1111-4111-8111-111111111111"
	organizerToken = "22222222-2222-4222-8222-222222222222"
	rsvpToken      = "33333333-3333-4333-8333-333333333333"
)

var now = time.Date(2027, time.April, 1, 12, 0, 0, 123456789, time.UTC)

// newService returns a service whose clock stands still, and whose first tokens are
// eventToken, organizerToken and rsvpToken.
func newService() (*event.Service, *storetest.Memory) {
	store := new(storetest.Memory)
	tokens := []string{eventToken, organizerToken, rsvpToken}
	next := func() event.Token {
		if len(tokens) == 0 {
			return event.NewToken()
		}
		defer func() { tokens = tokens[1:] }()
		return token(tokens[0])
	}
	return &event.Service{Store: store, Now: func() time.Time { return now }, NewToken: next}, store
}

// refusing returns a service that must refuse without its store: a call of it panics.
func refusing() *event.Service {
	service, _ := newService()
	service.Store = nil
	return service
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

func TestCreateEvent(t *testing.T) {
	service, store := newService()
	e, organizer, err := service.CreateEvent(t.Context(), event.CreateEventInput{
		Title:       sent(" Summer\tparty\n"),
		Description: sent(""),
		DateTime:    sent("2027-05-01T19:00:30,5+02:00"),
		Timezone:    sent("Europe/Berlin"),
	}, event.Key{})
	if err != nil || organizer != token(organizerToken) {
		t.Fatal(organizer, err)
	}
	if stored, err := service.Event(t.Context(), eventToken); stored != e || err != nil {
		t.Errorf("stored is %+v, %v, answered %+v", stored, err, e)
	}
	if _, _, err := store.AttendeesByEvent(t.Context(), e.Token, organizer.Hash(), event.Position{}, 1); err != nil {
		t.Errorf("the organizer: %v", err)
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

// TestCreateRSVP: an RSVP is listed as it was stored, until it is cancelled.
func TestCreateRSVP(t *testing.T) {
	service, _ := newService()
	create(t, service)
	rsvp, name, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent(" Anna\u00a0")}, event.Key{})
	if rsvp != token(rsvpToken) || name != " Anna\u00a0" || err != nil {
		t.Errorf("CreateRSVP: %v, %q, %v", rsvp, name, err)
	}
	list := func(after event.Position, want ...event.RSVP) {
		t.Helper()
		rsvps, more, err := service.Attendees(t.Context(), eventToken, organizerToken, after, 5)
		if !slices.Equal(rsvps, want) || more || err != nil {
			t.Errorf("listed are %v, %v, %v, want %v", rsvps, more, err, want)
		}
	}
	want := event.RSVP{Hash: token(rsvpToken).Hash(), Name: " Anna\u00a0", CreatedAt: now}
	list(event.Position{}, want)
	list(want.Position())
	if err := service.CancelRSVP(t.Context(), eventToken, rsvpToken); err != nil {
		t.Error(err)
	}
	list(event.Position{})
}

// malformed are not tokens.
var malformed = []string{"", "1", "11111111111141118111111111111111", "{11111111-1111-4111-8111-111111111111}", "%31", "\x00"}

// The body is validated first, then the event token; then the store is called. There, a
// malformed organizer token is one that does not match.
func TestOrderOfErrors(t *testing.T) {
	invalidName := event.CreateRSVPInput{Name: sent(" ")}
	anna := event.CreateRSVPInput{Name: sent("Anna")}
	for _, bad := range malformed {
		service := refusing()
		wantInvalid(t, service.CancelEvent(t.Context(), bad, bad, event.CancelEventInput{}, event.Key{}), "cancelled is required")
		_, _, err := service.CreateRSVP(t.Context(), bad, invalidName, event.Key{})
		wantInvalid(t, err, "name must not be blank")

		_, readErr := service.Event(t.Context(), bad)
		_, _, addErr := service.CreateRSVP(t.Context(), bad, anna, event.Key{})
		wantErrors(t, event.ErrEventNotFound, map[string]error{"Event": readErr, "CreateRSVP": addErr})
		for _, organizer := range []string{organizerToken, bad} {
			_, _, listErr := service.Attendees(t.Context(), bad, organizer, event.Position{}, 5)
			cancelErr := service.CancelEvent(t.Context(), bad, organizer, confirmed, event.Key{})
			wantErrors(t, event.ErrEventNotFound, map[string]error{"Attendees": listErr, "CancelEvent": cancelErr})
		}
		for _, tokens := range [][2]string{{bad, rsvpToken}, {eventToken, bad}, {bad, bad}} {
			wantErrors(t, nil, map[string]error{"CancelRSVP": service.CancelRSVP(t.Context(), tokens[0], tokens[1])})
		}

		service, _ = newService()
		for _, want := range []error{event.ErrEventNotFound, event.ErrOrganizerToken} {
			_, _, listErr := service.Attendees(t.Context(), eventToken, bad, event.Position{}, 5)
			cancelErr := service.CancelEvent(t.Context(), eventToken, bad, confirmed, event.Key{})
			wantErrors(t, want, map[string]error{"Attendees": listErr, "CancelEvent": cancelErr})
			if want == event.ErrEventNotFound {
				create(t, service)
			}
		}
	}
}

func wantErrors(t *testing.T, want error, calls map[string]error) {
	t.Helper()
	for call, err := range calls {
		if err != want {
			t.Errorf("%s: %v, want %v", call, err, want)
		}
	}
}
