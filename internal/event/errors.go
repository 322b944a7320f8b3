package event

import (
	"errors"
	"strings"
)

// The refusals of the domain, which Service and Store return as they are or wrapped. Any other
// error is a defect.
var (
	ErrEventNotFound    = errors.New("event not found")
	ErrOrganizerToken   = errors.New("organizer token does not match the event")
	ErrAlreadyCancelled = errors.New("event is already cancelled")
	ErrEventCancelled   = errors.New("event is cancelled")
	ErrEventExpired     = errors.New("event has expired")
	ErrRSVPNotFound     = errors.New("RSVP not found")

	// ErrTokenTaken means that the token belongs to another event or RSVP, or to an event or RSVP that was cancelled or
	// erased.
	ErrTokenTaken = errors.New("token is taken")

	// ErrIdempotencyKeyReused means that the key was used for other content, or for an event or RSVP
	// that was erased or cancelled since.
	ErrIdempotencyKeyReused = errors.New("idempotency key was used before")

	// ErrUnavailable means that the store did not respond in time, or could not
	// complete the call in time because of conflicts. A write may have happened,
	// but at most once.
	ErrUnavailable = errors.New("store is unavailable")
)

// A FieldError describes an invalid member of a request body, header or query parameter.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"` // completes a sentence that begins with the field's name
}

// A ValidationError holds every field error of a request, in the order in which
// the API documents the fields.
type ValidationError []FieldError

func (v ValidationError) Error() string {
	text := make([]string, len(v))
	for i, f := range v {
		text[i] = f.Field + " " + f.Message
	}
	return strings.Join(text, "; ")
}
