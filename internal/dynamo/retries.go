package dynamo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"turnout/internal/event"
)

// attemptLimit ends an attempt whose response is missing or incomplete. The limits of the HTTP
// client are shorter.
const attemptLimit = 2 * time.Second

// callLimit is for callers without a deadline, such as an operator's command.
const callLimit = time.Minute

// An operation is a method of the SDK's client.
type operation[In, Out any] func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)

// attempt makes one call of DynamoDB, within attemptLimit. At the limit it closes idle
// connections, because a network may have silently dropped them. A conflict with a transaction
// is errConflict.
func attempt[In, Out any](
	ctx context.Context, s *Store, do operation[In, Out], in *In, options ...func(*dynamodb.Options),
) (*Out, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptLimit)
	defer cancel()
	out, err := do(ctx, in, options...)
	if err != nil && ctx.Err() == context.DeadlineExceeded {
		s.connections.CloseIdleConnections()
	}
	if conflict, ok := errors.AsType[*types.TransactionConflictException](err); ok {
		err = fmt.Errorf("%w: %w", errConflict, conflict)
	}
	return out, err
}

// call makes a call of DynamoDB, with retries.
func call[In, Out any](ctx context.Context, s *Store, do operation[In, Out], in *In) (out *Out, err error) {
	err = s.retry(ctx, func() error {
		out, err = attempt(ctx, s, do, in)
		return err
	})
	return out, err
}

// retry calls attempt until it succeeds, fails with an error that is not retried, or time runs
// out: the context ends, or callLimit if it has no deadline. Then the error is ErrUnavailable.
// There is no limit of attempts and no quota.
func (s *Store) retry(ctx context.Context, attempt func() error) error {
	deadline, limited := ctx.Deadline()
	if !limited {
		deadline = time.Now().Add(callLimit)
	}
	for attempts := 1; ; attempts++ {
		err := attempt()
		var wait time.Duration
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errConflict):
			wait = conflictBackoff.wait(attempts)
		case transient(err):
			wait = transientBackoff.wait(attempts)
		default:
			return err
		}
		if time.Until(deadline) < wait {
			return unavailable(err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return unavailable(err)
		}
	}
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", event.ErrUnavailable, err) }

// A backoff doubles the longest wait after each attempt. The wait is random (full
// jitter), so that calls that failed together are not repeated together.
type backoff struct{ first, longest time.Duration }

var (
	// The waits are long enough for a few transactions on the same gate, and short enough for the last RSVP of a burst.
	// make bench simulates a burst.
	conflictBackoff = backoff{80 * time.Millisecond, 200 * time.Millisecond}

	// Recovery from overload takes time, and a request must survive an outage of seconds. A
	// TransactionInProgressException is to be retried for more than 5 s.
	transientBackoff = backoff{50 * time.Millisecond, time.Second}
)

func (b backoff) wait(attempts int) time.Duration {
	longest := b.first
	for range attempts - 1 {
		longest = min(2*longest, b.longest)
	}
	return rand.N(longest)
}

// transient reports whether another attempt may succeed: throttling, a transaction in
// progress, an internal error of DynamoDB, a failed connection, a truncated or late response.
// Unlike the SDK, it treats DNS errors as transient, because DynamoDB's host name always exists.
func transient(err error) bool {
	_, unresolved := errors.AsType[*net.DNSError](err)
	return unresolved ||
		signatureExpired(err) ||
		errors.Is(err, errThrottled) ||
		errors.Is(err, context.DeadlineExceeded) || // the attempt or the request has reached its deadline
		errors.Is(err, context.Canceled) || // the attempt or the request was cancelled
		errors.Is(err, io.ErrUnexpectedEOF) ||
		transients.IsErrorRetryable(err) == aws.TrueTernary
}

// signatureExpired reports whether DynamoDB refused a signature for its time. A function that was frozen
// may sign its first request with an old clock, and have the right one when the response comes, too
// late for the SDK to notice (aws-sdk-js-v3#7605). Each attempt is signed anew.
func signatureExpired(err error) bool {
	refused, ok := errors.AsType[smithy.APIError](err)
	return ok && refused.ErrorCode() == "InvalidSignatureException" &&
		strings.HasPrefix(refused.ErrorMessage(), "Signature expired")
}

var transients = retry.IsErrorRetryables(retry.DefaultRetryables)
