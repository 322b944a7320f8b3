package event_test

import (
	"reflect"
	"slices"
	"testing"

	"turnout/internal/event"
)

// TestSameContent tests all fields of an event, so that nobody forgets a new field.
func TestSameContent(t *testing.T) {
	issued := []string{"Token", "Cancelled", "CancellationReason", "MovedTo", "AttendeeCount", "CreatedAt", "ExpiresAt"}
	filled := func(e event.Event, text string) event.Event {
		for _, field := range reflect.ValueOf(&e).Elem().Fields() {
			switch field.Interface().(type) {
			case string:
				field.SetString(text)
			case *string:
				field.Set(reflect.ValueOf(&text))
			}
		}
		return e
	}
	sample, equal := filled(event.Event{}, "t"), filled(event.Event{}, "t")
	other := filled(event.Event{
		Token:         event.NewToken(),
		AttendeeCount: 1,
		Cancelled:     true,
		MovedTo:       new(event.NewToken()),
		CreatedAt:     now,
		ExpiresAt:     now,
	}, "x")
	if !sample.SameContent(equal) {
		t.Error("equal texts are taken for other content")
	}
	for field := range reflect.TypeFor[event.Event]().Fields() {
		isContent := !slices.Contains(issued, field.Name)
		of := func(e *event.Event) reflect.Value { return reflect.ValueOf(e).Elem().FieldByIndex(field.Index) }
		if of(&other).IsZero() || isContent && of(&sample).IsZero() {
			t.Errorf("a sample has no %s: nobody would notice that it is not compared", field.Name)
		}
		for _, from := range []event.Event{other, {}} {
			changed := sample
			of(&changed).Set(of(&from))
			if sample.SameContent(changed) == isContent || changed.SameContent(sample) == isContent {
				t.Errorf("another %s: same content is %v", field.Name, isContent)
			}
		}
	}
}
