package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"turnout/internal/event"
)

// A write is one item of a transaction. onConditionFailed returns the error of a
// failed condition, or nil if nothing is left to do; old is the item as stored, or
// nil if there is none.
type write struct {
	types.TransactWriteItem
	onConditionFailed func(old item) error
}

// A transaction is one logical write. Its token and content are the same in all
// attempts, so DynamoDB executes it at most once.
type transaction struct {
	store  *Store
	token  string
	writes []write
}

func (s *Store) transaction(writes ...write) *transaction {
	return &transaction{s, uuid.NewString(), writes}
}

// attempt sends the transaction once. Its errors are those of the writes,
// errConflict, errThrottled, and those of the call.
func (t *transaction) attempt(ctx context.Context) error {
	items := make([]types.TransactWriteItem, len(t.writes))
	for i, w := range t.writes {
		items[i] = w.TransactWriteItem
	}
	_, err := attempt(ctx, t.store.client.TransactWriteItems, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: &t.token,
		TransactItems:      items,
	})
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return cancellationError(t.writes, cancelled.CancellationReasons)
	}
	return err
}

// commit sends the transaction, with retries.
func (t *transaction) commit(ctx context.Context) error {
	return t.store.retry(ctx, func() error { return t.attempt(ctx) })
}

// putRSVP stores an RSVP unless it is stored already.
func (s *Store) putRSVP(token event.Token, r event.RSVP, expiresAt time.Time) write {
	return write{
		types.TransactWriteItem{Put: &types.Put{
			TableName:                           s.table,
			Item:                                rsvpItem(token, r, expiresAt),
			ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
		func(old item) error { return repeatsRSVP(old, r) },
	}
}

// admit counts an RSVP at its gate, and creates the gate if it is missing.
func (s *Store) admit(r event.RSVP, e event.Event) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:           s.table,
			Key:                 gateKey(e.Token, gateOf(r.Hash, s.gates)),
			UpdateExpression:    aws.String("SET closed = :no, admitsUntil = :until, expiresAt = :expires ADD admitted :one"),
			ConditionExpression: aws.String("attribute_not_exists(pk) OR (closed = :no AND admitsUntil >= :now)"),
			ExpressionAttributeValues: item{
				":one":     number(1),
				":no":      boolean(false),
				":now":     moment(r.CreatedAt),
				":until":   moment(e.ExpiresAt),
				":expires": ttl(e.ExpiresAt),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
		func(old item) error {
			var r reader
			if r.boolean(old, "closed") {
				return event.ErrEventCancelled
			}
			return event.ErrEventExpired
		},
	}
}

func (s *Store) deleteRSVP(token event.Token, rsvp event.Hash) write {
	return write{
		types.TransactWriteItem{Delete: &types.Delete{
			TableName:           s.table,
			Key:                 rsvpKey(token, rsvp),
			ConditionExpression: aws.String("attribute_exists(pk)"),
		}},
		func(item) error { return nil },
	}
}

// release subtracts an RSVP from the count of its gate.
func (s *Store) release(token event.Token, rsvp event.Hash) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:                 s.table,
			Key:                       gateKey(token, gateOf(rsvp, s.gates)),
			UpdateExpression:          aws.String("ADD admitted :minusOne"),
			ConditionExpression:       aws.String("admitted > :none"),
			ExpressionAttributeValues: item{":minusOne": number(-1), ":none": number(0)},
		}},
		func(item) error { return errNotCounted },
	}
}

func (s *Store) cancelDetails(token event.Token, organizer event.Hash, reason *string) write {
	update := &types.Update{
		TableName:           s.table,
		Key:                 detailsKey(token),
		UpdateExpression:    aws.String("SET cancelled = :yes REMOVE cancelling"),
		ConditionExpression: aws.String("organizerTokenHash = :organizer AND cancelled = :no"),
		ExpressionAttributeValues: item{
			":organizer": binary(organizer[:]),
			":yes":       boolean(true),
			":no":        boolean(false),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if reason != nil {
		update.UpdateExpression = aws.String("SET cancelled = :yes, cancellationReason = :reason REMOVE cancelling")
		update.ExpressionAttributeValues[":reason"] = text(*reason)
	}
	return write{types.TransactWriteItem{Update: update}, func(old item) error {
		if old == nil {
			return event.ErrEventNotFound
		}
		return event.ErrAlreadyCancelled // the organizer was checked before
	}}
}

// closeGate closes a gate, existing or not. It outlives every RSVP that read the
// details before the cancel: if TTL removed it earlier, such an RSVP would succeed.
func (s *Store) closeGate(e event.Event, gate int, now time.Time) write {
	expires := e.ExpiresAt
	if earliest := now.Add(underWay); expires.Before(earliest) {
		expires = earliest
	}
	return write{TransactWriteItem: types.TransactWriteItem{Update: &types.Update{
		TableName:        s.table,
		Key:              gateKey(e.Token, gate),
		UpdateExpression: aws.String("SET closed = :yes, admitsUntil = :until, expiresAt = :expires ADD admitted :none"),
		ExpressionAttributeValues: item{
			":yes":     boolean(true),
			":until":   moment(e.ExpiresAt),
			":expires": ttl(expires),
			":none":    number(0),
		},
	}}}
}
