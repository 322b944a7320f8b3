package dynamo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestRestoreLargeEvent: a restore of more guests than a page holds is interrupted. No
// part of the event can be read then, and another restore, from a moment at which one of
// them was not there, makes its details and RSVPs equal to those of the source, and counts
// them. Neither holds more than a page.
func TestRestoreLargeEvent(t *testing.T) {
	const guests = 1500
	source := openLocal(t)
	target, faults := openFaulty(t, newTable(t))

	e, gone := addEvent(t, source), newRSVP()
	gone.Hash = event.Hash{1} // not the last key
	must(t,
		source.AddRSVP(t.Context(), e.Token, newRSVP()), // which makes a gate
		source.AddRSVP(t.Context(), e.Token, gone),
		source.RemoveRSVP(t.Context(), e.Token, gone.Hash, now),
	)
	puts := make([]types.WriteRequest, guests-1)
	for i := range puts {
		puts[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: rsvpItem(e.Token, newRSVP(), e.ExpiresAt)}}
	}
	must(t, source.writeBatches(t.Context(), puts))
	puts = nil

	var held, batches atomic.Int64
	count := func(c faulttest.Call, send faulttest.Send) faulttest.Response {
		response := send(c)
		switch c.Operation {
		case "Query":
			if bytes.Contains(c.Body, []byte("createdAt")) {
				return response // the RSVPs are counted, and not held
			}
			var page struct{ Count int64 }
			_ = json.Unmarshal(response.Body, &page)
			if now := held.Add(page.Count); now > pageLimit+1 { // the details are written last
				t.Errorf("%d items are held", now)
			}
		case "BatchWriteItem":
			held.Add(-int64(bytes.Count(c.Body, []byte("PutRequest")) + bytes.Count(c.Body, []byte("DeleteRequest"))))
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
	if left, err := target.RSVPsNamed(t.Context(), e.Token, newRSVP().Name); err != nil || len(left) == 0 || len(left) >= guests {
		t.Errorf("%d RSVPs are left of the interrupted restore, %v", len(left), err)
	}
	if done, err := openLocal(t).Restore(t.Context(), Restore{From: *target.table, Now: now}); done != (Restored{}) || err != nil {
		t.Errorf("a part of an event is restored: %+v, %v", done, err)
	}

	copied, err := target.items(t.Context(), e.Token)
	if err == nil {
		err = tested{source}.DeletePiece(t.Context(), e.Token, storetest.Piece{Key: sortOf(copied[len(copied)-1])})
	}
	must(t, err)

	held.Store(0)
	faults.Inject(count)
	done, err := target.Restore(t.Context(), restore)
	faults.Inject(faulttest.NoFault)
	if err != nil || done != (Restored{Events: 1, Guests: guests - 1}) {
		t.Fatal(done, err)
	}
	want, err := source.items(t.Context(), e.Token)
	must(t, err)
	got, err := target.items(t.Context(), e.Token)
	gate := func(i item) bool { return strings.HasPrefix(sortOf(i), gatePrefix) }
	if got, want = slices.DeleteFunc(got, gate), slices.DeleteFunc(want, gate); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d items, want %d like those of the source, %v", len(got), len(want), err)
	}
	if e, _, stored, err := target.eventWithCount(t.Context(), e.Token); err != nil || e.AttendeeCount != guests-1 || stored != guests {
		t.Errorf("%d guests are counted, %d with the tombstone, %v", e.AttendeeCount, stored, err)
	}
}

// TestMaintenanceRetries: an event may be erased or restored during transactions of its
// guests and its organizer, and a response may be lost.
func TestMaintenanceRetries(t *testing.T) {
	source := openLocal(t)
	target, faults := openFaulty(t, newTable(t))
	e := addEvent(t, source)
	must(t, source.AddRSVP(t.Context(), e.Token, newRSVP()))
	const held = 3 // calls that a transaction rejects, of each operation
	conflicts := func(operation string) faulttest.Fault {
		return faulttest.Only(operation, faulttest.First(held, faulttest.Conflicting))
	}
	faults.Inject(faulttest.Then(conflicts("PutItem"), conflicts("TransactWriteItems")))
	if done, err := target.Restore(t.Context(), Restore{From: *source.table, Now: now}); err != nil || done != (Restored{Events: 1, Guests: 1}) {
		t.Error("restore: ", done, err)
	}
	if items, err := target.EraseEvent(t.Context(), e.Token, now); err != nil || items != 2 {
		t.Error("erase: ", items, err)
	}
	for operation, others := range map[string]int{"PutItem": 2, "TransactWriteItems": 1} {
		if calls := len(faults.Calls(operation)); calls != held+others {
			t.Errorf("%d calls of %s", calls, operation)
		}
	}
	puts := 0
	faults.Inject(faulttest.Only("PutItem", func(c faulttest.Call, send faulttest.Send) faulttest.Response {
		if puts++; puts%2 == 1 {
			return faulttest.DroppedResponse(c, send)
		}
		return send(c)
	}))
	if done, err := target.Restore(t.Context(), Restore{From: *source.table, Event: &e.Token, Now: now}); err != nil || done != (Restored{Events: 1, Guests: 1}) || puts != 4 {
		t.Errorf("restore with lost responses: %v, %v, %d puts", done, err, puts)
	}
}

// TestRestore: events that are neither there nor erased nor expired, or only that of a
// token, also where it was erased. In an empty table an erased token stays taken.
func TestRestore(t *testing.T) {
	before, s, empty := openLocal(t), openLocal(t), openLocal(t)
	e, other := newEvent(), addEvent(t, before)
	for _, s := range []*Store{before, s} {
		must(t, s.AddEvent(t.Context(), e, organizer), s.AddRSVP(t.Context(), e.Token, newRSVP()))
	}
	_, err := s.EraseEvent(t.Context(), e.Token, now)
	must(t, err)
	unknown, last := event.NewToken(), e.ExpiresAt // the last moment that accepts RSVPs
	for n, run := range []struct {
		from, to *Store
		event    *event.Token
		now      time.Time
		want     Restored
		err      error
	}{
		{s, empty, nil, now, Restored{Erased: 1}, nil},
		{s, empty, &e.Token, now, Restored{}, event.ErrEventNotFound},
		{before, empty, &unknown, now, Restored{}, event.ErrEventNotFound},
		{before, empty, nil, now, Restored{Erased: 1, Events: 1}, nil},
		{before, s, nil, last.Add(1), Restored{Expired: 2}, nil},
		{before, s, &e.Token, now, Restored{Events: 1, Guests: 1}, nil},
		{before, s, &e.Token, now, Restored{Present: 1}, nil},
		{before, s, nil, last, Restored{Present: 1, Events: 1}, nil},
	} {
		done, err := run.to.Restore(t.Context(), Restore{From: *run.from.table, Event: run.event, Now: run.now})
		if done != run.want || err != run.err {
			t.Errorf("%d: %+v, %v, want %+v, %v", n, done, err, run.want, run.err)
		}
	}
	if err := empty.AddEvent(t.Context(), e, organizer); err != event.ErrTokenTaken {
		t.Errorf("created again: %v", err)
	}
	for _, token := range []event.Token{e.Token, other.Token} {
		if err := s.AddRSVP(t.Context(), token, newRSVP()); err != nil {
			t.Errorf("a restored event: %v", err)
		}
	}
}

// TestRestoreMeetsRequests: whatever call of a restore comes after a create with the same
// key, either the event is created and stays as it is, with its guests, or it is restored,
// by another restore if that comes first. After a guest has withdrawn, or tried to, it
// counts those that it lists. Of one that is erased meanwhile no name is left.
func TestRestoreMeetsRequests(t *testing.T) {
	source := openLocal(t)
	e, leaver := addEvent(t, source), newRSVP()
	must(t, source.AddRSVP(t.Context(), e.Token, newRSVP()), source.AddRSVP(t.Context(), e.Token, leaver))
	restore := Restore{From: *source.table, Event: &e.Token, Now: now}
	for _, request := range []string{"create", "withdraw", "erase"} {
		for at, met := 1, true; met; at++ {
			c := newTable(t)
			target, faults := openFaulty(t, c)
			calls, guests, want := 0, 2, Restored{Events: 1, Guests: 2}
			met = false
			faults.Inject(func(call faulttest.Call, send faulttest.Send) faulttest.Response {
				if calls++; calls != at {
					return send(call)
				}
				met = true
				s := Open(c)
				switch request {
				case "withdraw":
					if err := s.RemoveRSVP(t.Context(), e.Token, leaver.Hash, now); err != nil {
						t.Error(err)
					}
					return send(call)
				case "erase":
					if _, err := s.EraseEvent(t.Context(), e.Token, now); err == nil {
						guests, want = 0, Restored{Erased: 1}
					}
					return send(call)
				}
				switch err := s.AddEvent(t.Context(), e, organizer); {
				case err == nil:
					guests, want = 1, Restored{Present: 1}
					if err := s.AddRSVP(t.Context(), e.Token, newRSVP()); err != nil {
						t.Error(err)
					}
				case err != event.ErrUnavailable:
					t.Errorf("call %d: created: %v", at, err)
				case call.Operation == "PutItem": // of the details
					if done, err := s.Restore(t.Context(), restore); err != nil || done != want {
						t.Errorf("the other restore: %+v, %v", done, err)
					}
				}
				return send(call)
			})
			if done, err := target.Restore(t.Context(), restore); err != nil || done != want {
				t.Errorf("call %d: %+v, %v, want %+v", at, done, err, want)
			}
			faults.Inject(faulttest.NoFault)
			listed, err := target.RSVPsNamed(t.Context(), e.Token, newRSVP().Name)
			must(t, err)
			if request == "withdraw" {
				guests = len(listed)
			}
			got, err := target.EventByToken(t.Context(), e.Token)
			if exists := want.Erased == 0; (err == nil) != exists || got.AttendeeCount != guests || len(listed) != guests {
				t.Errorf("%s, call %d: %d counted, %d listed, want %d, %v", request, at, got.AttendeeCount, len(listed), guests, err)
			}
		}
	}
}

// TestEmptyEvents: created before one moment, expiring after another, with so many RSVPs.
func TestEmptyEvents(t *testing.T) {
	s := openLocal(t)
	created, expires := now, now.AddDate(1, 0, 0)
	add := func(afterCreated, afterExpires time.Duration, guests, leave int) event.Token {
		e := newEvent()
		e.CreatedAt, e.ExpiresAt = created.Add(afterCreated), expires.Add(afterExpires)
		must(t, s.AddEvent(t.Context(), e, organizer))
		for n := range guests + leave {
			r, gone := newRSVP(), error(nil)
			err := s.AddRSVP(t.Context(), e.Token, r)
			if n < leave {
				gone = s.RemoveRSVP(t.Context(), e.Token, r.Hash, now)
			}
			must(t, err, gone)
		}
		return e.Token
	}
	guests := map[event.Token]int{add(-1, 1, 0, 2): 0, add(-1, 1, 1, 0): 1, add(-1, 1, 2, 0): 2}
	for range 2 * segments {
		guests[add(-1, 1, 0, 0)] = 0
	}
	add(0, 1, 0, 0)
	add(-1, 0, 0, 0)
	_, err := s.EraseEvent(t.Context(), add(-1, 1, 0, 0), now)
	must(t, err)
	for most := range 3 {
		got := map[event.Token]int{} // without a lock: from one goroutine at a time
		err := s.EmptyEvents(t.Context(), created, expires, most, func(e event.Event) error { got[e.Token] = e.AttendeeCount; return nil })
		want := maps.Clone(guests)
		maps.DeleteFunc(want, func(_ event.Token, n int) bool { return n > most })
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%d events with at most %d guests, want %d, %v", len(got), most, len(want), err)
		}
	}
	enough := errors.New("enough")
	if err := s.EmptyEvents(t.Context(), created, expires, 0, func(event.Event) error { return enough }); err != enough {
		t.Error(err)
	}
}

// TestEraseEvent: of an erased event a tombstone of the details is left, and for a while
// the closed gates; other events stay. Package explore tries what such an event answers.
func TestEraseEvent(t *testing.T) {
	s := openLocal(t)
	near, far, unfinished, reserved, other := newEvent(), newEvent(), newEvent(), newEvent(), newEvent()
	far.ExpiresAt = now.AddDate(7000, 0, 0)
	for _, e := range []event.Event{near, far, unfinished, reserved, other} {
		must(t, s.AddEvent(t.Context(), e, organizer), s.AddRSVP(t.Context(), e.Token, newRSVP()))
	}
	err := tested{s}.DeletePiece(t.Context(), unfinished.Token, storetest.Piece{Key: detailsSort}) // as TTL
	must(t, err)
	reservation := item{"reservedFor": text("a restore that failed"), "expiresAt": ttl(reserved.ExpiresAt)}
	maps.Copy(reservation, detailsKey(reserved.Token))
	if done, err := s.putDetails(t.Context(), reservation, "attribute_exists(pk)", nil); !done || err != nil {
		t.Fatal(done, err)
	}
	for _, run := range []struct {
		event    event.Event
		items    int
		err      error
		tombOver time.Time
	}{
		{near, 2, nil, now.AddDate(1, 0, 0)},
		{near, 0, event.ErrEventNotFound, now.AddDate(1, 0, 0)},
		{far, 2, nil, far.ExpiresAt},
		{unfinished, 2, nil, now.AddDate(1, 0, 0)},
		{reserved, 2, nil, now.AddDate(1, 0, 0)},
		{newEvent(), 0, event.ErrEventNotFound, time.Time{}},
	} {
		token := run.event.Token
		if items, err := s.EraseEvent(t.Context(), token, now); items != run.items || err != run.err {
			t.Errorf("%d items, %v, want %d, %v", items, err, run.items, run.err)
		}
		left, err := s.items(t.Context(), token)
		if err != nil || run.tombOver.IsZero() != (len(left) == 0) {
			t.Errorf("%d items are left, %v", len(left), err)
		}
		for n, i := range left {
			var r reader
			want := seconds(run.tombOver)
			if n > 0 {
				want = seconds(now.Add(underWay))
			}
			if n == 0 && len(i) != 3 || int64(r.number(i, "expiresAt")) != want {
				t.Errorf("left is %v", i)
			}
		}
	}
	if got, err := s.EventByToken(t.Context(), other.Token); err != nil || got.AttendeeCount != 1 {
		t.Errorf("the other event: %+v, %v", got, err)
	}
}
