package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestDecodeShortValues: a value cut off inside a field, or before a required field, is damaged even if its
// checksum matches. So is a value under another key. Optional fields at the end may be absent in older
// records.
func TestDecodeShortValues(t *testing.T) {
	e := event.Event{
		Token: event.NewToken(), Title: "Picnic", DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
		Description: new("cake"), Location: new(""), Host: new("Mara"), Language: new("de"),
		Cancelled: true, CancellationReason: new("rain"), MovedTo: &event.Token{1},
	}
	key := detailsKey(e.Token)
	encoded := details{event.Record{Event: e}}.encode()
	if version != 2 || len(encoded) != 176 {
		t.Errorf("this record has %d bytes in version %d, want 176 in 2: a new field raises the version. Without "+
			"it, an older program takes a newer file for damaged", len(encoded), version)
	}
	withoutLanguage := len(encoded) - len("....de")
	withoutHost := withoutLanguage - len("....Mara")
	withoutMove := withoutHost - len("....01000000-0000-0000-0000-000000000000")
	withoutKey := withoutMove - len("....")
	withoutReason := withoutKey - len("....rain")
	withoutLocation := withoutReason - len("....")
	for _, c := range []struct {
		name    string
		content []byte
		whole   []int // lengths at which a shorter value is valid
		decode  func(value []byte) error
	}{
		{"details", encoded, []int{
			withoutLocation, withoutReason, withoutKey, withoutMove, withoutHost, withoutLanguage,
		}, func(v []byte) error { _, err := decodeDetails(key, v); return err }},
		{"counter", counter{rsvps: 1}.encode(), nil, func(v []byte) error { _, err := decodeCounter(key, v); return err }},
		{"RSVP", encodeRSVP(event.RSVP{Name: "Ada"}), []int{0, timeSize, timeSize + 1, timeSize + 2}, func(v []byte) error { _, err := decodeRSVP(key, v); return err }},
	} {
		wants := func(what string, value []byte, whole bool) {
			if err := c.decode(value); whole && err != nil || !whole && !errors.Is(err, errDamaged) {
				t.Errorf("%s %s: %v, want a valid value: %t", c.name, what, err, whole)
			}
		}
		for n := range len(c.content) + 1 {
			whole := n == len(c.content) || slices.Contains(c.whole, n)
			wants(fmt.Sprintf("of %d bytes", n), appendChecksum(key, bytes.Clone(c.content[:n])), whole)
		}
		wants("of another key", appendChecksum(counterKey(e.Token), bytes.Clone(c.content)), false)
		whole := appendChecksum(key, bytes.Clone(c.content))
		for n := range whole {
			whole[n]++
			wants(fmt.Sprintf("with another byte %d", n), whole, false)
			whole[n]--
		}
		for n := range 4 {
			wants("shorter than a checksum", whole[:n], false)
		}
	}
	for what, content := range map[string][]byte{
		"an event that has moved to no token": bytes.Replace(encoded, []byte("01000000-"), []byte("01000000+"), 1),
		"an event without a title":            bytes.Replace(encoded, []byte("\x00\x00\x00\x06Picnic"), []byte("\xff\xff\xff\xff"), 1),
	} {
		if _, err := decodeDetails(key, appendChecksum(key, content)); !errors.Is(err, errDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := decodeCounter(key, appendChecksum(key, append(counter{}.encode(), 0))); !errors.Is(err, errDamaged) {
		t.Errorf("a longer counter: %v", err)
	}
	longer := appendText(bytes.Clone(encoded), new("later"))
	if _, err := decodeDetails(key, appendChecksum(key, longer)); !errors.Is(err, errDamaged) {
		t.Errorf("longer details: %v", err)
	}
}

// TestTimesSort: encoded times sort in the order of their instants, from the year 1 to 9999.
func TestTimesSort(t *testing.T) {
	var before []byte
	for _, at := range []time.Time{
		{}, time.Unix(-1, 0), time.Unix(-1, 999_999_999), time.Unix(0, 0), time.Unix(0, 1), time.Unix(0, 256),
		time.Unix(1, 0), time.Unix(256, 0), time.Date(2262, 5, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
	} {
		b := appendTime(nil, at)
		if got := timeFrom(b); !got.Equal(at) {
			t.Errorf("%v is read as %v", at, got)
		}
		if bytes.Compare(before, b) >= 0 {
			t.Errorf("%v does not sort after the one before", at)
		}
		before = b
	}
}

// TestFilesOfEarlierVersions: the files in testdata open with all their content. Their names are the commits that wrote
// them. Fields that were added since are absent. If a field was not added at the end of the record, another field is
// wrong here.
func TestFilesOfEarlierVersions(t *testing.T) {
	folder := t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS("testdata")))
	at := time.Date(2026, 11, 21, 12, 0, 0, 1, time.UTC)
	plain := event.Event{
		Token: event.Token{1}, Title: "Picnic", DateTime: "2027-05-01T12:00:00+02:00", Timezone: "Europe/Berlin",
		AttendeeCount: 2, CreatedAt: at, ExpiresAt: time.Date(2027, 5, 8, 10, 0, 0, 0, time.UTC),
	}
	full := plain
	full.Description, full.Location = new("cake"), new("the park")
	cancelled := func(number byte, reason *string) event.Event {
		e := full
		e.Token, e.Cancelled, e.CancellationReason = event.Token{number}, true, reason
		return e
	}
	moved := func(number byte, reason *string) event.Event {
		e := cancelled(number, reason)
		e.MovedTo = &event.Token{1}
		return e
	}
	for _, file := range []struct {
		name   string
		events []event.Event // each with three guests, of whom Ben has withdrawn
		keys   bool          // events were cancelled with a key, and withdrawn or erased items keep their token taken
	}{
		{"0cd7561.db", []event.Event{plain, cancelled(2, nil), cancelled(3, new("rain"))}, false},
		{"3b5f2ea.db", []event.Event{full, cancelled(2, new("rain")), cancelled(3, nil)}, true},
		{"a5218d3.db", []event.Event{full, moved(2, new("rain")), moved(3, nil)}, true},
	} {
		t.Run(file.name, func(t *testing.T) {
			s := open(t, filepath.Join(folder, file.name))
			for _, want := range file.events {
				token, organizer := want.Token, want.Token.Hash()
				if got, err := s.GetEvent(t.Context(), token); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("read %+v, %v, want %+v", got, err, want)
				}
				list := wantGuests(t, s, token, organizer, 2)
				if list[0].Name != "Ada" || list[1].Name != "Cleo" || !list[1].CreatedAt.Equal(at.Add(2)) {
					t.Errorf("listed %+v", list)
				}
				if !file.keys {
					continue
				}
				ben := event.RSVP{ID: event.Token{token[0], 1}.RSVPID(), Name: "Ben", CreatedAt: at}
				if err := s.CreateRSVP(t.Context(), token, ben); err != event.ErrTokenTaken {
					t.Errorf("an RSVP that was withdrawn: %v", err)
				}
				if want.Cancelled {
					again := event.Cancellation{Reason: want.CancellationReason, MovedTo: want.MovedTo, Key: organizer}
					must(t, s.CancelEvent(t.Context(), token, organizer, again, at))
				}
			}
			erased := full
			erased.Token = event.Token{4}
			if err := s.CreateEvent(t.Context(), erased, erased.Token.Hash()); file.keys && err != event.ErrTokenTaken {
				t.Errorf("an event that was erased: %v", err)
			}
			createRSVP(t, s, plain.Token, "Dan", at)
			must(t, s.Close())
			// The first open has added a version to the file.
			wantGuests(t, open(t, s.path), plain.Token, plain.Token.Hash(), 3)
		})
	}
}
