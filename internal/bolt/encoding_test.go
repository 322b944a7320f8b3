package bolt

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestDecodeShortValues: a value that ends within a field, or before one that is
// required, is damaged, although its checksum is right, and so is one under another key.
// Optional fields at the end may be missing: the record is older than they are.
func TestDecodeShortValues(t *testing.T) {
	e := event.Event{
		Token: event.NewToken(), Title: "Picnic", DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
		Description: new("cake"), Location: new(""), Cancelled: true, CancellationReason: new("rain"),
	}
	key := detailsKey(e.Token)
	encoded := details{Event: e}.encode()
	withoutKey := len(encoded) - len("....")
	withoutReason := withoutKey - len("....rain")
	withoutLocation := withoutReason - len("....")
	for _, c := range []struct {
		name    string
		content []byte
		whole   []int // lengths
		decode  func(value []byte) error
	}{
		{"details", encoded, []int{withoutLocation, withoutReason, withoutKey}, func(v []byte) error { _, err := decodeDetails(key, v); return err }},
		{"counter", counter{rsvps: 1}.encode(), nil, func(v []byte) error { _, err := decodeCounter(key, v); return err }},
		{"RSVP", rsvp{name: []byte("Ada")}.encode(), []int{0, timeSize, timeSize + 1, timeSize + 2}, func(v []byte) error { _, err := decodeRSVP(key, v); return err }},
	} {
		for n := range len(c.content) {
			err := c.decode(appendChecksum(key, bytes.Clone(c.content[:n])))
			if want := !slices.Contains(c.whole, n); errors.Is(err, errDamaged) != want || !want && err != nil {
				t.Errorf("%s of %d bytes: %v", c.name, n, err)
			}
		}
		if err := c.decode(appendChecksum(counterKey(e.Token), bytes.Clone(c.content))); !errors.Is(err, errDamaged) {
			t.Errorf("%s of another key: %v", c.name, err)
		}
		whole := appendChecksum(key, bytes.Clone(c.content))
		if err := c.decode(whole); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for n := range len(whole) {
			whole[n]++
			if err := c.decode(whole); !errors.Is(err, errDamaged) {
				t.Errorf("%s with another byte %d: %v", c.name, n, err)
			}
			whole[n]--
		}
		for n := range 4 {
			if err := c.decode(whole[:n]); !errors.Is(err, errDamaged) {
				t.Errorf("%s of %d bytes: %v", c.name, n, err)
			}
		}
	}
	if _, err := decodeCounter(key, appendChecksum(key, append(counter{}.encode(), 0))); !errors.Is(err, errDamaged) {
		t.Errorf("a longer counter: %v", err)
	}
}

// TestTimesSort: bytes sort as the moments do, from year 1 to 10000.
func TestTimesSort(t *testing.T) {
	var before []byte
	for _, at := range []time.Time{
		{}, time.Unix(-1, 0), time.Unix(-1, 999_999_999), time.Unix(0, 0), time.Unix(0, 1), time.Unix(0, 256),
		time.Unix(1, 0), time.Unix(256, 0), time.Date(2262, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 8, 0, 0, 0, 1, time.UTC),
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

// TestFileOfAnEarlierVersion: a file that commit 0cd7561 wrote opens with all that is in
// it. What was added to the format since is absent.
func TestFileOfAnEarlierVersion(t *testing.T) {
	folder := t.TempDir()
	must(t, os.CopyFS(folder, os.DirFS("testdata")))
	s := open(t, filepath.Join(folder, "0cd7561.db"))
	at := time.Date(2026, 11, 21, 12, 0, 0, 1, time.UTC)
	plain := event.Event{
		Token: event.Token{1}, Title: "Picnic", DateTime: "2027-05-01T12:00:00+02:00", Timezone: "Europe/Berlin",
		AttendeeCount: 2, CreatedAt: at, ExpiresAt: time.Date(2027, 5, 8, 10, 0, 0, 0, time.UTC),
	}
	cancelled := plain
	cancelled.Token, cancelled.Cancelled, cancelled.Description, cancelled.Location = event.Token{2}, true, new("cake"), new("the park")
	reason := cancelled
	reason.Token, reason.CancellationReason = event.Token{3}, new("rain")
	for _, want := range []event.Event{plain, cancelled, reason} {
		if got, err := s.EventByToken(t.Context(), want.Token); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v, want %+v", got, err, want)
		}
		list := wantGuests(t, s, want.Token, want.Token.Hash(), 2)
		if list[0].Name != "Ada" || list[1].Name != "Cleo" || !list[1].CreatedAt.Equal(at.Add(2)) {
			t.Errorf("listed %+v", list)
		}
	}
	addRSVP(t, s, plain.Token, "Dan", at)
}

// TestFieldsOfLaterVersions: unknown fields at the end of an event are kept when the event changes.
func TestFieldsOfLaterVersions(t *testing.T) {
	s := openNew(t)
	token, organizer := newEvent(t, s, time.Now())
	key, later := detailsKey(token), appendText(nil, new("later"))
	errs := s.batch(func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		c.put(itemsBucket, key, append(d.encode(), later...))
		return errors.Join(err, c.err)
	})
	must(t, append(errs, s.CancelEvent(t.Context(), token, organizer, new("rain"), event.Hash{}, time.Now()))...)
	errs = s.batch(func(c *change) error {
		d, err := detailsOf(c.Tx, token)
		if *d.CancellationReason != "rain" || d.unknown != string(later) {
			t.Errorf("stored %+v", d)
		}
		return err
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}
