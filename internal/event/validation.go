package event

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// The bounds of texts, in Unicode code points, inclusive.
const (
	maxTitle       = 200
	maxDescription = 2000
	maxLocation    = 500
	maxReason      = 2000
	maxName        = 100
)

// A Field is one member of a request body as the client sent it: a nil Value was
// not sent, or was null, or, if WrongType, was of another JSON type.
type Field[T any] struct {
	Value     *T
	WrongType bool
}

// CreateEventInput is the body of a create-event request, unchecked.
type CreateEventInput struct {
	Title, Description, DateTime, Timezone, Location Field[string]
}

// CancelEventInput is the body of a cancel-event request, unchecked.
type CancelEventInput struct {
	Cancelled Field[bool]
	Reason    Field[string]
}

// CreateRSVPInput is the body of a create-RSVP request, unchecked.
type CreateRSVPInput struct {
	Name Field[string]
}

// check returns the event that in describes, created at the moment now and still
// without a token, or a ValidationError.
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
		e.DateTime, e.ExpiresAt = rfc3339, expiry(at, now)
	}
	if name, ok := invalid.required("timezone", in.Timezone); ok {
		if !isTimezone(name) {
			invalid.add("timezone", "must be the IANA name of a time zone, such as Europe/Berlin")
		}
		e.Timezone = name
	}
	e.Location = invalid.optionalText("location", in.Location, maxLocation)
	return e, invalid.orNil()
}

// check returns the reason, or a ValidationError.
func (in CancelEventInput) check() (reason *string, err error) {
	var invalid ValidationError
	if in.Cancelled.WrongType {
		invalid.add("cancelled", "must be true or false")
	} else if in.Cancelled.Value == nil {
		invalid.add("cancelled", "is required")
	} else if !*in.Cancelled.Value {
		invalid.add("cancelled", "must be true: cancelling is the only update, and it is final")
	}
	reason = invalid.optionalText("cancellationReason", in.Reason, maxReason)
	return reason, invalid.orNil()
}

// check returns the name, or a ValidationError.
func (in CreateRSVPInput) check(key Key) (name string, err error) {
	var invalid ValidationError
	invalid.key(key)
	name = invalid.requiredText("name", in.Name, maxName)
	return name, invalid.orNil()
}

func (v *ValidationError) add(field, message string) {
	*v = append(*v, FieldError{field, message})
}

// orNil keeps an empty list from becoming an error that is not nil.
func (v ValidationError) orNil() error {
	if len(v) == 0 {
		return nil
	}
	return v
}

func (v *ValidationError) key(k Key) {
	if k.invalid {
		v.add("Idempotency-Key", "must be a UUID of version 4 or 7, sent once")
	}
}

func (v *ValidationError) required(field string, s Field[string]) (text string, ok bool) {
	if s.WrongType {
		v.add(field, "must be a string")
	} else if s.Value == nil {
		v.add(field, "is required")
	} else {
		return *s.Value, true
	}
	return "", false
}

// requiredText takes a text of which something can be seen.
func (v *ValidationError) requiredText(field string, s Field[string], most int) string {
	text, ok := v.required(field, s)
	if ok && isBlank(text) {
		v.add(field, "must not be blank")
	} else if ok {
		v.length(field, text, most)
	}
	return text
}

func (v *ValidationError) optionalText(field string, s Field[string], most int) *string {
	if s.WrongType {
		v.add(field, "must be a string")
	} else if s.Value != nil {
		v.length(field, *s.Value, most)
	}
	return s.Value
}

func (v *ValidationError) length(field, text string, most int) {
	if has := utf8.RuneCountInString(text); has > most {
		v.add(field, fmt.Sprintf("must be at most %d characters, has %d", most, has))
	}
}
