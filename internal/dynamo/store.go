package dynamo

import (
	"cmp"
	"context"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"turnout/internal/event"
)

// Config has the table and the credentials to use it.
type Config struct {
	Table           string
	Region          string
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string // empty for credentials that do not expire
	Endpoint        string // empty for the endpoint of the region

	// Transport replaces the HTTP transport in tests.
	Transport http.RoundTripper

	// Middleware, if set, is added to the SDK's stack for each call. Only tests set it.
	Middleware func(*middleware.Stack) error

	// Gates is the number of gates of an event, DefaultGates if it is 0. Only tests
	// set it. It must be the same for all stores of a table: a cancelled RSVP is
	// subtracted from the gate that counted it.
	Gates int
}

// DefaultGates is the number of gates of an event; internal/docs/design.md says why.
const DefaultGates = 16

// Store implements event.Store on one DynamoDB table.
type Store struct {
	client      *dynamodb.Client
	connections *http.Client // the HTTP client that client uses
	table       *string
	gates       int
}

var _ event.Store = (*Store)(nil)

// Open returns the store in a table. It does not connect: Health reports a wrong
// configuration.
func Open(c Config) *Store {
	connections := newConnections(c.Transport)
	return &Store{newClient(c, connections), connections, &c.Table, cmp.Or(c.Gates, DefaultGates)}
}

// details reads the details item of an event, without the number of its RSVPs, or returns
// ErrEventNotFound.
func (s *Store) details(ctx context.Context, token event.Token) (e event.Event, details item, err error) {
	out, err := call(ctx, s, s.client.GetItem, s.getItem(detailsKey(token)))
	switch {
	case err != nil:
		return event.Event{}, nil, err
	case isTombstone(out.Item):
		return event.Event{}, nil, event.ErrEventNotFound
	}
	e, err = eventFrom(token, out.Item)
	return e, out.Item, err
}

// query reads the items of an event whose sort keys meet a condition on the values, at most limit in a page.
func (s *Store) query(token event.Token, limit int32, condition string, values item) *dynamodb.QueryInput {
	values[":pk"] = text(partition(token))
	return &dynamodb.QueryInput{
		TableName:                 s.table,
		ConsistentRead:            aws.Bool(true),
		Limit:                     &limit,
		KeyConditionExpression:    aws.String("pk = :pk AND " + condition),
		ExpressionAttributeValues: values,
	}
}

// eventQuery reads all items of an event, the details first.
func (s *Store) eventQuery(token event.Token, limit int32) *dynamodb.QueryInput {
	return s.query(token, limit, "sk >= :details", item{":details": text(detailsSort)})
}

// rsvpQuery reads the RSVPs in a key range.
func (s *Store) rsvpQuery(token event.Token, r keyRange, limit int32) *dynamodb.QueryInput {
	return s.query(token, limit, "sk BETWEEN :first AND :last", item{":first": text(r.first), ":last": text(r.last)})
}

// eachPage passes the items of each page of a query to do.
func (s *Store) eachPage(ctx context.Context, query *dynamodb.QueryInput, do func([]item) error) error {
	for {
		page, err := call(ctx, s, s.client.Query, query)
		if err == nil && len(page.Items) > 0 {
			err = do(page.Items)
		}
		if err != nil || page.LastEvaluatedKey == nil {
			return err
		}
		query.ExclusiveStartKey = page.LastEvaluatedKey
	}
}

func (s *Store) getItem(k key) *dynamodb.GetItemInput {
	return &dynamodb.GetItemInput{TableName: s.table, Key: k, ConsistentRead: aws.Bool(true)}
}
