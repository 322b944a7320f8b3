package dynamo

import (
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

// ListAttendees implements event.Store.
//
// Keys are ordered by id, so every page reads all RSVPs: in parallel key ranges, more of them for longer
// lists.
func (s *Store) ListAttendees(
	ctx context.Context, token event.Token, organizer event.Hash, page *event.Page,
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
	var failed sync.Once
	var failure error // the first error, which ends the other reads
	for _, r := range rsvpRanges(ranges) {
		reads.Go(func() {
			if err := s.readRange(ctx, token, r, page); err != nil {
				failed.Do(func() { failure = err })
				cancel()
			}
		})
	}
	reads.Wait()
	return failure
}

// readRange reads the RSVPs of a key range. The filter leaves out RSVPs before the page, and
// tombstones, which have no createdAt.
func (s *Store) readRange(ctx context.Context, token event.Token, r keyRange, page *event.Page) error {
	query := s.rsvpQuery(token, r, perQuery)
	query.FilterExpression = aws.String("createdAt >= :from")
	query.ProjectionExpression = aws.String("sk, #name, createdAt")
	query.ExpressionAttributeNames = map[string]string{"#name": "name"} // name is a reserved word of DynamoDB
	query.ExpressionAttributeValues[":from"] = moment(page.After.CreatedAt)
	return s.eachPage(ctx, query, func(items []item) error {
		for _, i := range items {
			rsvp, err := rsvpFrom(i)
			if err != nil {
				return err
			}
			page.Add(rsvp)
		}
		return nil
	})
}
