package dynamo

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"turnout/internal/event"
)

// CreateRSVP implements event.Store.
//
// The conditions of the transaction decide. The read before it returns the expiry of the new
// items, and makes a refusal cheaper than a transaction.
func (s *Store) CreateRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	e, _, err := s.details(ctx, token)
	if err == nil {
		err = e.AcceptsRSVP(r.CreatedAt)
	}
	if err == nil {
		err = s.transaction(s.putRSVP(token, r, e.ExpiresAt), s.admit(r, e)).commit(ctx)
	}
	if !errors.Is(err, event.ErrEventCancelled) && !errors.Is(err, event.ErrEventExpired) {
		return err
	}
	// The event refuses the RSVP. But an earlier call, or an attempt whose response was lost, may have
	// stored it.
	out, lookErr := call(ctx, s, s.client.GetItem, s.getItem(rsvpKey(token, r.ID)))
	switch {
	case lookErr != nil:
		return lookErr
	case out.Item == nil:
		return err
	}
	return repeatsRSVP(out.Item, r)
}

// putRSVP stores an RSVP unless it is stored already.
func (s *Store) putRSVP(token event.Token, r event.RSVP, expiresAt time.Time) write {
	return write{
		types.TransactWriteItem{Put: &types.Put{
			TableName:                           s.table,
			Item:                                rsvpItem(token, r, expiresAt),
			ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
		func(old item) error { return repeatsRSVP(old, r) },
	}
}

// admit counts an RSVP at its gate, and creates the gate if it is missing.
func (s *Store) admit(r event.RSVP, e event.Event) write {
	const expression = "SET closed = :no, admitsUntil = :until, expiresAt = :expires ADD admitted :one"
	return write{
		types.TransactWriteItem{Update: &types.Update{
			TableName:           s.table,
			Key:                 gateKey(e.Token, gateOf(r.ID, s.gates)),
			UpdateExpression:    aws.String(expression),
			ConditionExpression: aws.String("attribute_not_exists(pk) OR (closed = :no AND admitsUntil >= :now)"),
			ExpressionAttributeValues: item{
				":one":     number(1),
				":no":      boolean(false),
				":now":     moment(r.CreatedAt),
				":until":   moment(e.ExpiresAt),
				":expires": ttl(e.ExpiresAt),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}},
		func(old item) error {
			var r reader
			if r.boolean(old, "closed") {
				return event.ErrEventCancelled
			}
			return event.ErrEventExpired
		},
	}
}

// repeatsRSVP returns nil if r is the stored RSVP, and ErrTokenTaken for any other RSVP or a
// tombstone.
func repeatsRSVP(stored item, r event.RSVP) error {
	if name := optionalText(stored, "name"); name == nil || *name != r.Name {
		return event.ErrTokenTaken
	}
	return nil
}
