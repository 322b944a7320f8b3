package event

import (
	"context"
	"time"
)

// CreateEventInput is the body of a create-event request, unchecked: its members by name.
type CreateEventInput map[string]*Field[string]

// NewCreateEventInput returns a body in which no member was sent.
func NewCreateEventInput() CreateEventInput {
	in, fields := CreateEventInput{}, make([]Field[string], len(contents))
	for i, c := range contents {
		in[c.name] = &fields[i]
	}
	return in
}

// check returns the event, created now and still without a token, or a ValidationError.
func (in CreateEventInput) check(key Key, now time.Time) (Event, error) {
	var invalid ValidationError
	invalid.key(key)
	e := Event{CreatedAt: now}
	for _, c := range contents {
		text := invalid.text(c.name, *in[c.name], c.required != nil, &e, c.check)
		if c.optional != nil {
			*c.optional(&e) = text
		} else if text != nil {
			*c.required(&e) = *text
		}
	}
	return e, invalid.orNil()
}

// CreateEvent stores a new event and issues its two tokens. A repeat with the same key
// returns the same tokens, as long as the event is stored. Errors: a ValidationError;
// ErrIdempotencyKeyReused if the key was used for another event.
func (s *Service) CreateEvent(ctx context.Context, in CreateEventInput, key Key) (e Event, organizer Token, err error) {
	e, err = in.check(key, s.Now())
	if err != nil {
		return Event{}, Token{}, err
	}
	if key.given() {
		e.Token, organizer = key.token(eventPurpose), key.token(organizerPurpose)
	} else {
		e.Token, organizer = NewToken(), NewToken()
	}
	if err := reused(key, s.Store.CreateEvent(ctx, e, organizer.Hash())); err != nil {
		return Event{}, Token{}, err
	}
	return e, organizer, nil
}
