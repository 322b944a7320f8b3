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

// Config says where the table is and with what rights it is used.
type Config struct {
	Table           string
	Region          string
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string // empty for credentials that last
	Endpoint        string // empty for the region's own

	// OnConflicts, where it is set, is called after each write that met conflicts:
	// with how many, and whether it gave up because of them.
	OnConflicts func(ctx context.Context, conflicts int, gaveUp bool)

	// Transport replaces the way to DynamoDB in tests.
	Transport http.RoundTripper

	// Gates is the number of gates of an event, DefaultGates if it is 0. Only
	// tests set it, and for all of a table's events alike: an RSVP is taken off the
	// count of the gate that it was counted at.
	Gates int
}

// DefaultGates is the number of gates of an event; the package comment says why.
const DefaultGates = 8

// Store is an event.Store in a table. Open makes one.
type Store struct {
	client      *dynamodb.Client
	table       *string
	gates       int
	onConflicts func(ctx context.Context, conflicts int, gaveUp bool)
}

var _ event.Store = (*Store)(nil)

// Open returns the store in a table. It does not connect: a wrong configuration
// shows in Ready.
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

// underWay is far longer than a request lasts, and clocks differ.
const underWay = 15 * time.Minute

// CancelEvent implements event.Store.
//
// The transaction closes every gate, also those that no RSVP has made yet. It is
// the guard; the read before it spares a refused call the price of a transaction,
// and tells the expiry that the gates need. Nobody makes a gate of an event that
// has expired for good.
//
// It needs all gates at once, so in a storm of RSVPs it would lose to conflicts
// until the storm is over. When it meets a conflict it therefore signals itself
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
// The transaction is the guard. The read before it spares a refused guest the
// price of a transaction, tells the expiry that the new items need, and shows
// whether a cancel wants to go first.
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
	// Refused: unless it is stored already, by an earlier call or by an attempt
	// whose response was lost.
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
	if errors.Is(err, errGateMissing) {
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

// signalLife is how long RSVPs wait for a cancel that gives no new sign of life.
const signalLife = 2 * time.Second

// signalCancel makes RSVPs wait. Whether it succeeds is no matter: the cancel goes
// on trying without. Each signal has a value of its own, so that whoever waits can
// tell a new one from the last without looking at a clock.
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

// A signal is that of a cancel, as one RSVP has seen it.
type signal struct {
	value string
	since time.Time
}

// mustWait reports whether a cancel signals that it wants to go first. It counts
// time by the RSVP's own stopwatch, so it does not matter how clocks differ. A
// signal that has not changed for signalLife is that of a cancel that has died:
// mustWait removes it, so that the next RSVP need not wait for it again.
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
