package dynamo

import (
	"cmp"
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"

	"turnout/internal/event"
)

const (
	// perQuery bounds the RSVPs of one Query. The next Query of a key range must wait for it.
	perQuery = 1000

	maxRanges = 16
)

// ListAttendees implements event.Store. It reads key ranges in parallel, more of them for longer lists.
func (s *Store) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, add func(event.RSVP) error,
) error {
	_, details, stored, err := s.eventWithCount(ctx, token)
	switch {
	case err != nil:
		return err
	case !organizedBy(details, organizer):
		return event.ErrOrganizerToken
	}
	ranges := 1
	for ranges < maxRanges && ranges*perQuery < stored {
		ranges *= 2
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var reads sync.WaitGroup
	var mu sync.Mutex // held while add is called
	var failure error // the first error, which ends the other reads
	addAll := func(rsvps []event.RSVP) error {
		mu.Lock()
		defer mu.Unlock()
		for _, r := range rsvps {
			if failure == nil {
				failure = add(r)
			}
		}
		return failure
	}
	for _, r := range rsvpRanges(ranges) {
		reads.Go(func() {
			if err := s.readRange(ctx, token, r, addAll); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failure = cmp.Or(failure, err)
				cancel()
			}
		})
	}
	reads.Wait()
	return failure
}

// readRange calls add with the RSVPs of a key range. The filter leaves out tombstones, which have no createdAt.
func (s *Store) readRange(
	ctx context.Context, token event.Token, r keyRange, add func([]event.RSVP) error,
) error {
	query := s.rsvpQuery(token, r, perQuery)
	query.FilterExpression = aws.String("attribute_exists(createdAt)")
	query.ProjectionExpression = aws.String("sk, #name, createdAt")
	query.ExpressionAttributeNames = map[string]string{"#name": "name"} // name is a reserved word of DynamoDB
	return s.eachPage(ctx, query, func(items []item) error {
		rsvps := make([]event.RSVP, len(items))
		for n, i := range items {
			var err error
			if rsvps[n], err = rsvpFrom(i); err != nil {
				return err
			}
		}
		return add(rsvps)
	})
}
