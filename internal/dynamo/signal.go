package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"turnout/internal/event"
)

// signalLife bounds an RSVP's wait for a cancel whose signal does not change.
const signalLife = 2 * time.Second

// signalCancel makes RSVPs wait. An error is ignored: the cancel goes on without the
// signal. Each signal has a new value, so that a waiting RSVP recognises a renewed
// one without comparing clocks.
func (s *Store) signalCancel(ctx context.Context, token event.Token) {
	_, _ = attempt(ctx, s, s.client.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:           s.table,
		Key:                 detailsKey(token),
		UpdateExpression:    aws.String("SET cancelling = :signal"),
		ConditionExpression: aws.String("cancelled = :no"),
		ExpressionAttributeValues: item{
			":signal": text(uuid.NewString()),
			":no":     boolean(false),
		},
	})
}

// A signal is a cancel's signal as read by one RSVP.
type signal struct {
	value string
	since time.Time
}

// mustWait reports whether an RSVP must wait because of a cancel's signal. It measures
// time by the RSVP's own monotonic clock, so differences between clocks do not matter.
// A signal that has not changed for signalLife belongs to a cancel that has failed:
// mustWait removes it, so that later RSVPs do not wait.
func (s *Store) mustWait(ctx context.Context, token event.Token, details item, seen *signal) bool {
	value := optionalText(details, "cancelling")
	switch {
	case value == nil:
		return false
	case *value != seen.value:
		*seen = signal{*value, time.Now()}
		return true
	case time.Since(seen.since) < signalLife:
		return true
	}
	_, _ = attempt(ctx, s, s.client.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:                 s.table,
		Key:                       detailsKey(token),
		UpdateExpression:          aws.String("REMOVE cancelling"),
		ConditionExpression:       aws.String("cancelling = :signal"),
		ExpressionAttributeValues: item{":signal": text(*value)},
	})
	return false
}
