package dynamo

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

func TestVerdict(t *testing.T) {
	writes := []write{
		{refused: func(old item) error {
			if old == nil {
				return event.ErrEventNotFound
			}
			return event.ErrEventCancelled
		}},
		{refused: func(item) error { return errNoRSVP }},
	}
	const failed, conflict, none = "ConditionalCheckFailed", "TransactionConflict", "None"
	for name, test := range map[string]struct {
		reasons []types.CancellationReason
		want    error // nil for a defect
	}{
		"the item was missing":              {reasons(failed, none), event.ErrEventNotFound},
		"the item was there":                {[]types.CancellationReason{{Code: aws.String(failed), Item: item{"pk": text("x")}}, {}}, event.ErrEventCancelled},
		"the second failed":                 {reasons(none, failed), errNoRSVP},
		"both failed: the first counts":     {reasons(failed, failed), event.ErrEventNotFound},
		"a conflict":                        {reasons(none, conflict), errContended},
		"throttled":                         {reasons("ThrottlingError", none), errContended},
		"over the capacity":                 {reasons(none, "ProvisionedThroughputExceeded"), errContended},
		"a conflict before a failure":       {reasons(conflict, failed), errNoRSVP},
		"a failure before a conflict":       {reasons(failed, conflict), event.ErrEventNotFound},
		"a conflict beside what is unknown": {reasons("ValidationError", conflict), nil},
		"nothing at all":                    {reasons(none, none), nil},
		"too few reasons":                   {reasons(failed), nil},
		"too many reasons":                  {reasons(none, none, failed), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdict(writes, test.reasons)
			if test.want == nil {
				for _, known := range []error{nil, errContended, errNoRSVP, event.ErrEventNotFound, event.ErrUnavailable} {
					if errors.Is(got, known) {
						t.Errorf("got %v, want a defect", got)
					}
				}
			} else if !errors.Is(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func reasons(codes ...string) []types.CancellationReason {
	var list []types.CancellationReason
	for _, code := range codes {
		list = append(list, types.CancellationReason{Code: aws.String(code)})
	}
	return list
}

func TestRetryContendedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	attempts, told := 0, 0
	s := &Store{contended: func(_ context.Context, conflicts int, gaveUp bool) {
		if told = conflicts; !gaveUp {
			t.Error("told that it did not give up")
		}
	}}
	err := s.retryContended(ctx, func(waited time.Duration) error {
		if attempts++; attempts == 3 {
			cancel()
		}
		if attempts == 1 && waited != 0 {
			t.Errorf("waited %v before the first attempt", waited)
		}
		return errContended
	})
	if !errors.Is(err, event.ErrUnavailable) || attempts < 3 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
	if told != attempts {
		t.Errorf("told of %d conflicts in %d attempts", told, attempts)
	}
}
