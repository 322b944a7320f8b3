package event

import (
	"context"
	"time"
)

// A Store keeps events and RSVPs. Package storetest holds the contract that
// every Store passes; in short:
//
//   - Each method is atomic under any concurrency, and durable once acknowledged.
//     A refused call changes nothing.
//   - The context carries a deadline. A store that cannot answer by then, or
//     cannot be reached, returns an error that is ErrUnavailable; so do reads and
//     writes alike if the context is done already.
//   - Stores do not read the clock: the time is an argument of the call.
//   - Some time after ExpiresAt a store may delete an event, piece by piece and
//     in any order, and nothing that was deleted is created again. An event whose
//     details are gone does not exist; RSVPs whose counter is gone do not count.
type Store interface {
	// AddEvent stores a new event without RSVPs, under the hash of its organizer token. If the
	// token, the organizer and the content (Event.SameContent) are those of a stored event, in
	// any state, the call is a repeat: it changes nothing and returns nil. Any other event
	// with that token stays as it is: ErrTokenTaken.
	AddEvent(ctx context.Context, e Event, organizer Hash) error

	// EventByToken returns an event with the number of its RSVPs, or ErrEventNotFound.
	EventByToken(ctx context.Context, token Token) (Event, error)

	// CancelEvent cancels an event for good. If a call with the same key has cancelled it, the
	// same content is a repeat and returns nil, other content is ErrTokenTaken. Errors, the
	// first that applies: ErrEventNotFound, ErrOrganizerToken, ErrTokenTaken,
	// ErrAlreadyCancelled. Once it has returned nil, no AddRSVP succeeds that had not succeeded
	// before.
	CancelEvent(ctx context.Context, token Token, organizer Hash, c Cancellation, now time.Time) error

	// AddRSVP stores an RSVP if the event exists and admits it at r.CreatedAt. A stored RSVP
	// with that id stays as it is, even if the event has been cancelled or has expired
	// since: the same name is a repeat and returns nil, another name is ErrTokenTaken. So is
	// any name after RemoveRSVP, which is final. Errors, the first that applies:
	// ErrEventNotFound, ErrTokenTaken, ErrEventCancelled, ErrEventExpired. A store that
	// serializes RSVPs may store a later CreatedAt, so that the list is in the order of their
	// arrival.
	AddRSVP(ctx context.Context, token Token, r RSVP) error

	// RSVPName returns the name of an RSVP of that event. Errors, the first that applies:
	// ErrEventNotFound, ErrRSVPNotFound. After RemoveRSVP there is no such RSVP.
	RSVPName(ctx context.Context, token Token, rsvp RSVPID) (string, error)

	// RemoveRSVP deletes an RSVP of that event: its name and its time. The id stays taken, for
	// as long as the event is stored and calls of AddRSVP that began before may be in flight.
	// Without such an RSVP it changes nothing and returns nil.
	RemoveRSVP(ctx context.Context, token Token, rsvp RSVPID, now time.Time) error

	// AttendeesByEvent returns the RSVPs of an event after a position, in the order of
	// positions. Lists that continue at the position of an RSVP of the list before contain every RSVP that is
	// stored throughout exactly once. Errors, the first that applies: ErrEventNotFound,
	// ErrOrganizerToken.
	AttendeesByEvent(ctx context.Context, token Token, organizer Hash, after Position) ([]RSVP, error)

	// Ready returns nil if the store answers.
	Ready(ctx context.Context) error
}
