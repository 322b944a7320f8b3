// Package dynamo is the store for the cloud: an event.Store in one DynamoDB
// table. Nothing else knows DynamoDB.
//
// # Gates
//
// DynamoDB rejects the second of two overlapping transactions on one item. One
// counter per event would turn guests away exactly when its link goes round. So
// an event has eight gates; a guest enters through the one that the hash of the
// RSVP token chooses, and attendeeCount is the sum of what they admitted.
// Cancelling closes the details item and every gate in one transaction, after
// which no RSVP can pass.
//
// Why eight: 200 guests at the same moment, where a transaction holds its items
// for 10 ms and a call is 3 ms on its way (make bench prints this table anew):
//
//	gates   RSVPs/s   p50       p99       transactions per RSVP
//	    1        83   1075 ms   2358 ms   12.1
//	    4       224    328 ms    829 ms    4.9
//	    8       309    184 ms    569 ms    3.5
//	   16       459    112 ms    413 ms    2.8
//
// An RSVP writes two items in a transaction, 4 write units, and all items of an
// event are in one partition, which takes 1,000 write units per second: 250 RSVPs.
// Eight gates let through more than that, so more gates would only move the queue
// from the gates to the partition. They would also make each event dearer to
// create and to cancel (2 units per gate), and they slow down the cancel, which
// needs all of them at once.
//
// The same figures chose the waits between attempts: from 80 to 200 ms, instead of
// 20 to 400 ms, they save a quarter of the transactions of a crowd, and a quarter
// of the wait of its last guest.
//
// # Counting
//
// The count is the sum of items that one Query reads. DynamoDB promises each item
// as it is after all writes acknowledged before, but not all of them as of one
// moment: a count read while guests come and go may hold a later guest and miss an
// earlier one. It holds everyone who was acknowledged before the read began, and
// nobody who came after it ended. DynamoDB Local reads all items as of one moment.
//
// # What remains after expiry
//
// TTL deletes the items of an expired event late, one by one and in any order.
// Without its details item an event does not exist. A missing gate counts as
// empty, and nothing that is missing is ever made again: it would have no
// expiry, and stay for good.
package dynamo

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

	// Transport replaces the way to DynamoDB in tests.
	Transport http.RoundTripper

	// Contended, where it is set, hears of each write that met conflicts: how
	// many, and whether it gave up because of them.
	Contended func(ctx context.Context, conflicts int, gaveUp bool)
}

// gateCount is the number of gates of an event; the package comment says why.
const gateCount = 8

// Store is an event.Store in a table. Open makes one.
type Store struct {
	// Gates is the number of gates of an event. Only tests change it, and only
	// before the table has events: a guest leaves by the gate that it came in.
	Gates int

	client    *dynamodb.Client
	table     *string
	contended func(ctx context.Context, conflicts int, gaveUp bool)
}

var _ event.Store = (*Store)(nil)

// Open returns the store in a table. It does not connect: a wrong configuration
// shows in Ready.
//
// The client is put together by hand. The SDK's config module, which looks for
// configuration in many more places, would add 2 MB to each function and a
// quarter to its start.
func Open(c Config) *Store {
	credentials := aws.Credentials{
		AccessKeyID:     c.AccessKeyID,
		SecretAccessKey: c.SecretAccessKey,
		SessionToken:    c.SessionToken,
	}
	options := dynamodb.Options{
		Region: c.Region,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return credentials, nil
		}),
		HTTPClient: awshttp.NewBuildableClient().
			WithDialerOptions(func(d *net.Dialer) { d.Timeout = time.Second }).
			WithTransportOptions(func(t *http.Transport) {
				// An answer takes milliseconds. One that does not come leaves
				// time for another attempt.
				t.ResponseHeaderTimeout = 2 * time.Second
				t.MaxIdleConnsPerHost = 100
			}),
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts = 8
			o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
				return backoff(attempt), nil
			})
			o.Retryables = retryables
		}),
	}
	if c.Endpoint != "" {
		options.BaseEndpoint = &c.Endpoint
	}
	if c.Transport != nil {
		options.HTTPClient = &http.Client{Transport: c.Transport}
	}
	return &Store{gateCount, dynamodb.New(options), &c.Table, c.Contended}
}

// Connect opens the connection that the first call will use, and returns when it
// is open or cannot be had in time; in that case the first call tells why. A
// function has more processor while it starts than ever after, and a TLS handshake
// is more work than a request.
//
// DynamoDB answers any GET with its health, unsigned and free of charge. Without
// TLS there is nothing to gain.
func (s *Store) Connect(ctx context.Context) {
	options := s.client.Options()
	endpoint, err := options.EndpointResolverV2.ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: &options.Region, Endpoint: options.BaseEndpoint})
	if err != nil || endpoint.URI.Scheme != "https" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint.URI.String(), nil)
	if err != nil {
		return
	}
	response, err := options.HTTPClient.Do(request)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, response.Body) // to its end, or the connection is not kept
	_ = response.Body.Close()
}

// AddEvent implements event.Store.
func (s *Store) AddEvent(ctx context.Context, e event.Event, organizer event.Hash) error {
	writes := []write{s.put(detailsItem(e, organizer), event.ErrTokenTaken)}
	for gate := range s.Gates {
		writes = append(writes, s.put(gateItem(e, gate), event.ErrTokenTaken))
	}
	err := persist(ctx, s.transaction(writes...))
	if !errors.Is(err, event.ErrTokenTaken) {
		return err
	}
	details, readErr := s.details(ctx, e.Token)
	if readErr != nil {
		return cmp.Or(unavailable(readErr), err)
	}
	stored, readErr := eventFrom(e.Token, details)
	if readErr == nil && organizedBy(details, organizer) && stored.SameContent(e) {
		return nil
	}
	return err
}

// EventByToken implements event.Store.
func (s *Store) EventByToken(ctx context.Context, token event.Token) (event.Event, error) {
	out, err := s.client.Query(ctx, &dynamodb.QueryInput{
		TableName:              s.table,
		ConsistentRead:         aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :pk AND sk < :rsvps"), // details and gates
		ExpressionAttributeValues: item{
			":pk":    text(partition(token)),
			":rsvps": text(rsvpPrefix),
		},
	})
	if err != nil {
		return event.Event{}, unavailable(err)
	}
	if len(out.Items) == 0 || !isDetails(out.Items[0]) {
		return event.Event{}, event.ErrEventNotFound
	}
	e, err := eventFrom(token, out.Items[0])
	if err != nil {
		return event.Event{}, err
	}
	var gates reader
	for _, gate := range out.Items[1:] {
		e.AttendeeCount += int(gates.number(gate, "admitted"))
	}
	return e, gates.err
}

// announcement is how long a cancellation asks new guests to wait. It is a
// courtesy and never the guard: should the cancellation die halfway, all that is
// left behind is this wait. Both sides count the time that they waited and not
// that of their calls, since a store does not read the clock.
const announcement = 2 * time.Second

// CancelEvent implements event.Store.
//
// It needs all gates at once, so in a storm of RSVPs it would lose to conflicts
// until the storm is over. When it meets a conflict it therefore announces
// itself on the details item, which every guest reads before trying a gate.
func (s *Store) CancelEvent(ctx context.Context, token event.Token, organizer event.Hash, reason *string, now time.Time) error {
	var gates []int
	for gate := range s.Gates {
		gates = append(gates, gate)
	}
	for {
		cancel := s.transaction(s.cancelDetails(token, organizer, reason))
		for _, gate := range gates {
			cancel.add(s.closeGate(token, gate))
		}
		var announced time.Duration // the time waited when the announcement ends
		err := s.retryContended(ctx, func(waited time.Duration) error {
			err := cancel.attempt(ctx)
			if errors.Is(err, errContended) && waited >= announced {
				s.announce(ctx, token, organizer, now.Add(waited+announcement))
				announced = waited + announcement
			}
			return err
		})
		gone, ok := errors.AsType[gateMissing](err)
		if !ok {
			return err
		}
		gates = slices.DeleteFunc(gates, func(gate int) bool { return gate == int(gone) })
	}
}

// AddRSVP implements event.Store.
//
// The transaction is the guard. The read before it spares a refused guest the
// price of a transaction, tells the expiry that the new item needs, and shows
// whether a cancellation asks to go first.
func (s *Store) AddRSVP(ctx context.Context, token event.Token, r event.RSVP) error {
	var admission *transaction
	err := s.retryContended(ctx, func(waited time.Duration) error {
		details, err := s.details(ctx, token)
		if err != nil {
			return err
		}
		if admission == nil {
			e, err := eventFrom(token, details)
			if err == nil {
				err = e.Admits(r.CreatedAt)
			}
			if err != nil {
				return err
			}
			admission = s.transaction(
				s.put(rsvpItem(token, r, e.ExpiresAt), errRSVPStored),
				s.admit(token, r))
		}
		if cancellationAnnounced(details, r.CreatedAt.Add(waited)) {
			return errContended
		}
		return admission.attempt(ctx)
	})
	switch {
	case errors.Is(err, errRSVPStored), errors.Is(err, event.ErrEventCancelled), errors.Is(err, event.ErrEventExpired):
		return s.repeated(ctx, token, r, err)
	}
	return err
}

// repeated returns nil where that RSVP is stored already, event.ErrTokenTaken
// where it has another name, and otherwise why it was refused.
func (s *Store) repeated(ctx context.Context, token event.Token, r event.RSVP, refused error) error {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      s.table,
		Key:            rsvpKey(token, r.Hash),
		ConsistentRead: aws.Bool(true),
	})
	switch {
	case err != nil:
		return unavailable(err)
	case out.Item != nil:
		var stored reader
		if stored.text(out.Item, "name") != r.Name {
			return event.ErrTokenTaken
		}
		return stored.err
	case errors.Is(refused, errRSVPStored): // and withdrawn since
		return nil
	}
	return refused
}

// RemoveRSVP implements event.Store.
func (s *Store) RemoveRSVP(ctx context.Context, token event.Token, rsvp event.Hash) error {
	err := persist(ctx, s.transaction(s.deleteRSVP(token, rsvp), s.release(token, rsvp)))
	if _, gone := errors.AsType[gateMissing](err); gone {
		err = persist(ctx, s.transaction(s.deleteRSVP(token, rsvp)))
	}
	if errors.Is(err, errNoRSVP) {
		return nil
	}
	return err
}

// AttendeesByEvent implements event.Store.
func (s *Store) AttendeesByEvent(ctx context.Context, token event.Token, organizer event.Hash, after event.Position, maxBytes int) (page []event.RSVP, more bool, err error) {
	details, err := s.details(ctx, token)
	if err != nil {
		return nil, false, err
	}
	if !organizedBy(details, organizer) {
		return nil, false, event.ErrOrganizerToken
	}
	var rsvps []event.RSVP
	var read reader
	pages := dynamodb.NewQueryPaginator(s.client, &dynamodb.QueryInput{
		TableName:              s.table,
		ConsistentRead:         aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :pk AND begins_with(sk, :rsvp)"),
		ExpressionAttributeValues: item{
			":pk":   text(partition(token)),
			":rsvp": text(rsvpPrefix),
		},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, false, unavailable(err)
		}
		for _, rsvp := range page.Items {
			rsvps = append(rsvps, event.RSVP{
				Hash:      hashFromKey(read.text(rsvp, sortKey)),
				Name:      read.text(rsvp, "name"),
				CreatedAt: time.Unix(0, read.number(rsvp, "createdAt")).UTC(),
			})
		}
	}
	page, more = event.Page(rsvps, after, maxBytes)
	return page, more, read.err
}

// Ready implements event.Store. It reads an item that does not exist.
func (s *Store) Ready(ctx context.Context) error {
	_, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table,
		Key:       key{partitionKey: text("HEALTH"), sortKey: text("HEALTH")},
	})
	return unavailable(err)
}

// details returns the details item of an event, or ErrEventNotFound.
func (s *Store) details(ctx context.Context, token event.Token) (item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      s.table,
		Key:            detailsKey(token),
		ConsistentRead: aws.Bool(true),
	})
	switch {
	case err != nil:
		return nil, unavailable(err)
	case out.Item == nil:
		return nil, event.ErrEventNotFound
	}
	return out.Item, nil
}

// announce asks guests to wait until that moment. What keeps it from doing so
// is no matter: the cancellation goes on trying without.
func (s *Store) announce(ctx context.Context, token event.Token, organizer event.Hash, until time.Time) {
	_, _ = s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           s.table,
		Key:                 detailsKey(token),
		UpdateExpression:    aws.String("SET cancelling = :until"),
		ConditionExpression: aws.String("organizerTokenHash = :organizer AND cancelled = :no"),
		ExpressionAttributeValues: item{
			":until":     number(until.UnixNano()),
			":organizer": binary(organizer[:]),
			":no":        boolean(false),
		},
	})
}

func cancellationAnnounced(details item, now time.Time) bool {
	if details["cancelling"] == nil {
		return false
	}
	var r reader
	return r.number(details, "cancelling") > now.UnixNano() && r.err == nil
}

func isDetails(i item) bool {
	sort, _ := i[sortKey].(*types.AttributeValueMemberS)
	return sort != nil && sort.Value == detailsSort
}
