package dynamo

import (
	"context"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	dynamotest.Endpoint(t) // skips the test once if there is no DynamoDB Local
	// A sequence of calls takes a second on DynamoDB Local.
	must(t, flag.Set("rapid.checks", "10"))
	storetest.Run(t, func(t *testing.T) storetest.Store {
		t.Parallel()
		return tested{openLocal(t)}
	})
}

// newTable makes a table in DynamoDB Local, and returns the configuration for it.
func newTable(t testing.TB) Config {
	t.Helper()
	c := Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "store-" + uuid.NewString(),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	must(t, Open(c).CreateTable(t.Context()))
	return c
}

// must ends the test if there is an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// openLocal returns a store in a new table of DynamoDB Local.
func openLocal(t testing.TB) *Store {
	t.Helper()
	return Open(newTable(t))
}

// openFaulty returns the store in a table, and the transport through which the store's calls go, which injects faults.
func openFaulty(t testing.TB, c Config) (*Store, *faulttest.Transport) {
	t.Helper()
	transport := faulttest.NewTransport(c.Endpoint)
	c.Transport = transport
	return Open(c), transport
}

// tested is a store whose items a test may count and delete.
type tested struct{ *Store }

func (s tested) Items(ctx context.Context, token event.Token) (items []storetest.Item, err error) {
	stored, err := s.items(ctx, token)
	for _, i := range stored {
		part := storetest.Counters
		switch sort := sortOf(i); {
		case sort == detailsSort:
			part = storetest.Details
		case strings.HasPrefix(sort, rsvpPrefix):
			part = storetest.RSVPs
		}
		items = append(items, storetest.Item{Part: part, Key: sortOf(i)})
	}
	return items, err
}

// DeleteItem deletes an item, as TTL would.
func (s tested) DeleteItem(ctx context.Context, token event.Token, p storetest.Item) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: s.table, Key: keyOf(token, p.Key)})
	return err
}

// items returns the items of an event, in the order of their keys.
func (s *Store) items(ctx context.Context, token event.Token) (found []item, err error) {
	err = s.eachPage(ctx, s.eventQuery(token, perQuery), func(items []item) error {
		found = append(found, items...)
		return nil
	})
	return found, err
}
