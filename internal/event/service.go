package event

import (
	"context"
	"errors"
	"time"
)

// Service carries out the operations of the API. Tokens are arguments as the
// client sent them. Besides the errors each method names, every one may return
// ErrUnavailable.
type Service struct {
	Store    Store
	Now      func() time.Time
	NewToken func() Token
}

// NewService returns a Service with the system's clock and random tokens.
func NewService(store Store) *Service {
	return &Service{Store: store, Now: time.Now, NewToken: NewToken}
}

// CreateEvent stores a new event and issues its two tokens. A call repeated with
// its key returns the same ones, as long as the event is stored. Errors: a
// ValidationError; ErrIdempotencyKeyReused if the key has made another event.
func (s *Service) CreateEvent(ctx context.Context, in CreateEventInput, key Key) (e Event, organizer Token, err error) {
	e, err = in.check(key, s.Now())
	if err != nil {
		return Event{}, Token{}, err
	}
	if key.given() {
		e.Token, organizer = key.token(eventPurpose), key.token(organizerPurpose)
	} else {
		e.Token, organizer = s.NewToken(), s.NewToken()
	}
	if err := s.Store.AddEvent(ctx, e, organizer.Hash()); err != nil {
		return Event{}, Token{}, reused(key, err)
	}
	return e, organizer, nil
}

// reused returns ErrIdempotencyKeyReused if err is ErrTokenTaken and the token was
// derived from a key. A random token that is taken is a defect.
func reused(key Key, err error) error {
	if key.given() && errors.Is(err, ErrTokenTaken) {
		return ErrIdempotencyKeyReused
	}
	return err
}

// Event returns an event as the public sees it, or ErrEventNotFound.
func (s *Service) Event(ctx context.Context, eventToken string) (Event, error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return Event{}, ErrEventNotFound
	}
	return s.Store.EventByToken(ctx, token)
}

// CancelEvent cancels an event for good. Errors, the first that applies: a
// ValidationError, ErrEventNotFound, ErrOrganizerToken, ErrAlreadyCancelled.
func (s *Service) CancelEvent(ctx context.Context, eventToken, organizerToken string, in CancelEventInput) error {
	reason, err := in.check()
	if err != nil {
		return err
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return ErrEventNotFound
	}
	return s.Store.CancelEvent(ctx, token, hashOf(organizerToken), reason, s.Now())
}

// CreateRSVP admits a guest and issues the token of the RSVP. A call repeated
// with its key returns the same one, as long as the RSVP is stored, also if the
// event has been cancelled or has expired since. Errors, the first that applies:
// a ValidationError, ErrEventNotFound, ErrIdempotencyKeyReused if the key has
// made an RSVP of another name, ErrEventCancelled, ErrEventExpired. What counts
// is the moment of the call.
func (s *Service) CreateRSVP(ctx context.Context, eventToken string, in CreateRSVPInput, key Key) (rsvp Token, name string, err error) {
	name, err = in.check(key)
	if err != nil {
		return Token{}, "", err
	}
	token, ok := ParseToken(eventToken)
	if !ok {
		return Token{}, "", ErrEventNotFound
	}
	if key.given() {
		rsvp = key.token(rsvpPurpose, token[:]...)
	} else {
		rsvp = s.NewToken()
	}
	err = s.Store.AddRSVP(ctx, token, RSVP{Hash: rsvp.Hash(), Name: name, CreatedAt: s.Now()})
	if err != nil {
		return Token{}, "", reused(key, err)
	}
	return rsvp, name, nil
}

// CancelRSVP deletes an RSVP of an event. Tokens that match none change nothing.
func (s *Service) CancelRSVP(ctx context.Context, eventToken, rsvpToken string) error {
	token, ok := ParseToken(eventToken)
	rsvp, also := ParseToken(rsvpToken)
	if !ok || !also {
		return nil
	}
	return s.Store.RemoveRSVP(ctx, token, rsvp.Hash())
}

// Attendees returns an event's RSVPs as Store.AttendeesByEvent does.
func (s *Service) Attendees(ctx context.Context, eventToken, organizerToken string, after Position, maxBytes int) (rsvps []RSVP, more bool, err error) {
	token, ok := ParseToken(eventToken)
	if !ok {
		return nil, false, ErrEventNotFound
	}
	return s.Store.AttendeesByEvent(ctx, token, hashOf(organizerToken), after, maxBytes)
}

// Ready returns nil once the store answers.
func (s *Service) Ready(ctx context.Context) error { return s.Store.Ready(ctx) }
