package dynamo

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var (
	// errConflict: another transaction writes the same item, or a cancel signals itself.
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
