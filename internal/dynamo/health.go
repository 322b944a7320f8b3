package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Health implements event.Store. It reads an item that does not exist.
func (s *Store) Health(ctx context.Context) error {
	_, err := call(ctx, s, s.client.GetItem, &dynamodb.GetItemInput{
		TableName: s.table,
		Key:       key{partitionKey: text("HEALTH"), sortKey: text("HEALTH")},
	})
	return err
}
