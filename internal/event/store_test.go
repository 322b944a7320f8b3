package event_test

import (
	"reflect"
	"slices"
	"testing"

	"turnout/internal/event"
)

// TestSameContent goes through all fields, so that a new one cannot be forgotten.
func TestSameContent(t *testing.T) {
	issued := []string{"Token", "Cancelled", "CancellationReason", "AttendeeCount", "CreatedAt", "ExpiresAt"}
	sample := event.Event{Title: "t", Description: new("d"), DateTime: "dt", Timezone: "tz", Location: new("l")}
	other := event.Event{
		event.NewToken(), "x", new("x"), "x", "x", new("x"), true, new("x"), 1, now, now, // all fields
	}
	equal := sample
	equal.Description, equal.Location = new("d"), new("l")
	if !sample.SameContent(equal) {
		t.Error("equal texts are taken for other content")
	}
	for field := range reflect.TypeFor[event.Event]().Fields() {
		isContent := !slices.Contains(issued, field.Name)
		if isContent && reflect.ValueOf(sample).FieldByIndex(field.Index).IsZero() {
			t.Errorf("the sample has no %s: nobody would notice that it is not compared", field.Name)
		}
		for _, from := range []event.Event{other, {}} {
			changed := sample
			reflect.ValueOf(&changed).Elem().FieldByIndex(field.Index).Set(reflect.ValueOf(from).FieldByIndex(field.Index))
			if sample.SameContent(changed) == isContent || changed.SameContent(sample) == isContent {
				t.Errorf("another %s: same content is %v", field.Name, isContent)
			}
		}
	}
}
