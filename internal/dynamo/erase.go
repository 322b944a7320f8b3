package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// This file is for operators (infra/turnout); the service does not use it.

const batchSize = 25 // the most writes that BatchWriteItem accepts

// Besides nil, eraseDetails has these outcomes.
var (
	errWasErased = errors.New("the event was erased before")
	errChanged   = errors.New("the details have changed since they were read")
)

// EachEvent calls do for each of the tokens, with the event or the error of GetEvent. It stops at the first error of
// do, and returns it.
func (s *Store) EachEvent(
	ctx context.Context, tokens []event.Token, do func(event.Token, event.Event, error) error,
) error {
	for _, token := range tokens {
		e, err := s.GetEvent(ctx, token)
		if err := do(token, e, err); err != nil {
			return err
		}
	}
	return nil
}

// EraseEvent deletes an event and its RSVPs for good, and returns the number of items, the
// details included, or ErrEventNotFound. It also deletes the items that TTL, or an earlier call that
// failed, has left.
func (s *Store) EraseEvent(ctx context.Context, token event.Token, now time.Time) (int, error) {
	err := errChanged
	for errors.Is(err, errChanged) {
		err = s.eraseDetails(ctx, token, now)
	}
	erased := 1
	if errors.Is(err, errWasErased) {
		erased, err = 0, nil
	}
	if err != nil {
		return 0, err
	}
	keys := s.rsvpQuery(token, rsvpRanges(1)[0], batchSize)
	keys.ProjectionExpression = aws.String("pk, sk")
	err = s.eachPage(ctx, keys, func(rsvps []item) error {
		deletes := make([]types.WriteRequest, len(rsvps))
		for n, i := range rsvps {
			deletes[n].DeleteRequest = &types.DeleteRequest{Key: i}
		}
		erased += len(rsvps)
		return s.writeBatch(ctx, deletes)
	})
	if err == nil && erased == 0 {
		err = event.ErrEventNotFound
	}
	return erased, err
}

// eraseDetails closes the gates, as a cancel does, and in the same transaction replaces the
// details by a tombstone, so that the token stays taken. If it finds a tombstone, it returns
// errWasErased.
//
// The tombstone lasts as long as the event would have, and at least a year. If the expiry of the details
// has changed since it was read, the tombstone could expire too early: the error is errChanged. The gates
// stay closed for as long as a CreateRSVP that has read the details may be in flight.
func (s *Store) eraseDetails(ctx context.Context, token event.Token, now time.Time) error {
	out, err := call(ctx, s, s.client.Query, s.eventQuery(token, 1))
	switch {
	case err != nil:
		return err
	case len(out.Items) == 0:
		return event.ErrEventNotFound
	}
	first := out.Items[0] // the details come first, if they exist
	isDetails := sortOf(first) == detailsSort
	if isDetails && isTombstone(first) {
		return errWasErased
	}
	var r reader
	expires := max(int64(r.number(first, "expiresAt")), seconds(now.AddDate(1, 0, 0)))
	if r.err != nil {
		return r.err
	}
	put := &types.Put{
		TableName:           s.table,
		Item:                tombstone(detailsKey(token), number(expires)),
		ConditionExpression: aws.String("attribute_not_exists(pk)"),
	}
	if isDetails {
		put.ConditionExpression = aws.String("expiresAt = :expires")
		put.ExpressionAttributeValues = item{":expires": first["expiresAt"]}
	}
	erasure := s.transaction(write{types.TransactWriteItem{Put: put}, func(item) error { return errChanged }})
	for gate := range s.gates {
		erasure.writes = append(erasure.writes, s.closeGate(event.Event{Token: token, ExpiresAt: now}, gate, now))
	}
	return erasure.commit(ctx)
}

// writeBatch repeats the writes that DynamoDB leaves unprocessed under throttling.
func (s *Store) writeBatch(ctx context.Context, batch []types.WriteRequest) error {
	left := map[string][]types.WriteRequest{*s.table: batch}
	return s.retry(ctx, func() error {
		out, err := attempt(ctx, s, s.client.BatchWriteItem, &dynamodb.BatchWriteItemInput{RequestItems: left})
		if err != nil {
			return err
		}
		left = out.UnprocessedItems
		if len(left) > 0 {
			return errThrottled
		}
		return nil
	})
}

// EraseRSVPs erases the RSVP with exactly this name. If all is true, it erases every such RSVP. It returns the number
// of erased RSVPs. Errors: ErrEventNotFound, and the errors of event.Named.
func (s *Store) EraseRSVPs(ctx context.Context, token event.Token, name string, all bool, now time.Time) (int, error) {
	r, err := s.Record(ctx, token)
	if err == nil && r.Erased {
		err = event.ErrEventNotFound
	}
	if err != nil {
		return 0, err
	}
	named, err := event.Named(r.RSVPs, name, all)
	for _, rsvp := range named {
		if err := s.CancelRSVP(ctx, token, rsvp.ID, now); err != nil {
			return 0, err
		}
	}
	return len(named), err
}

func sortOf(i item) string {
	var r reader
	return r.text(i, sortKey)
}
