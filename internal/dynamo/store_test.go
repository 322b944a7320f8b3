package dynamo

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"turnout/infra/dynamodb-local/dynamotest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store { return tested{openLocal(t)} })
}

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(b *testing.B) event.Store { return openLocal(b) }, 10, 1_000, 100_000)
}

// openLocal returns a store in a new table of DynamoDB Local.
func openLocal(t testing.TB) *Store {
	t.Helper()
	return openVia(t, nil)
}

// openVia returns the same, reached through a transport.
func openVia(t testing.TB, transport http.RoundTripper) *Store {
	t.Helper()
	s := Open(Config{
		Endpoint:        dynamotest.Endpoint(t),
		Table:           "store-" + uuid.NewString(),
		Region:          "local",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
		Transport:       transport,
	})
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// tested is a store whose items a test may count and delete.
type tested struct{ *Store }

var prefixes = map[storetest.Part]string{
	storetest.Details:  detailsSort,
	storetest.Counters: gatePrefix,
	storetest.RSVPs:    rsvpPrefix,
}

func (s tested) Pieces(t *testing.T, token event.Token, part storetest.Part) int {
	return len(s.keys(t, token, part))
}

// Forget deletes the items of a part, as TTL would.
func (s tested) Forget(t *testing.T, token event.Token, part storetest.Part) {
	for _, k := range s.keys(t, token, part) {
		if _, err := s.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: s.table, Key: k}); err != nil {
			t.Fatal(err)
		}
	}
}

func (s tested) keys(t *testing.T, token event.Token, part storetest.Part) []key {
	t.Helper()
	condition := "pk = :pk"
	pages := dynamodb.NewQueryPaginator(s.client, &dynamodb.QueryInput{
		TableName:                 s.table,
		KeyConditionExpression:    &condition,
		ExpressionAttributeValues: item{":pk": text(partition(token))},
	})
	var keys []key
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range page.Items {
			if strings.HasPrefix(i[sortKey].(*types.AttributeValueMemberS).Value, prefixes[part]) {
				keys = append(keys, key{partitionKey: i[partitionKey], sortKey: i[sortKey]})
			}
		}
	}
	return keys
}
