package dynamo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/google/uuid"
)

// A write is one item of a transaction. onConditionFailed returns the error of a
// failed condition, or nil if nothing is left to do; old is the item as stored, or
// nil if there is none.
type write struct {
	types.TransactWriteItem
	onConditionFailed func(old item) error
}

// A transaction is one logical write. Its token and its bytes are the same in all
// attempts, so DynamoDB executes it at most once.
type transaction struct {
	store  *Store
	token  string
	writes []write
	body   []byte // the request body of the first attempt
}

func (s *Store) transaction(writes ...write) *transaction {
	return &transaction{store: s, token: uuid.NewString(), writes: writes}
}

// attempt sends the transaction once. It returns the error of a write, errConflict, errThrottled,
// or the call's own error.
func (t *transaction) attempt(ctx context.Context) error {
	items := make([]types.TransactWriteItem, len(t.writes))
	for i, w := range t.writes {
		items[i] = w.TransactWriteItem
	}
	_, err := attempt(ctx, t.store, t.store.client.TransactWriteItems, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: &t.token,
		TransactItems:      items,
	}, t.keepBody)
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return cancellationError(t.writes, cancelled.CancellationReasons)
	}
	return err
}

// keepBody makes the SDK send the bytes of the first attempt, because it encodes maps in any order.
// DynamoDB Local refuses other bytes with the same token as another request (aws-sdk-go-v2#1900).
// DynamoDB documents nothing; according to a report it ignores the order (localstack#6529).
func (t *transaction) keepBody(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Serialize.Add(middleware.SerializeMiddlewareFunc("KeepBody", t.serialize), middleware.After)
	})
}

func (t *transaction) serialize(
	ctx context.Context, in middleware.SerializeInput, next middleware.SerializeHandler,
) (out middleware.SerializeOutput, m middleware.Metadata, err error) {
	request, ok := in.Request.(*smithyhttp.Request)
	if !ok {
		return out, m, fmt.Errorf("%T is not an HTTP request", in.Request)
	}
	if t.body == nil {
		t.body, err = io.ReadAll(request.GetStream())
		if err != nil {
			return out, m, err
		}
	}
	in.Request, err = request.SetStream(bytes.NewReader(t.body))
	if err != nil {
		return out, m, err
	}
	return next.HandleSerialize(ctx, in)
}

// commit sends the transaction, with retries.
func (t *transaction) commit(ctx context.Context) error {
	return t.store.retry(ctx, func() error { return t.attempt(ctx) })
}

var (
	// errConflict: another transaction writes the same item.
	errConflict = errors.New("conflict with another transaction")

	// errThrottled: the partition of the transaction has no capacity left.
	errThrottled = errors.New("transaction is throttled")

	// errNotCounted: TTL has removed the gate that counted an RSVP. The gate is missing
	// or was made again, and counts none.
	errNotCounted = errors.New("no gate counts the RSVP")
)

// cancellationError maps the cancellation reasons of a transaction, one per write, to an
// error. A failed condition is final: it wins over a conflict in another write, and among
// failed conditions the first write wins.
func cancellationError(writes []write, reasons []types.CancellationReason) error {
	if len(reasons) != len(writes) {
		return fmt.Errorf("transaction of %d writes cancelled with %d reasons", len(writes), len(reasons))
	}
	var retryable error
	var unknown string
	for i, reason := range reasons {
		switch code := aws.ToString(reason.Code); code {
		case "ConditionalCheckFailed":
			return writes[i].onConditionFailed(reason.Item)
		case "TransactionConflict":
			retryable = errConflict
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			retryable = errThrottled
		case "None":
		default:
			unknown = code
		}
	}
	if unknown != "" || retryable == nil {
		return fmt.Errorf("transaction cancelled with the reason %q", unknown)
	}
	return retryable
}
