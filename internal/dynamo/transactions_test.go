package dynamo

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

func TestCancellationError(t *testing.T) {
	writes := []write{
		{onConditionFailed: func(old item) error {
			if old == nil {
				return event.ErrEventNotFound
			}
			return event.ErrEventCancelled
		}},
		{onConditionFailed: func(item) error { return errNotCounted }},
	}
	const failed, conflict, none = "ConditionalCheckFailed", "TransactionConflict", "None"
	for name, test := range map[string]struct {
		reasons []types.CancellationReason
		want    error
	}{
		"the item was missing":              {reasons(failed, none), event.ErrEventNotFound},
		"the item was there":                {[]types.CancellationReason{{Code: aws.String(failed), Item: item{"pk": text("x")}}, {}}, event.ErrEventCancelled},
		"the second failed":                 {reasons(none, failed), errNotCounted},
		"both failed: the first counts":     {reasons(failed, failed), event.ErrEventNotFound},
		"a conflict":                        {reasons(none, conflict), errConflict},
		"throttled":                         {reasons("ThrottlingError", none), errThrottled},
		"over the capacity":                 {reasons(none, "ProvisionedThroughputExceeded"), errThrottled},
		"a conflict before a failure":       {reasons(conflict, failed), errNotCounted},
		"a failure before a conflict":       {reasons(failed, conflict), event.ErrEventNotFound},
		"a conflict beside what is unknown": {reasons("ValidationError", conflict), errors.New(`transaction cancelled with the reason "ValidationError"`)},
		"nothing at all":                    {reasons(none, none), errors.New(`transaction cancelled with the reason ""`)},
		"too many reasons":                  {reasons(none, none, failed), errors.New("transaction of 2 writes cancelled with 3 reasons")},
	} {
		if got := cancellationError(writes, test.reasons); got == nil || got.Error() != test.want.Error() {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func reasons(codes ...string) []types.CancellationReason {
	var list []types.CancellationReason
	for _, code := range codes {
		list = append(list, types.CancellationReason{Code: aws.String(code)})
	}
	return list
}
