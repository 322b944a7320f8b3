package dynamo

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

var restoredGuests = flag.Int("restore-guests", 2500, "guests of the event in TestRestoreLargeEvent")

// TestRestoreLargeEvent: one event with more guests than a page holds.
// With -v it prints time and memory, for more guests with -restore-guests.
func TestRestoreLargeEvent(t *testing.T) {
	source, target := openLocal(t).patient(), openLocal(t)
	now := time.Now()
	token := event.NewToken()
	e := event.Event{Token: token, Title: "Picnic", DateTime: "2999-01-01T00:00:00Z", Timezone: "UTC", CreatedAt: now, ExpiresAt: now.AddDate(1, 0, 0)}
	if err := source.AddEvent(t.Context(), e, event.NewToken().Hash()); err != nil {
		t.Fatal(err)
	}
	const name = "A name of usual length"
	puts := make([]types.WriteRequest, *restoredGuests)
	for i := range puts {
		rsvp := event.RSVP{Name: name, Hash: event.NewToken().Hash(), CreatedAt: now}
		puts[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: rsvpItem(token, rsvp, e.ExpiresAt)}}
	}
	if err := source.writeBatches(t.Context(), puts); err != nil {
		t.Fatal(err)
	}
	puts = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	done, err := target.Restore(t.Context(), Restore{From: *source.table, Now: now})
	if err != nil || done != (Restored{Events: 1, Guests: int64(*restoredGuests)}) {
		t.Fatal(done, err)
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	t.Logf("%d guests in %s, %.0f per second; memory from the system: %d MB more", *restoredGuests, took.Round(time.Millisecond),
		float64(*restoredGuests)/took.Seconds(), (after.Sys-before.Sys)>>20)
	if found, err := target.RSVPsNamed(t.Context(), token, name); err != nil || len(found) != *restoredGuests {
		t.Errorf("%d guests in the table, %v", len(found), err)
	}
}

// TestRestoreWithoutGuestsLeavesNone: RSVPs of an earlier run that failed are deleted.
func TestRestoreWithoutGuestsLeavesNone(t *testing.T) {
	source, target := openLocal(t), openLocal(t)
	now := time.Now()
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2999-01-01T00:00:00Z", Timezone: "UTC", CreatedAt: now, ExpiresAt: now.AddDate(1, 0, 0)}
	if err := source.AddEvent(t.Context(), e, event.NewToken().Hash()); err != nil {
		t.Fatal(err)
	}
	left := rsvpItem(e.Token, event.RSVP{Name: "Ada", Hash: event.NewToken().Hash(), CreatedAt: now}, e.ExpiresAt)
	if err := target.writeBatches(t.Context(), []types.WriteRequest{{PutRequest: &types.PutRequest{Item: left}}}); err != nil {
		t.Fatal(err)
	}
	done, err := target.Restore(t.Context(), Restore{From: *source.table, WithoutGuests: true, Now: now})
	if err != nil || done != (Restored{Events: 1}) {
		t.Fatal(done, err)
	}
	if found, err := target.RSVPsNamed(t.Context(), e.Token, "Ada"); err != nil || len(found) > 0 {
		t.Errorf("%d guests, %v", len(found), err)
	}
	if _, err := target.EventByToken(t.Context(), e.Token); err != nil {
		t.Error(err)
	}
}
