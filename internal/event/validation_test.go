package event_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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

const (
	dateTimeForm  = "dateTime must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"
	dateTimeExist = "dateTime must be a date and a time that exist, from 00:00:00 to 23:59:59"
	timezoneForm  = "timezone must be the IANA name of a time zone, such as Europe/Berlin"
)

func TestCreateEventReportsEveryFieldError(t *testing.T) {
	long := func(n int) event.Field[string] { return sent(strings.Repeat("x", n)) }
	for _, c := range []struct {
		name string
		body event.CreateEventInput
		want []string
	}{
		{"nothing sent", event.CreateEventInput{}, []string{
			"title is required",
			"dateTime is required",
			"timezone is required",
		}},
		{"all of another type", event.CreateEventInput{
			Title: mistyped, Description: mistyped, DateTime: mistyped, Timezone: mistyped, Location: mistyped,
		}, []string{
			"title must be a string",
			"description must be a string",
			"dateTime must be a string",
			"timezone must be a string",
			"location must be a string",
		}},
		{"all out of bounds", event.CreateEventInput{
			Title: long(201), Description: long(2001), DateTime: long(5000), Timezone: long(5000), Location: long(501),
		}, []string{
			"title must be at most 200 characters, but has 201",
			"description must be at most 2000 characters, but has 2001",
			dateTimeForm,
			timezoneForm,
			"location must be at most 500 characters, but has 501",
		}},
		{"all empty", event.CreateEventInput{
			Title: sent(""), Description: sent(""), DateTime: sent(""), Timezone: sent(""), Location: sent(""),
		}, []string{
			"title must not be blank",
			dateTimeForm,
			timezoneForm,
		}},
		{"different problems", event.CreateEventInput{
			Title: sent(" "), Description: mistyped, DateTime: sent("2027-02-29T19:00:00Z"), Timezone: sent("Local"), Location: absent,
		}, []string{
			"title must not be blank",
			"description must be a string",
			dateTimeExist,
			timezoneForm,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			service, store := newService()
			e, organizer, err := service.CreateEvent(t.Context(), c.body, event.Key{})
			wantInvalid(t, err, c.want...)
			if (e != event.Event{} || organizer != event.Token{}) {
				t.Errorf("answered all the same: %+v, %v", e, organizer)
			}
			store.wantCalls(t)
		})
	}
}

// Bounds count code points, not bytes and not what a reader sees as one character.
func TestBounds(t *testing.T) {
	fields := []struct {
		name     string
		most     int
		validate func(t *testing.T, text string) error
	}{
		{"title", 200, func(t *testing.T, text string) error {
			return createWith(t, func(n *event.CreateEventInput) { n.Title = sent(text) })
		}},
		{"description", 2000, func(t *testing.T, text string) error {
			return createWith(t, func(n *event.CreateEventInput) { n.Description = sent(text) })
		}},
		{"location", 500, func(t *testing.T, text string) error {
			return createWith(t, func(n *event.CreateEventInput) { n.Location = sent(text) })
		}},
		{"cancellationReason", 2000, func(t *testing.T, text string) error {
			service, _ := newService()
			return service.CancelEvent(t.Context(), eventToken, organizerToken, event.CancelEventInput{Cancelled: sent(true), Reason: sent(text)}, event.Key{})
		}},
		{"name", 100, func(t *testing.T, text string) error {
			service, _ := newService()
			_, _, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent(text)}, event.Key{})
			return err
		}},
	}
	for _, f := range fields {
		for _, character := range []string{"x", "ä", "€", "😀", "\ufffd"} {
			t.Run(fmt.Sprintf("%s of %+q", f.name, character), func(t *testing.T) {
				wantInvalid(t, f.validate(t, character))
				wantInvalid(t, f.validate(t, strings.Repeat(character, f.most)))
				wantInvalid(t, f.validate(t, strings.Repeat(character, f.most+1)),
					fmt.Sprintf("%s must be at most %d characters, but has %d", f.name, f.most, f.most+1))
			})
		}
		t.Run(f.name+" of families", func(t *testing.T) {
			const family = "👩‍👩‍👧‍👦" // seven code points
			wantInvalid(t, f.validate(t, strings.Repeat(family, f.most/7)))
			wantInvalid(t, f.validate(t, strings.Repeat(family, f.most/7+1)),
				fmt.Sprintf("%s must be at most %d characters, but has %d", f.name, f.most, 7*(f.most/7+1)))
		})
		t.Run(f.name+" of white space around a character", func(t *testing.T) {
			wantInvalid(t, f.validate(t, strings.Repeat(" ", f.most-1)+"x"))
			wantInvalid(t, f.validate(t, "x"+strings.Repeat(" ", f.most)),
				fmt.Sprintf("%s must be at most %d characters, but has %d", f.name, f.most, f.most+1))
		})
	}
}

func createWith(t *testing.T, change func(*event.CreateEventInput)) error {
	t.Helper()
	service, _ := newService()
	body := validEvent()
	change(&body)
	_, _, err := service.CreateEvent(t.Context(), body, event.Key{})
	return err
}

func TestBlank(t *testing.T) {
	title := func(text string) error {
		return createWith(t, func(n *event.CreateEventInput) { n.Title = sent(text) })
	}
	name := func(text string) error {
		service, _ := newService()
		_, _, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: sent(text)}, event.Key{})
		return err
	}
	for _, text := range []string{
		"", " ", "\x00", "\u200b", "\ufeff", "\u2060", "\u2800", "\t\r\n\v\f", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028\u2029", "\u202f", "\u3000",
		strings.Repeat(" ", 300), // the error is about blankness, not about the length
	} {
		wantInvalid(t, title(text), "title must not be blank")
		wantInvalid(t, name(text), "name must not be blank")
	}
	for _, text := range []string{"\u200b.", "\ufeff\u0301", " . "} {
		wantInvalid(t, title(text))
		wantInvalid(t, name(text))
	}
	// Optional texts may be blank.
	for _, text := range []string{"", "\u00a0"} {
		wantInvalid(t, createWith(t, func(n *event.CreateEventInput) { n.Description, n.Location = sent(text), sent(text) }))
	}
}

func TestCancellationIsValidated(t *testing.T) {
	tooLong := sent(strings.Repeat("x", 2001))
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
		{"reason alone", event.CancelEventInput{Reason: tooLong}, []string{
			"cancelled is required",
			"cancellationReason must be at most 2000 characters, but has 2001",
		}},
		{"a reason too long", event.CancelEventInput{Cancelled: sent(true), Reason: tooLong}, []string{
			"cancellationReason must be at most 2000 characters, but has 2001",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			service, store := newService()
			wantInvalid(t, service.CancelEvent(t.Context(), eventToken, organizerToken, c.body, event.Key{}), c.want...)
			store.wantCalls(t)
		})
	}
}

func TestRSVPIsValidated(t *testing.T) {
	for _, c := range []struct {
		name event.Field[string]
		want string
	}{
		{absent, "name is required"},
		{mistyped, "name must be a string"},
		{sent(""), "name must not be blank"},
		{sent(strings.Repeat("x", 101)), "name must be at most 100 characters, but has 101"},
	} {
		service, store := newService()
		_, _, err := service.CreateRSVP(t.Context(), eventToken, event.CreateRSVPInput{Name: c.name}, event.Key{})
		wantInvalid(t, err, c.want)
		store.wantCalls(t)
	}
}
