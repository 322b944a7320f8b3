package dynamo

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
)

// newRecord returns an event with this number of RSVPs, of which every second is withdrawn.
func newRecord(rsvps int) event.Record {
	r := event.Record{Event: newEvent(), Organizer: organizer}
	for n := range rsvps {
		rsvp := event.RSVP{ID: event.RSVPID{0: byte(n), 1: 1}}
		if n%2 == 0 {
			rsvp.Name, rsvp.CreatedAt = "Ada", now
		}
		r.RSVPs = append(r.RSVPs, rsvp)
	}
	return r
}

// TestInterruptedImport: an import that ends before the details leaves no event. The next import
// replaces the event's items, even if guests, or the whole event, have been erased since.
func TestInterruptedImport(t *testing.T) {
	for name, change := range map[string]func(*event.Record){
		"same":      func(*event.Record) {},
		"withdrawn": func(r *event.Record) { r.RSVPs[0] = event.RSVP{ID: r.RSVPs[0].ID} },
		"fewer":     func(r *event.Record) { r.RSVPs = r.RSVPs[1:2] },
		"erased": func(r *event.Record) {
			*r = event.Record{Event: event.Event{Token: r.Token, ExpiresAt: now.Truncate(1e9)}, Erased: true}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, faults := openFaulty(t, newTable(t))
			r := newRecord(2*batchSize + 1)
			faults.Inject(faulttest.Only("PutItem", faulttest.Denied))
			if err := s.AddRecord(t.Context(), r); err == nil {
				t.Fatal("it was not interrupted")
			}
			if left, err := s.items(t.Context(), r.Token); err != nil || len(left) != len(r.RSVPs)+DefaultGates {
				t.Fatalf("%d items, %v", len(left), err)
			}
			_, read := s.GetEvent(t.Context(), r.Token)
			_, exported := s.Record(t.Context(), r.Token)
			if read != event.ErrEventNotFound || exported != event.ErrEventNotFound {
				t.Error(read, exported)
			}
			faults.Inject(faulttest.NoFault)
			change(&r)
			must(t, s.AddRecord(t.Context(), r))
			left, err := s.items(t.Context(), r.Token)
			gates := slices.DeleteFunc(left, func(i item) bool { return !strings.HasPrefix(sortOf(i), gatePrefix) })
			must(t, err)
			got, err := s.Record(t.Context(), r.Token)
			must(t, err)
			if !reflect.DeepEqual(got, r) || len(gates) != min(len(r.RSVPs), DefaultGates) {
				t.Errorf("stored are %v and %d gates, want %v", got, len(gates), r)
			}
			if err := s.AddRecord(t.Context(), r); err != event.ErrTokenTaken {
				t.Error(err)
			}
		})
	}
}

// TestImportMeetsEvent: the event is created after the import has looked for the event and found none.
func TestImportMeetsEvent(t *testing.T) {
	s, faults := openFaulty(t, newTable(t))
	r := newRecord(0)
	other := r.Event
	other.Title = "Party"
	meanwhile := func(c faulttest.Call, send faulttest.Send) (*http.Response, error) {
		must(t, s.CreateEvent(t.Context(), other, organizer))
		return send(c)
	}
	faults.Inject(faulttest.Only("PutItem", faulttest.First(1, meanwhile)))
	if err := s.AddRecord(t.Context(), r); err != event.ErrTokenTaken {
		t.Error(err)
	}
	if got, err := s.GetEvent(t.Context(), r.Token); err != nil || got.Title != other.Title {
		t.Error(got, err)
	}
}

// TestLongExport: an export is complete if the table and an event have several pages.
func TestLongExport(t *testing.T) {
	s := openLocal(t)
	want, got := make(map[event.Token]bool), make(map[event.Token]bool)
	long := newRecord(0)
	for n := range perQuery + 1 {
		long.RSVPs = append(long.RSVPs, event.RSVP{ID: event.RSVPID{0: byte(n >> 8), 1: byte(n)}})
	}
	for _, r := range []event.Record{newRecord(1), long, newRecord(1), newRecord(1)} {
		must(t, s.AddRecord(t.Context(), r))
		want[r.Token] = true
	}
	must(t, s.EachToken(t.Context(), func(token event.Token) error {
		got[token] = true
		return nil
	}))
	if !maps.Equal(got, want) {
		t.Errorf("tokens are %v, want %v", got, want)
	}
	if got, err := s.Record(t.Context(), long.Token); err != nil || !reflect.DeepEqual(got, long) {
		t.Errorf("%d RSVPs, %v", len(got.RSVPs), err)
	}
}

// TestImportClosesGates: an RSVP may have read an event's details before a cancelled version of the event was imported.
// Such an RSVP must not be admitted.
func TestImportClosesGates(t *testing.T) {
	s, r := openLocal(t), newRecord(2)
	r.Cancelled = true
	must(t, s.AddRecord(t.Context(), r))
	stored, err := s.items(t.Context(), r.Token)
	must(t, err)
	if gates := stored[1:3]; !(&reader{}).boolean(gates[0], "closed") || !(&reader{}).boolean(gates[1], "closed") {
		t.Errorf("gates of a cancelled event are %v", gates)
	}
}
