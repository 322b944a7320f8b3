package event_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"turnout/internal/event"
)

// sent is a member of a request body as the client sent it.
func sent[T any](value T) event.Field[T] { return event.Field[T]{Value: &value} }

var (
	mistyped = event.Field[string]{WrongType: true}
	absent   = event.Field[string]{}
)

func validEvent() event.CreateEventInput {
	return event.CreateEventInput{
		Title:    sent("Summer party"),
		DateTime: sent("2027-05-01T19:00:00+02:00"),
		Timezone: sent("Europe/Berlin"),
	}
}

var confirmed = event.CancelEventInput{Cancelled: sent(true)}

// wantInvalid asserts exactly these field errors, each as "field message".
func wantInvalid(t *testing.T, err error, want ...string) {
	t.Helper()
	var invalid event.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		t.Fatalf("%v is not a ValidationError", err)
	}
	var got []string
	for _, f := range invalid {
		got = append(got, f.Field+" "+f.Message)
	}
	if !slices.Equal(got, want) {
		t.Errorf("field errors are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if err != nil && err.Error() != strings.Join(want, "; ") {
		t.Errorf("the error reads %q", err)
	}
}

// texts are a text that is required and an optional one. Package bundle tests the bounds of all, wherever they are.
var texts = []struct {
	field    string
	most     int // code points
	optional bool
	validate func(s *event.Service, text event.Field[string]) error
}{
	{"cancellationReason", 2000, true, func(s *event.Service, text event.Field[string]) error {
		body := event.CancelEventInput{Cancelled: sent(true), Reason: text}
		return s.CancelEvent(context.Background(), eventToken, organizerToken, body, event.Key{})
	}},
	{"name", 100, false, func(s *event.Service, text event.Field[string]) error {
		_, _, err := s.CreateRSVP(context.Background(), eventToken, event.CreateRSVPInput{Name: text}, event.Key{})
		return err
	}},
}

// TestTexts: bounds count code points, not bytes or grapheme clusters; required text has a
// visible character.
func TestTexts(t *testing.T) {
	for _, f := range texts {
		t.Run(f.field, func(t *testing.T) {
			want := func(text event.Field[string], message ...string) {
				t.Helper()
				service, _ := newService()
				create(t, service)
				wantInvalid(t, f.validate(service, text), message...)
			}
			tooLong := fmt.Sprintf("%s must be at most %d characters, but has %d", f.field, f.most, f.most+1)
			for _, character := range []string{"x", "ä", "€", "😀", "e\u0301", "\ufffd"} {
				points := utf8.RuneCountInString(character)
				want(sent(strings.Repeat(character, f.most/points)))
				want(sent("x"+strings.Repeat(character, f.most/points)), tooLong)
			}
			want(sent(strings.Repeat(" ", f.most-1) + "x"))
			want(sent("x"+strings.Repeat(" ", f.most)), tooLong)
			want(mistyped, f.field+" must be a string")

			blank, required := f.field+" must not be blank", f.field+" is required"
			if f.optional {
				want(absent)
				want(sent("\u00a0"))
				return
			}
			want(absent, required)
			// The error is about blankness, not about the length.
			for _, text := range []string{"", " ", "\x00", "\u200b", "\u2800", "\t\r\n\v\f", strings.Repeat(" ", 300)} {
				want(sent(text), blank)
			}
			for _, text := range []string{"\u200b.", "\ufeff\u0301", " . "} {
				want(sent(text))
			}
		})
	}
}

func TestCancellationIsValidated(t *testing.T) {
	for _, c := range []struct {
		name string
		body event.CancelEventInput
		want []string
	}{
		{"nothing sent", event.CancelEventInput{}, []string{"cancelled is required"}},
		{"false", event.CancelEventInput{Cancelled: sent(false)}, []string{
			"cancelled must be true: cancelling is the only update, and it is final",
		}},
		{"another type", event.CancelEventInput{Cancelled: event.Field[bool]{WrongType: true}, Reason: mistyped}, []string{
			"cancelled must be true or false",
			"cancellationReason must be a string",
		}},
		{"reason alone", event.CancelEventInput{Reason: sent("rain")}, []string{"cancelled is required"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantInvalid(t, refusing().CancelEvent(t.Context(), eventToken, organizerToken, c.body, event.Key{}), c.want...)
		})
	}
}
