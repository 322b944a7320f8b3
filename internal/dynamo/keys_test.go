package dynamo

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"turnout/internal/event"
)

// TestRanges: the key of every RSVP is in exactly one range, and all ranges have the same size.
func TestRanges(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		ranges := rsvpRanges(n)
		if len(ranges) != n {
			t.Fatalf("%d ranges, want %d", len(ranges), n)
		}
		found := map[keyRange]int{}
		for first := range 256 { // covers all first digits and, with the last byte, the extreme last digits
			for _, last := range []byte{0, 255} {
				sort := rsvpSort(event.RSVPID(slices.Concat([]byte{byte(first)}, bytes.Repeat([]byte{last}, 15))))
				outside := func(r keyRange) bool { return sort < r.first || r.last < sort }
				in := slices.DeleteFunc(slices.Clone(ranges), outside)
				if len(in) != 1 {
					t.Fatalf("%s is in %d of %d ranges", sort, len(in), n)
				}
				found[in[0]]++
			}
		}
		for _, r := range ranges {
			if found[r]*n != 512 {
				t.Errorf("%v of %d ranges has %d of 512 keys", r, n, found[r])
			}
		}
	}
}

// TestGuestsSpreadOverTheGates: all gates count about the same number of guests.
func TestGuestsSpreadOverTheGates(t *testing.T) {
	guests := make([]int, DefaultGates)
	for first := range 256 {
		guests[gateOf(event.RSVPID{byte(first)}, DefaultGates)]++
	}
	if slices.Min(guests) != slices.Max(guests) {
		t.Errorf("guests by gate: %v", guests)
	}
}

// TestIDInKey: the id of an RSVP can be read from its key. Any other key is an error.
func TestIDInKey(t *testing.T) {
	h := event.NewToken().RSVPID()
	got, err := idFromSort(rsvpSort(h))
	if err != nil || got != h {
		t.Errorf("%x, %v, want %x", got, err, h)
	}
	valid := strings.TrimPrefix(rsvpSort(h), rsvpPrefix)
	for _, spelled := range []string{"", valid[1:], valid + "AAA", valid[1:] + "!"} {
		if _, err := idFromSort(rsvpPrefix + spelled); err == nil {
			t.Errorf("%q is taken for a hash", spelled)
		}
	}
}
