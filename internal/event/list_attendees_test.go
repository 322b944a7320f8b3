package event

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestPage: from RSVPs in any order, the pages have each RSVP once and in order. Ten times as many RSVPs do not need
// more memory.
func TestPage(t *testing.T) {
	for _, guests := range []int{1, 500, 5000} {
		all := make([]RSVP, guests)
		for i := range all {
			all[i].Name = "Ada"
			all[i].CreatedAt = time.Unix(int64(i/3), 0) // some RSVPs have the same instant
			binary.BigEndian.PutUint32(all[i].ID[:], uint32(i))
		}
		shuffled := slices.Clone(all)
		rand.Shuffle(guests, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		const most, each = 1000, 20
		var read []RSVP
		for more := true; more; {
			p := &Page{Size: func(RSVP) int { return each }, Most: most}
			if len(read) > 0 {
				p.After = read[len(read)-1].Position()
			}
			for _, r := range shuffled {
				if p.Add(r); len(p.rsvps) > 2*most/each {
					t.Fatalf("of %d RSVPs, %d are kept", guests, len(p.rsvps))
				}
			}
			var page []RSVP
			page, more = p.RSVPs()
			if len(page) > most/each || more && len(page) < most/each {
				t.Errorf("a page has %d RSVPs, more follow: %t", len(page), more)
			}
			read = append(read, page...)
		}
		if !slices.Equal(read, all) {
			t.Errorf("%d of %d RSVPs are read, or in another order", len(read), guests)
		}
	}
	large := &Page{Size: func(RSVP) int { return 3 }, Most: 2}
	large.Add(RSVP{Name: "Ada", CreatedAt: time.Unix(1, 0)})
	large.Add(RSVP{Name: "Ben", CreatedAt: time.Unix(2, 0)})
	if page, more := large.RSVPs(); len(page) != 1 || !more {
		t.Errorf("where none fits, the page has %d RSVPs, more follow: %t", len(page), more)
	}
}
