package dynamo

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"turnout/internal/event"
)

// Config has the table and the credentials to use it.
type Config struct {
	Table           string
	Region          string
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string // empty for credentials that last
	Endpoint        string // empty for the region's own

	// OnConflicts, if set, is called after each write that met conflicts, with their
	// number and whether the write gave up because of them.
	OnConflicts func(ctx context.Context, conflicts int, gaveUp bool)

	// Transport replaces the HTTP transport in tests.
	Transport http.RoundTripper

	// Gates is the number of gates of an event, DefaultGates if it is 0. Only tests
	// set it. It must be the same for all stores of a table: a cancelled RSVP is
	// subtracted from the gate that counted it.
	Gates int
}

// DefaultGates is the number of gates of an event; internal/docs/design.md says why.
const DefaultGates = 16

// Store is an event.Store in a table. Open makes one.
type Store struct {
	client      *dynamodb.Client
	table       *string
	gates       int
	onConflicts func(ctx context.Context, conflicts int, gaveUp bool)
}

var _ event.Store = (*Store)(nil)

// Open returns the store in a table. It does not connect: Ready reports a wrong
// configuration.
func Open(c Config) *Store {
	return &Store{newClient(c), &c.Table, cmp.Or(c.Gates, DefaultGates), c.OnConflicts}
}

// AddEvent implements event.Store.
func (s *Store) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	_, err := call(ctx, s, s.client.PutItem, &dynamodb.PutItemInput{
		TableName:                           s.table,
		Item:                                detailsItem(e, organizer),
		ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return err
	}
	stored, err := eventFrom(e.Token, failed.Item)
	if err != nil {
		return err
	}
	if organizedBy(failed.Item, organizer) && stored.SameContent(e) {
		return nil
	}
	return event.ErrTokenTaken
}

// EventByToken implements event.Store.
func (s *Store) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	e, _, err := s.eventWithCount(ctx, token)
	return e, err
}

// eventWithCount returns an event and its details item.
func (s *Store) eventWithCount(ctx context.Context, token event.Token) (e event.Event, details item, err error) {
	out, err := call(ctx, s, s.client.Query, &dynamodb.QueryInput{
		TableName:              s.table,
		ConsistentRead:         aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :pk AND sk < :rsvps"), // details and gates
		ExpressionAttributeValues: item{
			":pk":    text(partition(token)),
			":rsvps": text(rsvpPrefix),
		},
	})
	if err != nil {
		return event.Event{}, nil, err
	}
	var r reader
	count := 0
	for _, i := range out.Items {
		if r.text(i, sortKey) == detailsSort {
			details = i
		} else {
			count += r.number(i, "admitted")
		}
	}
	if details == nil {
		return event.Event{}, nil, event.ErrEventNotFound
	}
	e, err = eventFrom(token, details)
	e.AttendeeCount = count
	return e, details, errors.Join(err, r.err)
}

// details reads the details item of an event once, without the number of its
// RSVPs, or returns ErrEventNotFound.
func (s *Store) details(ctx context.Context, token event.Token) (e event.Event, details item, err error) {
	out, err := attempt(ctx, s.client.GetItem, s.getItem(detailsKey(token)))
	switch {
	case err != nil:
		return event.Event{}, nil, err
	case out.Item == nil:
		return event.Event{}, nil, event.ErrEventNotFound
	}
	e, err = eventFrom(token, out.Item)
	return e, out.Item, err
}

func (s *Store) getItem(k key) *dynamodb.GetItemInput {
	return &dynamodb.GetItemInput{TableName: s.table, Key: k, ConsistentRead: aws.Bool(true)}
}

// underWay is much longer than a request lasts and than clocks differ.
const underWay = 15 * time.Minute

// CancelEvent implements event.Store.
//
// The transaction closes every gate, including those that do not exist yet. Its
// conditions decide; the read before it saves a refused call the price of a
// transaction, and returns the expiry that the gates need. Long after the expiry no
// RSVP is under way, and gates are not closed.
//
// The transaction writes all gates, so during a burst of RSVPs it would meet
// conflicts until the burst is over. After a conflict it therefore signals itself
// on the details item, which every RSVP reads before its transaction.
func (s *Store) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, now time.Time) error {
	var e event.Event
	var details item
	err := s.retry(ctx, func() (err error) {
		e, details, err = s.details(ctx, token)
		return err
	})
	switch {
	case err != nil:
		return err
	case !organizedBy(details, organizer):
		return event.ErrOrganizerToken
	case e.Cancelled:
		return event.ErrAlreadyCancelled
	}
	cancel := s.transaction(s.cancelDetails(token, organizer, reason))
	if now.Before(e.ExpiresAt.Add(underWay)) {
		for gate := range s.gates {
			cancel.writes = append(cancel.writes, s.closeGate(e, gate, now))
		}
	}
	var signalled time.Time
	return s.retry(ctx, func() error {
		err := cancel.attempt(ctx)
		if errors.Is(err, errConflict) && time.Since(signalled) >= signalLife/2 {
			s.signalCancel(ctx, token)
			signalled = time.Now()
		}
		return err
	})
}

// AddRSVP implements event.Store.
//
// The conditions of the transaction decide. The read before it saves a refused call
// the price of a transaction, returns the expiry that the new items need, and shows
// the signal of a cancel.
func (s *Store) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	var admission *transaction
	var signal signal
	err := s.retry(ctx, func() error {
		e, details, err := s.details(ctx, token)
		if err != nil {
			return err
		}
		if err := e.Admits(r.CreatedAt); err != nil {
			return err
		}
		if s.mustWait(ctx, token, details, &signal) {
			return errConflict
		}
		if admission == nil {
			admission = s.transaction(s.putRSVP(token, r, e.ExpiresAt), s.admit(r, e))
		}
		return admission.attempt(ctx)
	})
	if !errors.Is(err, event.ErrEventCancelled) && !errors.Is(err, event.ErrEventExpired) {
		return err
	}
	// Refused, unless an earlier call, or an attempt whose response was lost, has
	// stored it.
	out, lookErr := call(ctx, s, s.client.GetItem, s.getItem(rsvpKey(token, r.Hash)))
	switch {
	case lookErr != nil:
		return lookErr
	case out.Item == nil:
		return err
	}
	return repeatsRSVP(out.Item, r)
}

// repeatsRSVP returns nil if r is the stored RSVP, or else ErrTokenTaken.
func repeatsRSVP(stored item, r event.RSVP) error {
	var read reader
	if read.text(stored, "name") != r.Name {
		return event.ErrTokenTaken
	}
	return nil
}

// RemoveRSVP implements event.Store.
func (s *Store) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash) error {
	err := s.transaction(s.deleteRSVP(token, rsvp), s.release(token, rsvp)).commit(ctx)
	if errors.Is(err, errNotCounted) {
		_, err = call(ctx, s, s.client.DeleteItem, &dynamodb.DeleteItemInput{TableName: s.table, Key: rsvpKey(token, rsvp)})
	}
	return err
}

// Ready implements event.Store. It reads an item that does not exist.
func (s *Store) Ready(ctx context.Context) error {
	_, err := call(ctx, s, s.client.GetItem, &dynamodb.GetItemInput{
		TableName: s.table,
		Key:       key{partitionKey: text("HEALTH"), sortKey: text("HEALTH")},
	})
	return err
}

// signalLife is how long RSVPs wait for a cancel whose signal does not change.
const signalLife = 2 * time.Second

// signalCancel makes RSVPs wait. An error is ignored: the cancel goes on without the
// signal. Each signal has a new value, so that a waiting RSVP recognises a renewed
// one without comparing clocks.
func (s *Store) signalCancel(ctx context.Context, token event.Token) {
	_, _ = attempt(ctx, s.client.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:           s.table,
		Key:                 detailsKey(token),
		UpdateExpression:    aws.String("SET cancelling = :signal"),
		ConditionExpression: aws.String("cancelled = :no"),
		ExpressionAttributeValues: item{
			":signal": text(uuid.NewString()),
			":no":     boolean(false),
		},
	})
}

// A signal is the signal of a cancel, as one RSVP has read it.
type signal struct {
	value string
	since time.Time
}

// mustWait reports whether an RSVP must wait because of a cancel's signal. It measures
// time by the RSVP's own monotonic clock, so differences between clocks do not matter.
// A signal that has not changed for signalLife belongs to a cancel that has failed:
// mustWait removes it, so that later RSVPs do not wait.
func (s *Store) mustWait(ctx context.Context, token event.Token, details item, seen *signal) bool {
	value := optionalText(details, "cancelling")
	switch {
	case value == nil:
		return false
	case *value != seen.value:
		*seen = signal{*value, time.Now()}
		return true
	case time.Since(seen.since) < signalLife:
		return true
	}
	_, _ = attempt(ctx, s.client.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:                 s.table,
		Key:                       detailsKey(token),
		UpdateExpression:          aws.String("REMOVE cancelling"),
		ConditionExpression:       aws.String("cancelling = :signal"),
		ExpressionAttributeValues: item{":signal": text(*value)},
	})
	return false
}
