package event

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoGuest means that no RSVP has the name that is to be erased.
var ErrNoGuest = errors.New("the event has no guest of that name")

// ErrSeveralGuests means that several RSVPs have the name, and all is not set.
var ErrSeveralGuests = errors.New("guests have that name: -all erases every one of them")

// Named returns the RSVPs with exactly that name. If there is none, the error is ErrNoGuest. If there are
// several and all is not set, it is ErrSeveralGuests.
func Named(rsvps []RSVP, name string, all bool) ([]RSVP, error) {
	named := slices.DeleteFunc(rsvps, func(r RSVP) bool { return r.Name == "" || r.Name != name })
	switch {
	case len(named) == 0:
		return nil, ErrNoGuest
	case len(named) > 1 && !all:
		return nil, fmt.Errorf("%d %w", len(named), ErrSeveralGuests)
	}
	return named, nil
}
