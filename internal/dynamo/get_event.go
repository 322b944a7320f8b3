package dynamo

import (
	"context"
	"errors"

	"turnout/internal/event"
)

// GetEvent implements event.Store.
func (s *Store) GetEvent(ctx context.Context, token event.Token) (event.Event, error) {
	e, _, _, err := s.eventWithCount(ctx, token)
	return e, err
}

// eventWithCount returns an event, its details item, and the approximate number of its RSVP
// items, tombstones included.
func (s *Store) eventWithCount(
	ctx context.Context, token event.Token,
) (e event.Event, details item, rsvps int, err error) {
	detailsAndGates := s.query(token, perQuery, "sk < :rsvps", item{":rsvps": text(rsvpPrefix)})
	out, err := call(ctx, s, s.client.Query, detailsAndGates)
	if err != nil {
		return event.Event{}, nil, 0, err
	}
	var r reader
	var admitted, tombstones int
	for _, i := range out.Items {
		if r.text(i, sortKey) == detailsSort {
			details = i
			continue
		}
		admitted += r.number(i, "admitted")
		if i["tombstones"] != nil {
			tombstones += r.number(i, "tombstones")
		}
	}
	if isTombstone(details) {
		return event.Event{}, nil, 0, event.ErrEventNotFound
	}
	e, err = eventFrom(token, details)
	e.AttendeeCount = admitted
	return e, details, admitted + tombstones, errors.Join(err, r.err)
}
