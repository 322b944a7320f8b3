package event

import (
	"errors"
	"fmt"
)

// CheckNamed returns an error unless an operator may erase this number of RSVPs with the same
// name: several only with all.
func CheckNamed(found int, all bool) error {
	switch {
	case found == 0:
		return errors.New("the event has no guest of that name")
	case found > 1 && !all:
		return fmt.Errorf("%d guests have that name: -all erases every one of them", found)
	}
	return nil
}
