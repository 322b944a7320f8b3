package event

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The bounds of the specification's section 8, in Unicode code points, inclusive.
const (
	maxTitle       = 200
	maxDescription = 2000
	maxLocation    = 500
	maxReason      = 2000
	maxName        = 100
)

// Sent is one member of a request body as the client sent it: a nil Value was
// not sent, or was null, or, if Mistyped, was of another JSON type.
type Sent[T any] struct {
	Value    *T
	Mistyped bool
}

// NewEvent is the body of a create-event request, unchecked (spec, section 4.1).
type NewEvent struct {
	Title, Description, DateTime, Timezone, Location Sent[string]
}

// Cancellation is the body of a cancel-event request, unchecked (section 4.3).
type Cancellation struct {
	Cancelled Sent[bool]
	Reason    Sent[string]
}

// NewRSVP is the body of a create-RSVP request, unchecked (section 4.4).
type NewRSVP struct {
	Name Sent[string]
}

// check returns the event that n describes, created at the moment now and still
// without a token, or a ValidationError.
func (n NewEvent) check(now time.Time) (Event, error) {
	var invalid ValidationError
	e := Event{
		Title:       invalid.requiredText("title", n.Title, maxTitle),
		Description: invalid.optionalText("description", n.Description, maxDescription),
		CreatedAt:   now,
	}
	if text, ok := invalid.required("dateTime", n.DateTime); ok {
		rfc3339, at, problem := parseDateTime(text)
		if problem != "" {
			invalid.add("dateTime", problem)
		}
		e.DateTime, e.ExpiresAt = rfc3339, expiry(at, now)
	}
	if name, ok := invalid.required("timezone", n.Timezone); ok {
		if !isTimezone(name) {
			invalid.add("timezone", "must be the IANA name of a time zone, such as Europe/Berlin")
		}
		e.Timezone = name
	}
	e.Location = invalid.optionalText("location", n.Location, maxLocation)
	return e, invalid.orNil()
}

// check returns the reason, or a ValidationError.
func (c Cancellation) check() (reason *string, err error) {
	var invalid ValidationError
	switch {
	case c.Cancelled.Mistyped:
		invalid.add("cancelled", "must be true or false")
	case c.Cancelled.Value == nil:
		invalid.add("cancelled", "is required")
	case !*c.Cancelled.Value:
		invalid.add("cancelled", "must be true: cancelling is the only update, and it is final")
	}
	reason = invalid.optionalText("cancellationReason", c.Reason, maxReason)
	return reason, invalid.orNil()
}

// check returns the name, or a ValidationError.
func (n NewRSVP) check() (name string, err error) {
	var invalid ValidationError
	name = invalid.requiredText("name", n.Name, maxName)
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

func (v *ValidationError) required(field string, s Sent[string]) (text string, ok bool) {
	switch {
	case s.Mistyped:
		v.add(field, "must be a string")
	case s.Value == nil:
		v.add(field, "is required")
	default:
		return *s.Value, true
	}
	return "", false
}

// requiredText takes a text that says something: white space alone does not.
func (v *ValidationError) requiredText(field string, s Sent[string], most int) string {
	text, ok := v.required(field, s)
	if ok && strings.TrimFunc(text, unicode.IsSpace) == "" {
		v.add(field, "must not be blank")
	} else if ok {
		v.length(field, text, most)
	}
	return text
}

func (v *ValidationError) optionalText(field string, s Sent[string], most int) *string {
	if s.Mistyped {
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
