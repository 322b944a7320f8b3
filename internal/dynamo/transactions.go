package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
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
