package event

import (
	"errors"
	"fmt"
	"slices"
)

// ErrNoGuest means that there is nothing to erase.
var ErrNoGuest = errors.New("the event has no guest of that name")

// ErrSeveralGuests means that it is not known whom to erase.
var ErrSeveralGuests = errors.New("guests have that name: -all erases every one of them")

// Named returns the RSVPs with exactly that name: ErrNoGuest if there is none, and ErrSeveralGuests
// for several unless all is set.
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
