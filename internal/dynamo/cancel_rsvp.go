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
// It leaves a tombstone, an item without name and createdAt, so that an CreateRSVP with the same
// token that began before is refused. Without an RSVP, the read saves a transaction.
func (s *Store) CancelRSVP(ctx context.Context, token event.Token, rsvp event.RSVPID, now time.Time) error {
	for {
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
		if !errors.Is(err, errNotCounted) {
			return err
		}
		err = s.buryUncounted(ctx, token, rsvp, expires, out.Item["createdAt"])
		if _, changed := errors.AsType[*types.ConditionalCheckFailedException](err); !changed {
			return err
		}
	}
}

// bury makes an RSVP a tombstone. It outlives every CreateRSVP that has begun.
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

const buryExpression = "SET expiresAt = :expires REMOVE #name, createdAt" // name is a reserved word

// buryUncounted buries an RSVP that no gate counts, unless it was replaced since it was read:
// the new one may be counted.
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
	return err
}

// release subtracts an RSVP from the count of its gate, which counts the tombstone.
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
