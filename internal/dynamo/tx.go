package dynamo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"turnout/internal/event"
)

// A write is one item of a transaction, with what it means that its condition
// failed. The item as it was is nil where there was none.
type write struct {
	types.TransactWriteItem
	refused func(old item) error
}

var (
	// errContended: another transaction, or a cancellation, has to go first.
	errContended = errors.New("in conflict with another transaction")

	errRSVPStored = errors.New("RSVP is stored already")
	errNoRSVP     = errors.New("no such RSVP")
)

// gateMissing is the error of a gate, by its number, that TTL has taken.
type gateMissing int

func (g gateMissing) Error() string { return fmt.Sprintf("gate %d is missing", int(g)) }

// put stores a new item; taken is what it means that there is one already.
func (s *Store) put(i item, taken error) write {
	return write{
		types.TransactWriteItem{Put: &types.Put{
			TableName:           s.table,
			Item:                i,
			ConditionExpression: aws.String("attribute_not_exists(pk)"),
		}},
		func(item) error { return taken },
	}
}

func (s *Store) admit(token event.Token, r event.RSVP) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:           s.table,
			Key:                 gateKey(token, gateOf(r.Hash, s.Gates)),
			UpdateExpression:    aws.String("ADD admitted :one"),
			ConditionExpression: aws.String("closed = :no AND expiresAt >= :now"),
			ExpressionAttributeValues: item{
				":one": number(1),
				":no":  boolean(false),
				":now": number(ttl(r.CreatedAt)),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
		func(old item) error {
			if old == nil {
				return event.ErrEventNotFound
			}
			var r reader
			if r.boolean(old, "closed") {
				return event.ErrEventCancelled
			}
			return event.ErrEventExpired
		},
	}
}

func (s *Store) deleteRSVP(token event.Token, rsvp event.Hash) write {
	return write{
		types.TransactWriteItem{Delete: &types.Delete{
			TableName:           s.table,
			Key:                 rsvpKey(token, rsvp),
			ConditionExpression: aws.String("attribute_exists(pk)"),
		}},
		func(item) error { return errNoRSVP },
	}
}

func (s *Store) release(token event.Token, rsvp event.Hash) write {
	return s.updateGate(token, gateOf(rsvp, s.Gates), "ADD admitted :minusOne", item{":minusOne": number(-1)})
}

func (s *Store) closeGate(token event.Token, gate int) write {
	return s.updateGate(token, gate, "SET closed = :yes", item{":yes": boolean(true)})
}

func (s *Store) updateGate(token event.Token, gate int, expression string, values item) write {
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:                 s.table,
			Key:                       gateKey(token, gate),
			UpdateExpression:          &expression,
			ConditionExpression:       aws.String("attribute_exists(pk)"),
			ExpressionAttributeValues: values,
		}},
		func(item) error { return gateMissing(gate) },
	}
}

func (s *Store) cancelDetails(token event.Token, organizer event.Hash, reason *string) write {
	update := &types.Update{
		TableName:           s.table,
		Key:                 detailsKey(token),
		UpdateExpression:    aws.String("SET cancelled = :yes REMOVE cancelling"),
		ConditionExpression: aws.String("organizerTokenHash = :organizer AND cancelled = :no"),
		ExpressionAttributeValues: item{
			":organizer": binary(organizer[:]),
			":yes":       boolean(true),
			":no":        boolean(false),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if reason != nil {
		update.UpdateExpression = aws.String("SET cancelled = :yes, cancellationReason = :reason REMOVE cancelling")
		update.ExpressionAttributeValues[":reason"] = text(*reason)
	}
	return write{types.TransactWriteItem{Update: update}, func(old item) error {
		switch {
		case old == nil:
			return event.ErrEventNotFound
		case !organizedBy(old, organizer):
			return event.ErrOrganizerToken
		}
		return event.ErrAlreadyCancelled
	}}
}

// A transaction is one logical write. Its token and its content stay the same
// over all attempts, so DynamoDB carries it out at most once.
type transaction struct {
	store  *Store
	token  string
	writes []write
}

func (s *Store) transaction(writes ...write) *transaction {
	return &transaction{s, uuid.NewString(), writes}
}

func (t *transaction) add(w write) { t.writes = append(t.writes, w) }

// attempt sends the transaction once, but for the SDK's own retries. Its errors
// are those of the writes, errContended, and ErrUnavailable.
func (t *transaction) attempt(ctx context.Context) error {
	items := make([]types.TransactWriteItem, len(t.writes))
	for i, w := range t.writes {
		items[i] = w.TransactWriteItem
	}
	_, err := t.store.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: &t.token,
		TransactItems:      items,
	})
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return verdict(t.writes, cancelled.CancellationReasons)
	}
	return unavailable(err)
}

// verdict says what the cancellation reasons, one per write, mean. A failed
// condition is final: it wins over a conflict elsewhere, and among failed
// conditions the first write wins.
func verdict(writes []write, reasons []types.CancellationReason) error {
	if len(reasons) != len(writes) {
		return fmt.Errorf("transaction of %d writes cancelled with %d reasons", len(writes), len(reasons))
	}
	var contended bool
	var unknown string
	for i, reason := range reasons {
		switch code := aws.ToString(reason.Code); code {
		case "ConditionalCheckFailed":
			return writes[i].refused(reason.Item)
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			contended = true
		case "None":
		default:
			unknown = code
		}
	}
	if unknown != "" || !contended {
		return fmt.Errorf("transaction cancelled with the reason %q", unknown)
	}
	return errContended
}

// persist attempts a transaction until it is through or refused.
func persist(ctx context.Context, t *transaction) error {
	return t.store.retryContended(ctx, func(time.Duration) error { return t.attempt(ctx) })
}

// Long enough for a few transactions of the same gate to pass, and short enough
// for the last guest of a crowd (package comment).
const (
	firstBackoff = 80 * time.Millisecond
	lastBackoff  = 200 * time.Millisecond
)

// backoff is how long to wait after so many attempts: with full jitter, because
// those who failed together should not come back together.
func backoff(attempts int) time.Duration {
	longest := firstBackoff
	for range attempts - 1 {
		longest = min(2*longest, lastBackoff)
	}
	return rand.N(longest)
}

// retryContended calls attempt, with the time waited so far, until its error is
// another than errContended. It waits in between, and gives up with ErrUnavailable
// when the context ends.
func (s *Store) retryContended(ctx context.Context, attempt func(waited time.Duration) error) (err error) {
	var waited time.Duration
	conflicts := 0
	defer func() {
		if conflicts > 0 && s.contended != nil {
			s.contended(ctx, conflicts, errors.Is(err, event.ErrUnavailable))
		}
	}()
	for {
		err := attempt(waited)
		if !errors.Is(err, errContended) {
			return err
		}
		conflicts++
		wait := backoff(conflicts)
		select {
		case <-time.After(wait):
			waited += wait
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", event.ErrUnavailable, err)
		}
	}
}

// retryables are the errors after which another attempt may do better: what the
// SDK takes for one, and an answer that breaks off.
var retryables = append(retry.IsErrorRetryables{
	retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return aws.TrueTernary
		}
		return aws.UnknownTernary
	}),
}, retry.DefaultRetryables...)

// unavailable marks the errors that say nothing about the request: the SDK has
// retried them in vain, or had no time to. What is left is a defect.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		retryables.IsErrorRetryable(err) == aws.TrueTernary {
		return fmt.Errorf("%w: %w", event.ErrUnavailable, err)
	}
	return err
}
