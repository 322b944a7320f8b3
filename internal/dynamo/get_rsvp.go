package dynamo

import (
	"context"

	"turnout/internal/event"
)

// GetRSVP implements event.Store.
//
// It reads the RSVP before the details: in the other order, an RSVP that is erased with its
// event could be missing from an event that exists.
func (s *Store) GetRSVP(ctx context.Context, token event.Token, rsvp event.RSVPID) (string, error) {
	stored, err := call(ctx, s, s.client.GetItem, s.getItem(rsvpKey(token, rsvp)))
	if err != nil {
		return "", err
	}
	details, err := call(ctx, s, s.client.GetItem, s.getItem(detailsKey(token)))
	if err != nil {
		return "", err
	}
	name := optionalText(stored.Item, "name")
	switch {
	case isTombstone(details.Item):
		return "", event.ErrEventNotFound
	case name == nil:
		return "", event.ErrRSVPNotFound
	}
	return *name, nil
}
