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
//   - The context carries a deadline. A store that cannot respond by then, or
//     cannot be reached, returns an error that is ErrUnavailable. A read or a write
//     whose context was done before the call returns it, too.
//   - Stores do not read the clock: the time is an argument of the call.
//   - Some time after ExpiresAt a store may delete an event, item by item and
//     in any order. Nothing that was deleted is created again. An event whose
//     details are deleted does not exist; RSVPs whose counter is deleted do not count.
type Store interface {
	// CreateEvent stores a new event without RSVPs, under the hash of its organizer token. If a stored event, in any
	// state, has the same token, organizer and content (Event.SameContent), the call is a repeat: it changes nothing
	// and returns nil. If the stored event with this token differs, the call changes nothing and returns
	// ErrTokenTaken.
	CreateEvent(ctx context.Context, e Event, organizer Hash) error

	// GetEvent returns an event with the number of its RSVPs, or ErrEventNotFound.
	GetEvent(ctx context.Context, token Token) (Event, error)

	// CancelEvent cancels an event for good. If a call with the same key has cancelled the event, the
	// same content is a repeat and returns nil; other content is ErrTokenTaken. Errors, the
	// first that applies: ErrEventNotFound, ErrOrganizerToken, ErrTokenTaken,
	// ErrAlreadyCancelled. Once CancelEvent has returned nil, no CreateRSVP succeeds that had not
	// succeeded before.
	CancelEvent(ctx context.Context, token Token, organizer Hash, c Cancellation, now time.Time) error

	// CreateRSVP stores an RSVP if the event exists and admits it at r.CreatedAt. A stored RSVP
	// with that id stays as it is, even if the event has been cancelled or has expired
	// since: the same name is a repeat and returns nil; another name is ErrTokenTaken. After
	// CancelRSVP, which is final, any name is ErrTokenTaken. Errors, the first that applies:
	// ErrEventNotFound, ErrTokenTaken, ErrEventCancelled, ErrEventExpired. A store that
	// serializes RSVPs may store a later CreatedAt, so that the list is in the order of their
	// arrival.
	CreateRSVP(ctx context.Context, token Token, r RSVP) error

	// GetRSVP returns the name of an RSVP of an event. Errors, the first that applies:
	// ErrEventNotFound, ErrRSVPNotFound. After CancelRSVP there is no such RSVP.
	GetRSVP(ctx context.Context, token Token, rsvp RSVPID) (string, error)

	// CancelRSVP deletes an RSVP of an event: its name and its time. The id stays taken, for
	// as long as the event is stored and calls of CreateRSVP that began before may be in flight.
	// Without such an RSVP it changes nothing and returns nil.
	CancelRSVP(ctx context.Context, token Token, rsvp RSVPID, now time.Time) error

	// ListAttendees calls add with each RSVP of an event, in any order, one call at a time. It ends with the first
	// error of add, and returns that error. add does not block, because the store may hold locks meanwhile. Errors of
	// the store, the first that applies: ErrEventNotFound, ErrOrganizerToken. After an error, RSVPs may be missing.
	ListAttendees(ctx context.Context, token Token, organizer Hash, add func(RSVP) error) error

	// Health returns nil if the store works.
	Health(ctx context.Context) error
}
