package event

import "time"

// A Record is everything that a store keeps of one event, as package portable moves it. It has no
// count: each store counts the RSVPs itself.
type Record struct {
	Event                     // an erased event has only Token and ExpiresAt, in whole seconds
	Organizer, CancelKey Hash // the zero Hash stands for no organizer or key
	Erased               bool

	// RSVPs are in the order of their ids. A withdrawn RSVP has only its id.
	RSVPs []RSVP
}

// ErasedUntil returns the expiry of an erased event. It is rounded up to a second, within the year 9999.
func ErasedUntil(expires time.Time) time.Time {
	up := expires.Add(time.Second - 1).Truncate(time.Second)
	if up.After(lastExpiry) {
		return lastExpiry.Truncate(time.Second)
	}
	return up
}
