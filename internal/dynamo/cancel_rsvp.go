package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// CancelRSVP implements event.Store.
//
// It leaves a tombstone, an item without name and createdAt, so that a CreateRSVP with the same
// token that began before is refused. Without an RSVP, the read saves a transaction.
func (s *Store) CancelRSVP(ctx context.Context, token event.Token, rsvp event.RSVPID, now time.Time) error {
	err := errReplaced
	for errors.Is(err, errReplaced) {
		err = s.cancelStored(ctx, token, rsvp, now)
	}
	return err
}

// errReplaced means that the stored RSVP is no longer the RSVP that was read. Both have the same token.
var errReplaced = errors.New("the RSVP was replaced")

// cancelStored reads an RSVP and makes it a tombstone, or returns errReplaced.
func (s *Store) cancelStored(ctx context.Context, token event.Token, rsvp event.RSVPID, now time.Time) error {
	out, err := call(ctx, s, s.client.GetItem, s.getItem(rsvpKey(token, rsvp)))
	if err != nil || out.Item["name"] == nil {
		return err
	}
	var r reader
	expiresAt := int64(r.number(out.Item, "expiresAt"))
	if r.err != nil {
		return r.err
	}
	expires := number(max(expiresAt, seconds(now.Add(inFlightWindow))))
	err = s.transaction(s.bury(token, rsvp, expires), s.release(token, rsvp)).commit(ctx)
	if errors.Is(err, errNotCounted) {
		err = s.buryUncounted(ctx, token, rsvp, expires, out.Item["createdAt"])
	}
	return err
}

// bury makes an RSVP a tombstone, which outlives every CreateRSVP that has begun.
func (s *Store) bury(token event.Token, rsvp event.RSVPID, expires types.AttributeValue) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:                 s.table,
			Key:                       rsvpKey(token, rsvp),
			UpdateExpression:          aws.String(buryExpression),
			ConditionExpression:       aws.String("attribute_exists(#name)"),
			ExpressionAttributeNames:  map[string]string{"#name": "name"},
			ExpressionAttributeValues: item{":expires": expires},
		}},
		func(item) error { return nil },
	}
}

const buryExpression = "SET expiresAt = :expires REMOVE #name, createdAt" // DynamoDB reserves the word name

// buryUncounted buries an RSVP that no gate counts. If it was replaced since it was read, the new
// RSVP may be counted: buryUncounted returns errReplaced.
func (s *Store) buryUncounted(
	ctx context.Context, token event.Token, rsvp event.RSVPID, expires, createdAt types.AttributeValue,
) error {
	_, err := call(ctx, s, s.client.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:                 s.table,
		Key:                       rsvpKey(token, rsvp),
		UpdateExpression:          aws.String(buryExpression),
		ConditionExpression:       aws.String("createdAt = :createdAt"),
		ExpressionAttributeNames:  map[string]string{"#name": "name"},
		ExpressionAttributeValues: item{":expires": expires, ":createdAt": createdAt},
	})
	if _, changed := errors.AsType[*types.ConditionalCheckFailedException](err); changed {
		return errReplaced
	}
	return err
}

// release moves an RSVP from the number of guests of its gate to the number of tombstones.
func (s *Store) release(token event.Token, rsvp event.RSVPID) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:                 s.table,
			Key:                       gateKey(token, gateOf(rsvp, s.gates)),
			UpdateExpression:          aws.String("ADD admitted :minusOne, tombstones :one"),
			ConditionExpression:       aws.String("admitted > :none"),
			ExpressionAttributeValues: item{":minusOne": number(-1), ":one": number(1), ":none": number(0)},
		}},
		func(item) error { return errNotCounted },
	}
}
