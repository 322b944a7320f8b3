package storetest

import (
	"context"
	"fmt"

	"turnout/internal/event"
)

// A Subject is a stored event, with the tokens and RSVPs that the calls of Calls create or read.
type Subject struct {
	Event     event.Event // AttendeeCount is the number of its guests before the call
	Organizer event.Hash
	Guest     event.RSVP // who is on its list
	NewEvent  event.Event
	NewGuest  event.RSVP
}

// Calls returns a call of each method of the store. The call of a read fails if it does not return what is stored.
func (of Subject) Calls(s event.Store) map[string]func(context.Context) error {
	token, now := of.Event.Token, of.NewGuest.CreatedAt
	return map[string]func(context.Context) error{
		"CancelEvent": func(ctx context.Context) error {
			return s.CancelEvent(ctx, token, of.Organizer, event.Cancellation{}, now)
		},
		"CancelRSVP": func(ctx context.Context) error {
			return s.CancelRSVP(ctx, token, of.Guest.ID, now)
		},
		"CreateEvent": func(ctx context.Context) error {
			return s.CreateEvent(ctx, of.NewEvent, of.Organizer)
		},
		"CreateRSVP": func(ctx context.Context) error {
			return s.CreateRSVP(ctx, token, of.NewGuest)
		},
		"GetEvent": func(ctx context.Context) error {
			e, err := s.GetEvent(ctx, token)
			return wanted(err, e.AttendeeCount, of.Event.AttendeeCount)
		},
		"GetRSVP": func(ctx context.Context) error {
			name, err := s.GetRSVP(ctx, token, of.Guest.ID)
			return wanted(err, name, of.Guest.Name)
		},
		"Health": s.Health,
		"ListAttendees": func(ctx context.Context) error {
			list, err := List(ctx, s, token, of.Organizer)
			return wanted(err, len(list), of.Event.AttendeeCount)
		},
	}
}

// wanted returns err, or else an error if got is not the wanted value.
func wanted[T comparable](err error, got, want T) error {
	if err == nil && got != want {
		return fmt.Errorf("got %v, want %v", got, want)
	}
	return err
}
