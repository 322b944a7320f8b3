package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// CreateEvent implements event.Store.
func (s *Store) CreateEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	_, err := call(ctx, s, s.client.PutItem, &dynamodb.PutItemInput{
		TableName:                           s.table,
		Item:                                detailsItem(e, organizer, event.Hash{}),
		ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return err
	}
	if isTombstone(failed.Item) {
		return event.ErrTokenTaken
	}
	stored, err := eventFrom(e.Token, failed.Item)
	if err != nil {
		return err
	}
	if organizedBy(failed.Item, organizer) && stored.SameContent(e) {
		return nil
	}
	return event.ErrTokenTaken
}
