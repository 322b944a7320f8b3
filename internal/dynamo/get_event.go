package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"turnout/internal/event"
)

// EventByToken implements event.Store.
func (s *Store) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	e, _, err := s.eventWithCount(ctx, token)
	return e, err
}

// eventWithCount returns an event and its details item.
func (s *Store) eventWithCount(ctx context.Context, token event.Token) (e event.Event, details item, err error) {
	out, err := call(ctx, s, s.client.Query, &dynamodb.QueryInput{
		TableName:              s.table,
		ConsistentRead:         aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :pk AND sk < :rsvps"), // details and gates
		ExpressionAttributeValues: item{
			":pk":    text(partition(token)),
			":rsvps": text(rsvpPrefix),
		},
	})
	if err != nil {
		return event.Event{}, nil, err
	}
	var r reader
	count := 0
	for _, i := range out.Items {
		if r.text(i, sortKey) == detailsSort {
			details = i
		} else {
			count += r.number(i, "admitted")
		}
	}
	if details == nil {
		return event.Event{}, nil, event.ErrEventNotFound
	}
	e, err = eventFrom(token, details)
	e.AttendeeCount = count
	return e, details, errors.Join(err, r.err)
}
