package portable

import (
	"context"
	"iter"

	"turnout/internal/event"
)

// A Record is everything that a store keeps of one event. Counts are left to the stores.
type Record struct {
	event.Event                     // of an erased one Token and ExpiresAt, in whole seconds
	Organizer, CancelKey event.Hash // the zero Hash for none
	Erased               bool

	// RSVPs are in the order of their hashes, of which the first 16 bytes count. A withdrawn one
	// has only its hash.
	RSVPs []event.RSVP
}

// A Store can be exported and imported. Nothing else may write to it meanwhile.
type Store interface {
	// Tokens yields the tokens of all events, expired and erased ones included.
	Tokens(ctx context.Context) iter.Seq2[event.Token, error]

	// Record returns an event, or ErrEventNotFound. It fails if the event has data that a Record
	// cannot hold, which a later version has stored.
	Record(ctx context.Context, token event.Token) (Record, error)

	// AddRecord stores an event whole or not at all. If the token is that of a stored event, or of
	// an erased one, it changes nothing and returns ErrTokenTaken. After any other error the call
	// can be repeated.
	AddRecord(ctx context.Context, r Record) error
}
