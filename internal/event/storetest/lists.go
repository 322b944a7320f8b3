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

// wantRSVPs compares the places of RSVPs in the list, and all other fields.
func (f fixture) wantRSVPs(got, want []event.RSVP) {
	f.t.Helper()
	same := func(a, b event.RSVP) bool {
		samePlace := a.Compare(b) == 0
		a.ID, a.CreatedAt = b.ID, b.CreatedAt
		return samePlace && reflect.DeepEqual(a, b)
	}
	if !slices.EqualFunc(got, want, same) {
		f.t.Errorf("listed are %.500v, want %.500v", got, want)
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
