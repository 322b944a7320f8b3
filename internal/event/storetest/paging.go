package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"turnout/internal/event"
)

// pages reads the list in pages of so many RSVPs. Between two pages it calls between, unless it is nil,
// with the number of pages read.
func (f fixture) pages(size int, between func(read int)) (rsvps []event.RSVP) {
	f.t.Helper()
	var after event.Position
	for n := 1; ; n++ {
		page := &event.Page{After: after, Size: func(event.RSVP) int { return 1 }, Most: size}
		f.wantNil("ListAttendees", f.store.ListAttendees(f.ctx(), f.event.Token, f.organizer, page))
		list, more := page.RSVPs()
		rsvps = append(rsvps, list...)
		if !more {
			return rsvps
		}
		last := list[len(list)-1].Position()
		if len(list) != size || last.Compare(after) <= 0 {
			f.t.Fatalf("page %d has %d RSVPs, want %d after the page before", n, len(list), size)
		}
		after = last
		if between != nil {
			between(n)
		}
	}
}

// wantRSVPs compares the positions of RSVPs, and all fields that are no part of the position.
func (f fixture) wantRSVPs(got, want []event.RSVP) {
	f.t.Helper()
	same := func(a, b event.RSVP) bool {
		samePosition := a.Position().Compare(b.Position()) == 0
		a.ID, a.CreatedAt = b.ID, b.CreatedAt
		return samePosition && reflect.DeepEqual(a, b)
	}
	if !slices.EqualFunc(got, want, same) {
		f.t.Errorf("listed are %.500v, want %.500v", got, want)
	}
}

// pagesAreStable: guests who are on the list from the first page to the last are listed once, even if the
// last RSVP of a page is cancelled before the next page is read.
func pagesAreStable(t *testing.T, s Store) {
	const guests = 60
	for _, sameMoment := range []bool{false, true} {
		t.Run(fmt.Sprintf("same moment %v", sameMoment), func(t *testing.T) {
			f := newFixture(t, s)
			var stay, leave []event.RSVP
			for i := range guests {
				r, kept := rsvp(i, fmt.Sprintf("guest %02d", i)), &stay
				if i%3 > 0 {
					r.Name, kept = fmt.Sprintf("gone %02d", i), &leave
				}
				if sameMoment {
					r.CreatedAt = answered
				}
				f.wantNil("CreateRSVP", f.createRSVP(r))
				*kept = append(*kept, r)
			}
			slices.SortFunc(stay, func(a, b event.RSVP) int { return a.Position().Compare(b.Position()) })
			listed := f.pages(5, func(read int) {
				for i, r := range leave {
					if i%7 == read%7 {
						f.wantNil("CancelRSVP", f.cancelRSVP(r.ID))
					}
				}
				if read <= guests {
					newcomer := rsvp(guests+read, fmt.Sprint("newcomer ", read))
					if sameMoment {
						newcomer.CreatedAt = answered
					}
					f.wantNil("CreateRSVP", f.createRSVP(newcomer))
				}
			})
			names := slices.Sorted(slices.Values(namesOf(listed)))
			if once := len(slices.Compact(slices.Clone(names))); once < len(names) {
				t.Errorf("listed twice is one of %q", names)
			}
			stayed := slices.DeleteFunc(listed, func(r event.RSVP) bool { return !strings.HasPrefix(r.Name, "guest") })
			if sameMoment { // then the store may choose the order
				f.wantSame("attendees who stayed", namesOf(stayed), namesOf(stay))
			} else {
				f.wantRSVPs(stayed, stay)
			}
		})
	}
}

// listsMegabyte: a page of DynamoDB ends after a megabyte, and the names of this list are longer. Each
// name is longer than the service admits, so that a few guests suffice.
func listsMegabyte(t *testing.T, s Store) {
	f := newFixture(t, s)
	names := make([]string, 64)
	for i := range names {
		names[i] = fmt.Sprint(strings.Repeat("😀", 5000), i)
	}
	const workers = 8
	errs := together(workers, func(worker int) (err error) {
		for i := worker; i < len(names) && err == nil; i += workers {
			err = f.createRSVP(rsvp(i, names[i]))
		}
		return err
	})
	f.wantNil("CreateRSVP", errors.Join(errs...))
	f.wantSame("attendees", f.guests(), names)
}
