package dynamo

import (
	"context"
	"flag"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/dynamo/faulttest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	dynamotest.Endpoint(t) // without one, skip once
	// A sequence of calls takes a second on DynamoDB Local.
	if err := flag.Set("rapid.checks", "10"); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		t.Parallel()
		return tested{openLocal(t)}
	})
}

// newTable returns the configuration of a new table of DynamoDB Local.
func newTable(t testing.TB) Config {
	t.Helper()
	c := Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "store-" + uuid.NewString(),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := Open(c).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// openLocal returns a store in a new table of DynamoDB Local.
func openLocal(t testing.TB) *Store {
	t.Helper()
	return Open(newTable(t))
}

// openFaulty returns the store in a table, reached through a transport that injects faults.
func openFaulty(t testing.TB, c Config) (*Store, *faulttest.Transport) {
	t.Helper()
	transport := faulttest.NewTransport(c.Endpoint)
	t.Cleanup(transport.Close)
	c.Transport = transport
	return Open(c), transport
}

// tested is a store whose items a test may count and delete.
type tested struct{ *Store }

var prefixes = map[storetest.Part]string{
	storetest.Details:  detailsSort,
	storetest.Counters: gatePrefix,
	storetest.RSVPs:    rsvpPrefix,
}

func (s tested) Pieces(ctx context.Context, token event.Token) (pieces []storetest.Piece, err error) {
	items, err := s.items(ctx, token)
	for _, i := range items {
		sort := i[sortKey].(*types.AttributeValueMemberS).Value
		for part, prefix := range prefixes {
			if strings.HasPrefix(sort, prefix) {
				pieces = append(pieces, storetest.Piece{Part: part, Key: sort})
			}
		}
	}
	return pieces, err
}

// DeletePiece deletes an item, as TTL would.
func (s tested) DeletePiece(ctx context.Context, token event.Token, p storetest.Piece) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: s.table, Key: keyOf(token, p.Key)})
	return err
}

// items returns those of an event.
func (s *Store) items(ctx context.Context, token event.Token) (found []item, err error) {
	pages := dynamodb.NewQueryPaginator(s.client, &dynamodb.QueryInput{
		TableName:                 s.table,
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: item{":pk": text(partition(token))},
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Items...)
	}
	return found, nil
}
