package explore

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
	"turnout/internal/event/storetest"
)

// TestTableIsDynamoDB runs the contract of stores on DynamoDB Local. The table in memory gets each call,
// too, and must give the same answer.
func TestTableIsDynamoDB(t *testing.T) {
	if err := flag.Set("rapid.checks", "10"); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		t.Parallel()
		c, config := newComparison(t)
		return compared{dynamo.Open(config), c}
	})
}

// TestTableIsDynamoDBInDetail makes calls that follow only on faults, such as repeated transactions.
func TestTableIsDynamoDBInDetail(t *testing.T) {
	c, _ := newComparison(t)
	s := func(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }
	n := func(number string) types.AttributeValue { return &types.AttributeValueMemberN{Value: number} }
	key := func(sk string) item { return item{"pk": s("p"), "sk": s(sk)} }
	table := &c.table
	transact := func(token string, writes ...types.TransactWriteItem) {
		in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: &token, TransactItems: writes}
		_, _ = c.client.TransactWriteItems(t.Context(), in)
	}
	add := func(sk, number, condition string) types.TransactWriteItem {
		u := &types.Update{TableName: table, Key: key(sk), UpdateExpression: aws.String("ADD n :n SET t = :t"),
			ExpressionAttributeValues:           item{":n": n(number), ":t": s(number)},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}
		if condition != "" {
			u.ConditionExpression = &condition
		}
		return types.TransactWriteItem{Update: u}
	}
	put := func(sk string) types.TransactWriteItem {
		p := &types.Put{TableName: table, Item: key(sk), ConditionExpression: aws.String("attribute_not_exists(pk)")}
		return types.TransactWriteItem{Put: p}
	}
	read := func() {
		query := &dynamodb.QueryInput{
			TableName:                 table,
			ConsistentRead:            aws.Bool(true),
			KeyConditionExpression:    aws.String("pk = :pk"),
			ExpressionAttributeValues: item{":pk": s("p")},
			Limit:                     aws.Int32(2),
		}
		for {
			out, err := c.client.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			if query.ExclusiveStartKey = out.LastEvaluatedKey; query.ExclusiveStartKey == nil {
				return
			}
		}
	}
	one, two, three := uuid.NewString(), uuid.NewString(), uuid.NewString() // DynamoDB Local never forgets a token
	for range 3 {                                                           // the first call counts
		transact(one, add("a", "1", ""), add("b", "5", ""))
		read()
	}
	transact(one, add("a", "2", ""), add("b", "5", "")) // the same token with other parameters is refused
	transact(two, add("a", "1", "n < :n"), add("b", "-7", "n >= :n"), put("a"))
	transact(three, put("a"), add("b", "-7", "n >= :n"))
	transact(three, put("c"), add("b", "-7", "n >= :n AND attribute_exists(t)")) // cancelled the first time
	read()
	requests := map[string][]types.WriteRequest{*table: {
		{PutRequest: &types.PutRequest{Item: key("e")}},
		{DeleteRequest: &types.DeleteRequest{Key: key("a")}},
	}}
	_, _ = c.client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: requests})
	read()
}

// A comparison makes each call on a table of DynamoDB Local and on a table in memory, one
// call at a time.
type comparison struct {
	t      *testing.T
	client *dynamodb.Client
	table  string

	mu     sync.Mutex
	memory table
}

// newComparison creates a table in DynamoDB Local and a table in memory.
func newComparison(t *testing.T) (*comparison, dynamo.Config) {
	c := &comparison{t: t, table: "explore-" + uuid.NewString()}
	config := dynamo.Config{
		Endpoint: dynamotest.Endpoint(t), Table: c.table, Region: "local",
		AccessKeyID: "local", SecretAccessKey: "local", Middleware: c.add,
	}
	c.client = dynamodb.New(dynamodb.Options{
		BaseEndpoint: &config.Endpoint, Region: config.Region, APIOptions: []func(*middleware.Stack) error{c.add},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c, config
}

func (c *comparison) add(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("both tables", c.both), middleware.Before)
}

func (c *comparison) both(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	if _, creates := in.Parameters.(*dynamodb.CreateTableInput); creates || ctx.Err() != nil {
		return next.HandleInitialize(ctx, in)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out, metadata, err := next.HandleInitialize(context.WithoutCancel(ctx), in) // the outcome of the call must be known
	var ours answer
	c.memory, ours = c.memory.do(newRequest(upTo(in.Parameters, out.Result)))
	if got, want := described(ours.out, ours.err), described(out.Result, err); got != want {
		c.t.Errorf("%T: %s\nwant %s", in.Parameters, got, want)
	}
	return out, metadata, err
}

// upTo limits a Query to the items that DynamoDB Local has read: it ends a page at 1 MB.
func upTo(in, out any) any {
	query, ok := in.(*dynamodb.QueryInput)
	page, answered := out.(*dynamodb.QueryOutput)
	if !ok || !answered || page.LastEvaluatedKey == nil {
		return in
	}
	limited := *query
	limited.Limit = &page.ScannedCount
	return &limited
}

// described prints an answer without the wording of errors and the capacity consumed.
func described(out any, err error) string {
	var refusal smithy.APIError
	if errors.As(err, &refusal) {
		out, err = refusal, nil
	}
	text, _ := json.Marshal(out)
	return fmt.Sprintf("%T %s %v", out, ignored.ReplaceAll(text, nil), err)
}

var ignored = regexp.MustCompile(`"(Message|ConsumedCapacity)":("([^"\\]|\\.)*"|null|\{[^{}]*\}),?`)

// compared is a store whose items a test may see and delete.
type compared struct {
	*dynamo.Store
	*comparison
}

var parts = map[string]storetest.Part{"DETAILS": storetest.Details, "GATE": storetest.Counters, "RSVP": storetest.RSVPs}

func (s compared) Items(_ context.Context, token event.Token) (items []storetest.Item, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.memory.rows {
		kind, _, _ := strings.Cut(r.sk, "#")
		if r.pk == "EVENT#"+token.String() {
			items = append(items, storetest.Item{Part: parts[kind], Key: r.sk})
		}
	}
	return items, nil
}

func (s compared) DeleteItem(ctx context.Context, token event.Token, p storetest.Item) error {
	key := newKey("EVENT#"+token.String(), p.Key)
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &s.table, Key: key})
	return err
}
