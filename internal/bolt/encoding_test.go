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

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

// TestDecodeShortValues: a value cut off inside a field, or before a required field, is damaged even if its
// checksum matches. So is a value under another key.
func TestDecodeShortValues(t *testing.T) {
	e := event.Event{
		Token: event.NewToken(), Title: "Picnic", DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
		Description: new("cake"), Location: new(""), Host: new("Mara"), Language: new("de"),
		Cancelled: true, CancellationReason: new("rain"), MovedTo: &event.Token{1},
		EndDateTime: new("2027-05-01T13:00:00Z"),
	}
	key := detailsKey(e.Token)
	encoded := details{event.Record{Event: e}}.encode()
	if version != 3 || len(encoded) != 200 {
		t.Errorf("this record has %d bytes in version %d, want 200 in 3: a new field raises the version. Without "+
			"it, an older program takes a newer file for damaged", len(encoded), version)
	}
	withoutEnd := len(encoded) - len("....2027-05-01T13:00:00Z")
	endless := e
	endless.EndDateTime = nil
	if !bytes.Equal(details{event.Record{Event: endless}}.encode(), encoded[:withoutEnd]) {
		t.Error("the record of an event without an end is not as in version 2, so an older program refuses it")
	}
	for _, c := range []struct {
		name    string
		content []byte
		whole   []int // lengths at which a shorter value is valid
		decode  func(value []byte) error
	}{
		{"details", encoded, []int{withoutEnd}, func(v []byte) error { _, err := decodeDetails(key, v); return err }},
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

// TestFileOfVersion2: the file in testdata opens with all its content, and can be written. If a field is not added at
// the end of the record, another field is wrong here.
func TestFileOfVersion2(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turnout.db")
	content, err := os.ReadFile("testdata/version2.db")
	must(t, err, os.WriteFile(path, content, 0o600))
	s := open(t, path)
	at := time.Date(2026, 11, 21, 12, 0, 0, 1, time.UTC)
	plain := event.Event{
		Token: event.Token{1}, Title: "Picnic", DateTime: "2027-05-01T12:00:00+02:00", Timezone: "Europe/Berlin",
		AttendeeCount: 2, CreatedAt: at, ExpiresAt: time.Date(2027, 5, 8, 10, 0, 0, 0, time.UTC),
	}
	full := plain
	full.Token = event.Token{2}
	full.Description, full.Location, full.Host, full.Language = new("cake"), new("the park"), new("Mara"), new("de")
	cancelled := full
	cancelled.Token, cancelled.Cancelled = event.Token{3}, true
	cancelled.CancellationReason, cancelled.MovedTo = new("rain"), &event.Token{1}
	for _, want := range []event.Event{plain, full, cancelled} { // each with three guests, of whom Ben has withdrawn
		token, organizer := want.Token, want.Token.Hash()
		if got, err := s.GetEvent(t.Context(), token); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v, want %+v", got, err, want)
		}
		list := wantGuests(t, s, token, organizer, 2)
		if list[0].Name != "Ada" || list[1].Name != "Cleo" || !list[1].CreatedAt.Equal(at.Add(2)) {
			t.Errorf("listed %+v", list)
		}
		ben := event.RSVP{ID: event.Token{token[0], 1}.RSVPID(), Name: "Ben", CreatedAt: at}
		if err := s.CreateRSVP(t.Context(), token, ben); err != event.ErrTokenTaken {
			t.Errorf("an RSVP that was withdrawn: %v", err)
		}
	}
	again := event.Cancellation{Reason: new("rain"), MovedTo: &event.Token{1}, Key: cancelled.Token.Hash()}
	must(t, s.CancelEvent(t.Context(), cancelled.Token, cancelled.Token.Hash(), again, at))
	erased := full
	erased.Token = event.Token{4}
	if err := s.CreateEvent(t.Context(), erased, erased.Token.Hash()); err != event.ErrTokenTaken {
		t.Errorf("an event that was erased: %v", err)
	}
	createRSVP(t, s, plain.Token, "Dan", at)
	full.Token = event.Token{5}
	must(t, s.CreateEvent(t.Context(), full, full.Token.Hash()), s.Close())
	wantVersion(t, path, 2)
	wantGuests(t, open(t, path), plain.Token, plain.Token.Hash(), 3)
}

// TestVersionOfEnds: the first event with an end raises the version of a file. An earlier program would take a record
// with an end for damaged.
func TestVersionOfEnds(t *testing.T) {
	ends := event.Event{
		Token: event.Token{1}, Title: "Picnic", Timezone: "UTC",
		DateTime: "2099-05-01T12:00:00Z", EndDateTime: new("2099-05-01T18:00:00Z"),
		CreatedAt: time.Unix(1, 0).UTC(), ExpiresAt: time.Date(2099, 5, 8, 12, 0, 0, 0, time.UTC),
	}
	for _, add := range []func(*Store) error{
		func(s *Store) error { return s.CreateEvent(t.Context(), ends, event.Hash{1}) },
		func(s *Store) error {
			return s.AddRecord(t.Context(), event.Record{Event: ends, Organizer: event.Hash{1}})
		},
	} {
		path := filepath.Join(t.TempDir(), "turnout.db")
		s := open(t, path)
		plain := ends
		plain.Token, plain.EndDateTime = event.Token{2}, nil
		must(t, add(s), s.CreateEvent(t.Context(), plain, event.Hash{1}), s.Close())
		wantVersion(t, path, 3)
		if got, err := open(t, path).GetEvent(t.Context(), ends.Token); err != nil || !reflect.DeepEqual(got, ends) {
			t.Errorf("read %+v, %v, want %+v", got, err, ends)
		}
	}
}

// wantVersion asserts the version of a file that is closed.
func wantVersion(t *testing.T, path string, want byte) {
	t.Helper()
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true})
	must(t, err, db.View(func(tx *bbolt.Tx) error {
		if got, err := versionOf(tx); err != nil || got != want {
			t.Errorf("the file has the version %d, %v, want %d", got, err, want)
		}
		return nil
	}), db.Close())
}
