package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// RemoveRSVP implements event.Store.
func (s *Store) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash) error {
	err := s.transaction(s.deleteRSVP(token, rsvp), s.release(token, rsvp)).commit(ctx)
	if errors.Is(err, errNotCounted) {
		_, err = call(ctx, s, s.client.DeleteItem, &dynamodb.DeleteItemInput{TableName: s.table, Key: rsvpKey(token, rsvp)})
	}
	return err
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
