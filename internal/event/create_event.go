package event

import (
	"context"
	"time"
)

// CreateEventInput is the body of a create-event request, unchecked.
type CreateEventInput struct {
	Title, Description, DateTime, Timezone, Location, Host, Language Field[string]
}

// check returns the event, created now and still without a token, or a ValidationError.
func (in CreateEventInput) check(key Key, now time.Time) (Event, error) {
	var invalid ValidationError
	invalid.key(key)
	e := Event{
		Title:       invalid.requiredText("title", in.Title, maxTitle),
		Description: invalid.optionalText("description", in.Description, maxDescription),
		CreatedAt:   now,
	}
	if text, ok := invalid.required("dateTime", in.DateTime); ok {
		rfc3339, at, problem := parseDateTime(text)
		if problem != "" {
			invalid.add("dateTime", problem)
		}
		e.DateTime, e.ExpiresAt = rfc3339, expiry(at)
	}
	if name, ok := invalid.required("timezone", in.Timezone); ok {
		if !isTimezone(name) {
			invalid.add("timezone", "must be the IANA name of a time zone, such as Europe/Berlin")
		}
		e.Timezone = name
	}
	e.Location = invalid.optionalText("location", in.Location, maxLocation)
	if in.Host != (Field[string]{}) {
		e.Host = new(invalid.requiredText("host", in.Host, maxName))
	}
	if in.Language != (Field[string]{}) {
		tag, ok := invalid.required("language", in.Language)
		if ok && !IsLanguage(tag) {
			invalid.add("language", "must be a language tag (BCP 47) of 2 to 35 characters, such as de-AT")
		}
		e.Language = &tag
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
