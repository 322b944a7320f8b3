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
	maxName        = 100 // a guest's or a host's name
)

// A Field is one member of a request body as the client sent it. Value is nil if the member was
// not sent, was null, or had another JSON type; the last sets WrongType.
type Field[T any] struct {
	Value     *T
	WrongType bool
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
		v.add("Idempotency-Key", "must be a UUID of version 4, sent once")
	}
}

// A check returns a text as it is stored, and the problem with it, or "". A date of an event also depends on the dates
// before it, and sets the expiry. Texts of other requests have no event.
type check func(e *Event, text string) (stored, problem string)

// text returns a member as check returns it, or nil if the member was not sent. It adds an error if the member has
// another type, if it is required and was not sent, or if check finds a problem.
func (v *ValidationError) text(field string, in Field[string], isRequired bool, e *Event, check check) *string {
	switch {
	case in.WrongType:
		v.add(field, "must be a string")
	case in.Value != nil:
		text, problem := check(e, *in.Value)
		if problem != "" {
			v.add(field, problem)
		}
		*in.Value = text
	case isRequired:
		v.add(field, "is required")
	}
	return in.Value
}

// atMost accepts any text within a bound.
func atMost(most int) check {
	return func(_ *Event, text string) (_, problem string) {
		if has := utf8.RuneCountInString(text); has > most {
			problem = fmt.Sprintf("must be at most %d characters, but has %d", most, has)
		}
		return text, problem
	}
}

// visible accepts a text within a bound that has a visible character.
func visible(most int) check {
	within := atMost(most)
	return func(e *Event, text string) (_, problem string) {
		if IsBlank(text) {
			return text, "must not be blank"
		}
		return within(e, text)
	}
}

func timezone(_ *Event, name string) (_, problem string) {
	if !isTimezone(name) {
		problem = "must be the IANA name of a time zone, such as Europe/Berlin"
	}
	return name, problem
}

func language(_ *Event, tag string) (_, problem string) {
	if !IsLanguage(tag) {
		problem = "must be a language tag (BCP 47) of 2 to 35 characters, such as de-AT"
	}
	return tag, problem
}

// start accepts a date-time, and sets the expiry of an event on that date.
func start(e *Event, dateTime string) (rfc3339, problem string) {
	rfc3339, at, problem := parseDateTime(dateTime)
	e.ExpiresAt = expiry(at)
	return rfc3339, problem
}

// end accepts the date-time of the end of an event whose date-time was accepted before. If that was refused, end checks
// the form alone.
func end(e *Event, dateTime string) (rfc3339, problem string) {
	rfc3339, at, problem := parseDateTime(dateTime)
	start, err := time.Parse(time.RFC3339Nano, e.DateTime)
	if problem == "" && err == nil && !IsEnd(start, at) {
		problem = "must be after dateTime, and at most 7 days after it"
	}
	return rfc3339, problem
}
