package bolt

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"turnout/internal/event"
)

// TestDecodeShortValues: a value that ends too early is damaged, also under a
// checksum that is right.
func TestDecodeShortValues(t *testing.T) {
	e := event.Event{
		Token: event.NewToken(), Title: "Picnic", DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC",
		Description: new("cake"), Location: new(""), Cancelled: true, CancellationReason: new("rain"),
	}
	key := detailsKey(e.Token)
	for _, c := range []struct {
		name     string
		content  []byte
		shortest int // that is whole
		decode   func(value []byte) error
	}{
		{"details", details{Event: e}.encode(), 1 << 20, func(v []byte) error { _, err := decodeDetails(key, v); return err }},
		{"counter", counter{rsvps: 1}.encode(), 1 << 20, func(v []byte) error { _, err := decodeCounter(key, v); return err }},
		{"RSVP", rsvp{name: []byte("Ada")}.encode(), timeSize, func(v []byte) error { _, err := decodeRSVP(key, v); return err }},
	} {
		for n := range len(c.content) {
			err := c.decode(seal(key, bytes.Clone(c.content[:n])))
			if want := n < c.shortest; errors.Is(err, errDamaged) != want || !want && err != nil {
				t.Errorf("%s of %d bytes: %v", c.name, n, err)
			}
		}
		whole := seal(key, bytes.Clone(c.content))
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
	if _, err := decodeCounter(key, seal(key, append(counter{}.encode(), 0))); !errors.Is(err, errDamaged) {
		t.Errorf("a longer counter: %v", err)
	}
}

// TestValueOfAnotherKey: a value is damaged under any other key.
func TestValueOfAnotherKey(t *testing.T) {
	a, b := event.NewToken(), event.NewToken()
	value := seal(counterKey(a), counter{}.encode())
	if _, err := decodeCounter(counterKey(b), value); !errors.Is(err, errDamaged) {
		t.Error(err)
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
