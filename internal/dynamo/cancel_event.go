package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// CancelEvent implements event.Store.
//
// The transaction closes every gate, including gates that do not exist yet. The conditions of the
// transaction decide. The read before it returns the expiry of the gates, and makes a refusal cheaper
// than a transaction. Long after the expiry no RSVP is in flight, so the gates need not be closed.
func (s *Store) CancelEvent(
	ctx context.Context, token event.Token, organizer event.Hash, c event.Cancellation, now time.Time,
) error {
	e, details, err := s.details(ctx, token)
	switch {
	case err != nil:
		return err
	case !organizedBy(details, organizer):
		return event.ErrOrganizerToken
	case e.Cancelled:
		return e.RepeatedCancel(cancelKeyOf(details), c)
	}
	cancel := s.transaction(s.cancelDetails(token, organizer, c))
	if now.Before(e.ExpiresAt.Add(inFlightWindow)) {
		for gate := range s.gates {
			cancel.writes = append(cancel.writes, s.closeGate(e, gate, now))
		}
	}
	return cancel.commit(ctx)
}

// inFlightWindow exceeds by far the duration of a request and the difference between clocks.
const inFlightWindow = 15 * time.Minute

func (s *Store) cancelDetails(token event.Token, organizer event.Hash, c event.Cancellation) write {
	update := &types.Update{
		TableName:           s.table,
		Key:                 detailsKey(token),
		ConditionExpression: aws.String("organizerTokenHash = :organizer AND cancelled = :no"),
		ExpressionAttributeValues: item{
			":organizer": binary(organizer[:]),
			":yes":       boolean(true),
			":no":        boolean(false),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	set := "SET cancelled = :yes"
	if c.Reason != nil {
		set += ", cancellationReason = :reason"
		update.ExpressionAttributeValues[":reason"] = text(*c.Reason)
	}
	if c.MovedTo != nil {
		set += ", movedTo = :movedTo"
		update.ExpressionAttributeValues[":movedTo"] = text(c.MovedTo.String())
	}
	if c.Key != (event.Hash{}) {
		set += ", cancelKeyHash = :key"
		update.ExpressionAttributeValues[":key"] = binary(c.Key[:])
	}
	update.UpdateExpression = &set
	return write{types.TransactWriteItem{Update: update}, func(old item) error {
		if isTombstone(old) {
			return event.ErrEventNotFound
		}
		e, err := eventFrom(token, old)
		if err != nil {
			return err
		}
		return e.RepeatedCancel(cancelKeyOf(old), c) // the organizer was checked before
	}}
}

// closeGate closes a gate, whether it exists or not. The closed gate outlives every RSVP that read the
// details before the cancel. If TTL removed the gate earlier, such an RSVP would succeed.
func (s *Store) closeGate(e event.Event, gate int, now time.Time) write {
	const expression = "SET closed = :yes, admitsUntil = :until, expiresAt = :expires ADD admitted :none"
	return write{TransactWriteItem: types.TransactWriteItem{Update: &types.Update{
		TableName:        s.table,
		Key:              gateKey(e.Token, gate),
		UpdateExpression: aws.String(expression),
		ExpressionAttributeValues: item{
			":yes":     boolean(true),
			":until":   moment(e.ExpiresAt),
			":expires": number(closedUntil(e, now)),
			":none":    number(0),
		},
	}}}
}

// closedUntil is the expiresAt of a gate that is closed now.
func closedUntil(e event.Event, now time.Time) int64 {
	return max(seconds(e.ExpiresAt), seconds(now.Add(inFlightWindow)))
}
