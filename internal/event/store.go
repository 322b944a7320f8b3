package event

import (
	"context"
	"time"
)

// A Store keeps events and RSVPs. Package storetest holds the contract that
// every Store passes; in short:
//
//   - Each method is atomic, whatever runs at the same time, and what it has
//     acknowledged is durable. A refused call changes nothing.
//   - The context carries a deadline. A store that cannot answer by then, or
//     cannot be reached, returns an error that is ErrUnavailable; so do reads and
//     writes alike if the context is done already.
//   - Stores do not read the clock: time comes with the call.
//   - Some time after ExpiresAt a store may forget an event, piece by piece and
//     in any order, and nothing that is gone is made again. An event whose
//     details are gone does not exist; guests whose counter is gone do not count.
type Store interface {
	// AddEvent stores a new event without RSVPs. Its organizer is who holds the
	// token of that hash. A token that is taken is a defect: an error, and what is
	// stored stays as it is.
	AddEvent(ctx context.Context, e Event, organizer Hash) error

	// EventByToken returns an event with the number of its RSVPs, or ErrEventNotFound.
	EventByToken(ctx context.Context, token Token) (Event, error)

	// CancelEvent cancels an event for good. Errors, the first that applies:
	// ErrEventNotFound, ErrOrganizerToken, ErrAlreadyCancelled. Once it has
	// returned nil, no AddRSVP succeeds that had not succeeded before.
	CancelEvent(ctx context.Context, token Token, organizer Hash, reason *string, now time.Time) error

	// AddRSVP stores an RSVP if the event exists and admits it at r.CreatedAt.
	// Errors, the first that applies: ErrEventNotFound, ErrEventCancelled,
	// ErrEventExpired. An RSVP that is there already stays as it is, and AddRSVP
	// returns nil: so a call repeated after a lost answer counts a guest once.
	AddRSVP(ctx context.Context, token Token, r RSVP) error

	// RemoveRSVP deletes an RSVP of that event. Where there is none it changes
	// nothing and returns nil.
	RemoveRSVP(ctx context.Context, token Token, rsvp Hash) error

	// AttendeesByEvent returns the names of an event's guests in the order of
	// RSVP.CreatedAt, or ErrEventNotFound, or ErrOrganizerToken.
	AttendeesByEvent(ctx context.Context, token Token, organizer Hash) ([]string, error)

	// Ready returns nil if the store answers.
	Ready(ctx context.Context) error
}
