package event

import (
	"errors"
	"fmt"
)

// ErrNoGuest means that there is nothing to erase.
var ErrNoGuest = errors.New("the event has no guest of that name")

// CheckNamed rejects zero matches of a guest's name with ErrNoGuest, and several unless all is set.
func CheckNamed(found int, all bool) error {
	switch {
	case found == 0:
		return ErrNoGuest
	case found > 1 && !all:
		return fmt.Errorf("%d guests have that name: -all erases every one of them", found)
	}
	return nil
}
