package event

// A Record is everything that a store keeps of one event, as package portable moves it. Counts are
// left to the stores.
type Record struct {
	Event                     // of an erased one Token and ExpiresAt, in whole seconds
	Organizer, CancelKey Hash // the zero Hash for none
	Erased               bool

	// RSVPs are in the order of their hashes, of which the first 16 bytes count. A withdrawn one
	// has only its hash.
	RSVPs []RSVP
}
