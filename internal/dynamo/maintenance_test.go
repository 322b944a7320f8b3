package dynamo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"reflect"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

var restoredGuests = flag.Int("restore-guests", 1500, "guests of the event in TestRestoreLargeEvent")

// TestRestoreLargeEvent: a restore of more guests than a page holds is interrupted. No
// part of the event can be read then, and another restore makes it equal to the source,
// item by item. Neither holds more than a page. With -v the test prints time and memory,
// for more guests with -restore-guests.
func TestRestoreLargeEvent(t *testing.T) {
	const memoryLimit = 64 << 20 // a page takes a few MB; 100,000 guests at once would take 170
	source := openLocal(t)
	target, faults := openFaulty(t, newTable(t))

	e := addEvent(t, source)
	if err := source.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil { // which makes a gate
		t.Fatal(err)
	}
	puts := make([]types.WriteRequest, *restoredGuests-1)
	for i := range puts {
		puts[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: rsvpItem(e.Token, newRSVP(), e.ExpiresAt)}}
	}
	if err := source.writeBatches(t.Context(), puts); err != nil {
		t.Fatal(err)
	}
	puts = nil

	var held, batches atomic.Int64
	count := func(c faulttest.Call, send faulttest.Send) faulttest.Response {
		response := send(c)
		switch c.Operation {
		case "Query":
			var page struct{ Count int64 }
			_ = json.Unmarshal(response.Body, &page)
			if now := held.Add(page.Count); now > pageLimit+1 { // the details are written last
				t.Errorf("%d items are held", now)
			}
		case "BatchWriteItem":
			held.Add(-int64(bytes.Count(c.Body, []byte("PutRequest"))))
			batches.Add(1)
		}
		return response
	}
	restore := Restore{From: *source.table, Now: now}
	ctx, interrupt := context.WithCancel(t.Context())
	faults.Inject(func(c faulttest.Call, send faulttest.Send) faulttest.Response {
		response := count(c, send)
		if batches.Load() >= pageLimit/batchSize+2 { // in the middle of the second page
			interrupt()
		}
		return response
	})
	if done, err := target.Restore(ctx, restore); err == nil {
		t.Fatal("not interrupted: ", done)
	}
	faults.Inject(faulttest.NoFault)
	if _, err := target.EventByToken(t.Context(), e.Token); err != event.ErrEventNotFound {
		t.Errorf("a part of the event can be read: %v", err)
	}
	if left, err := target.RSVPsNamed(t.Context(), e.Token, newRSVP().Name); err != nil || len(left) == 0 || len(left) >= *restoredGuests {
		t.Errorf("%d RSVPs are left of the interrupted restore, %v", len(left), err)
	}

	held.Store(0)
	faults.Inject(count)
	memory := peakMemory()
	start := time.Now()
	done, err := target.Restore(t.Context(), restore)
	took := time.Since(start)
	used := memory()
	faults.Inject(faulttest.NoFault)
	if err != nil || done != (Restored{Events: 1, Guests: int64(*restoredGuests)}) {
		t.Fatal(done, err)
	}
	t.Logf("%d guests in %s, %.0f per second; at most %d MB more in use", *restoredGuests, took.Round(time.Millisecond),
		float64(*restoredGuests)/took.Seconds(), used>>20)
	if used > memoryLimit {
		t.Errorf("it took %d MB", used>>20)
	}
	want, err := tested{source}.items(t.Context(), e.Token)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (tested{target}).items(t.Context(), e.Token); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d items, want %d like those of the source, %v", len(got), len(want), err)
	}
}

// peakMemory begins to watch the heap. What it returns ends that, and returns by how
// many bytes the heap grew at most.
func peakMemory() func() uint64 {
	inUse := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before, end, peak := inUse(), make(chan struct{}), make(chan uint64)
	go func() {
		most := before
		for every := time.Tick(time.Millisecond); ; {
			select {
			case <-every:
				most = max(most, inUse())
			case <-end:
				peak <- most - before
				return
			}
		}
	}()
	return func() uint64 { close(end); return <-peak }
}

// TestMaintenanceRetriesConflicts: an event may be erased or restored during transactions
// of its guests and its organizer.
func TestMaintenanceRetriesConflicts(t *testing.T) {
	source := openLocal(t)
	target, faults := openFaulty(t, newTable(t))
	e := addEvent(t, source)
	if err := source.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
		t.Fatal(err)
	}
	const held = 3 // calls that a transaction rejects, of each operation
	var met sync.Map
	faults.Inject(func(c faulttest.Call, send faulttest.Send) faulttest.Response {
		count, _ := met.LoadOrStore(c.Operation, new(atomic.Int32))
		if count.(*atomic.Int32).Add(1) > held {
			return send(c)
		}
		return faulttest.Conflicting(c, send)
	})
	if done, err := target.Restore(t.Context(), Restore{From: *source.table, Now: now}); err != nil || done != (Restored{Events: 1, Guests: 1}) {
		t.Error("restore: ", done, err)
	}
	if items, err := target.EraseEvent(t.Context(), e.Token); err != nil || items != 3 {
		t.Error("erase: ", items, err)
	}
	for _, operation := range []string{"PutItem", "DeleteItem"} {
		if calls := faults.Calls(operation); calls != held+1 {
			t.Errorf("%d calls of %s", calls, operation)
		}
	}
}

// TestRestoreLeavesOutTheExpired, to the nanosecond.
func TestRestoreLeavesOutTheExpired(t *testing.T) {
	source, target := openLocal(t), openLocal(t)
	e := addEvent(t, source)
	for _, run := range []struct {
		now  time.Time
		want Restored
	}{
		{e.ExpiresAt.Add(1), Restored{Expired: 1}},
		{e.ExpiresAt, Restored{Events: 1}}, // the last moment that takes RSVPs
	} {
		if done, err := target.Restore(t.Context(), Restore{From: *source.table, Now: run.now}); err != nil || done != run.want {
			t.Errorf("%s: %+v, %v", run.now, done, err)
		}
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

// TestRestoreOneEvent: only the event of that token is restored.
func TestRestoreOneEvent(t *testing.T) {
	source, target := openLocal(t), openLocal(t)
	e, other := addEvent(t, source), addEvent(t, source)
	for _, run := range []struct {
		token event.Token
		want  Restored
		err   error
	}{
		{event.NewToken(), Restored{}, event.ErrEventNotFound},
		{e.Token, Restored{Events: 1}, nil},
		{e.Token, Restored{Present: 1}, nil},
	} {
		done, err := target.Restore(t.Context(), Restore{From: *source.table, Event: &run.token, Now: now})
		if done != run.want || err != run.err {
			t.Errorf("%+v, %v, want %+v, %v", done, err, run.want, run.err)
		}
	}
	if _, err := target.EventByToken(t.Context(), other.Token); err != event.ErrEventNotFound {
		t.Errorf("the other event: %v", err)
	}
}

// TestRestoreMeetsAnother: of two restores at the same time one restores the event,
// and the other finds it there.
func TestRestoreMeetsAnother(t *testing.T) {
	source, c := openLocal(t), newTable(t)
	target, faults := openFaulty(t, c)
	e := addEvent(t, source)
	restore := Restore{From: *source.table, Now: now}
	faults.Inject(faulttest.Only("PutItem", func(call faulttest.Call, send faulttest.Send) faulttest.Response {
		if done, err := Open(c).Restore(t.Context(), restore); err != nil || done != (Restored{Events: 1}) {
			t.Error(done, err)
		}
		return send(call)
	}))
	if done, err := target.Restore(t.Context(), restore); err != nil || done != (Restored{Present: 1}) {
		t.Error(done, err)
	}
	if _, err := target.EventByToken(t.Context(), e.Token); err != nil {
		t.Error(err)
	}
}

// TestEmptyEvents: created before one moment, expiring after another, without RSVPs.
func TestEmptyEvents(t *testing.T) {
	s := openLocal(t)
	created, expires := now, now.AddDate(1, 0, 0)
	add := func(afterCreated, afterExpires time.Duration, guests int) event.Token {
		e := newEvent()
		e.CreatedAt, e.ExpiresAt = created.Add(afterCreated), expires.Add(afterExpires)
		if err := s.AddEvent(t.Context(), e, organizer); err != nil {
			t.Fatal(err)
		}
		for range guests {
			if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
				t.Fatal(err)
			}
		}
		return e.Token
	}
	want := map[event.Token]int{}
	for range 2 * segments {
		want[add(-1, 1, 0)] = 1
	}
	add(0, 1, 0)
	add(-1, 0, 0)
	add(-1, 1, 1)
	got := map[event.Token]int{} // without a lock: from one goroutine at a time
	err := s.EmptyEvents(t.Context(), created, expires, func(e event.Event) error { got[e.Token]++; return nil })
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%d events, want %d, %v", len(got), len(want), err)
	}
	enough := errors.New("enough")
	if err := s.EmptyEvents(t.Context(), created, expires, func(event.Event) error { return enough }); err != enough {
		t.Error(err)
	}
}

// TestEraseEvent: nothing is left of an event, and other events stay.
func TestEraseEvent(t *testing.T) {
	s := openLocal(t)
	e, other := addEvent(t, s), addEvent(t, s)
	for _, token := range []event.Token{e.Token, other.Token} {
		if err := s.AddRSVP(t.Context(), token, newRSVP()); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: s.table, Key: detailsKey(e.Token)})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []struct {
		token event.Token
		items int
		err   error
	}{
		{e.Token, 2, nil}, // what an earlier call left
		{e.Token, 0, event.ErrEventNotFound},
		{other.Token, 3, nil},
		{other.Token, 0, event.ErrEventNotFound},
	} {
		if items, err := s.EraseEvent(t.Context(), run.token); items != run.items || err != run.err {
			t.Errorf("%d items, %v, want %d, %v", items, err, run.items, run.err)
		}
		if left, err := s.items(t.Context(), run.token); len(left) > 0 || err != nil {
			t.Errorf("%d items are left, %v", len(left), err)
		}
	}
}

// TestRSVPsNamed: exactly that name.
func TestRSVPsNamed(t *testing.T) {
	s := openLocal(t)
	e := addEvent(t, s)
	want := map[event.Position]bool{}
	for _, name := range []string{"Ada", "Ada", "ada", "Ada ", "Picnic"} {
		r := newRSVP()
		r.Name = name
		if err := s.AddRSVP(t.Context(), e.Token, r); err != nil {
			t.Fatal(err)
		}
		if name == "Ada" {
			clear(r.Hash[hashBytes:])
			want[r.Position()] = true
		}
	}
	found, err := s.RSVPsNamed(t.Context(), e.Token, "Ada")
	if err != nil || len(found) != len(want) {
		t.Fatalf("%d RSVPs, want %d, %v", len(found), len(want), err)
	}
	for _, r := range found {
		if !want[r.Position()] {
			t.Errorf("found %v", r)
		}
	}
}
