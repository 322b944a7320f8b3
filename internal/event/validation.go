package event

import (
	"fmt"
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

// requiredText accepts a text with at least one visible character.
func (v *ValidationError) requiredText(field string, s Field[string], most int) string {
	text, ok := v.required(field, s)
	if ok && IsBlank(text) {
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
		v.add(field, fmt.Sprintf("must be at most %d characters, but has %d", most, has))
	}
}
