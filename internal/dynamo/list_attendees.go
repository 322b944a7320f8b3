package dynamo

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"

	"turnout/internal/event"
)

const (
	// perQuery bounds the RSVPs of one Query, so that each is short: the next of its range
	// must wait for it.
	perQuery = 1000

	maxRanges = 16

	// maxItems bounds the memory of a list; internal/docs/design.md has the figures.
	maxItems = 1_000_000
)

// ListAttendees implements event.Store.
//
// Keys are ordered by hash, so each list is selected from all RSVPs. They are read in parallel
// key ranges, more for more items.
func (s *Store) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, after event.Position,
) ([]event.RSVP, error) {
	_, details, stored, err := s.eventWithCount(ctx, token)
	switch {
	case err != nil:
		return nil, err
	case !organizedBy(details, organizer):
		return nil, event.ErrOrganizerToken
	case stored > maxItems:
		return nil, unavailable(fmt.Errorf("a list of %d items", stored))
	}
	ranges := 1
	for ranges < maxRanges && ranges*perQuery < stored {
		ranges *= 2
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lists := make([][]event.RSVP, ranges)
	var reads sync.WaitGroup
	var failed sync.Once
	var failure error // the first: it ends the other reads
	for i, r := range rsvpRanges(ranges) {
		reads.Go(func() {
			rsvps, err := s.readRange(ctx, token, r, after)
			if err != nil {
				failed.Do(func() { failure = err })
				cancel()
			}
			lists[i] = rsvps
		})
	}
	reads.Wait()
	if failure != nil {
		return nil, failure
	}
	return event.After(slices.Concat(lists...), after), nil
}

// readRange reads the RSVPs of a key range. The filter leaves out RSVPs before the position, and
// tombstones, which have no createdAt.
func (s *Store) readRange(
	ctx context.Context, token event.Token, r keyRange, after event.Position,
) (rsvps []event.RSVP, err error) {
	query := s.rsvpQuery(token, r, perQuery)
	query.FilterExpression = aws.String("createdAt >= :from")
	query.ProjectionExpression = aws.String("sk, #name, createdAt")
	query.ExpressionAttributeNames = map[string]string{"#name": "name"} // a reserved word
	query.ExpressionAttributeValues[":from"] = moment(after.CreatedAt)
	err = s.eachPage(ctx, query, func(items []item) error {
		for _, i := range items {
			rsvp, err := rsvpFrom(i)
			if err != nil {
				return err
			}
			rsvps = append(rsvps, rsvp)
		}
		return nil
	})
	return rsvps, err
}
