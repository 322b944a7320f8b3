// Command sdk makes the DynamoDB calls of one of the functions, which OPERATION
// names, with fixed values, and answers fixed bytes. Each invocation writes in a
// partition of its own, as the functions do in turn for one event after the other.
package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var answer = []byte(`{"statusCode":200,"headers":{"Content-Type":"application/json"},"body":"{\"status\":\"ok\"}"}`)

// A function makes the calls of an invocation in a partition.
type function func(ctx context.Context, partition string) error

type handler struct {
	function
	invocations int
}

func (h *handler) Invoke(ctx context.Context, _ []byte) ([]byte, error) {
	h.invocations++
	return answer, h.function(ctx, partition(h.invocations))
}

func partition(invocation int) string { return "FLOOR#" + strconv.Itoa(invocation) }

func main() {
	table, event := aws.String(os.Getenv("TABLE_NAME")), os.Getenv("EVENT")
	client := dynamodb.New(dynamodb.Options{
		Region:       os.Getenv("AWS_REGION"),
		BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY")}, nil
		}),
	})
	get := func(ctx context.Context, _ string) error {
		_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key(event, "DETAILS"), ConsistentRead: aws.Bool(true)})
		return err
	}
	query := func(ctx context.Context, in dynamodb.QueryInput) error {
		in.TableName, in.ConsistentRead = table, aws.Bool(true)
		_, err := client.Query(ctx, &in)
		return err
	}
	details := func(ctx context.Context, _ string) error {
		return query(ctx, dynamodb.QueryInput{
			KeyConditionExpression:    aws.String("pk = :pk AND sk < :rsvps"),
			ExpressionAttributeValues: item{":pk": text(event), ":rsvps": text("RSVP#")},
		})
	}
	transact := func(ctx context.Context, writes ...types.TransactWriteItem) error {
		_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
		return err
	}
	// The conditions are as long as the functions', and hold each time.
	put := func(pk, sk string, i item) *types.Put {
		i["pk"], i["sk"] = text(pk), text(sk)
		return &types.Put{
			TableName: table, Item: i, ConditionExpression: aws.String("attribute_not_exists(cancelling)"),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		}
	}
	update := func(pk, sk, expression, condition string, values item) types.TransactWriteItem {
		u := types.Update{TableName: table, Key: key(pk, sk), UpdateExpression: &expression, ExpressionAttributeValues: values}
		if condition != "" {
			u.ConditionExpression, u.ReturnValuesOnConditionCheckFailure = &condition, types.ReturnValuesOnConditionCheckFailureAllOld
		}
		return types.TransactWriteItem{Update: &u}
	}
	remove := func(pk, sk string) types.TransactWriteItem {
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: table, Key: key(pk, sk), ConditionExpression: aws.String("attribute_exists(pk)"),
		}}
	}
	no, yes := &types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberBOOL{Value: true}
	const rsvps = 1000 // more than invocations
	const until, expires = "4081377600000000000", "4081377600"

	functions := map[string]function{
		"health":    get,
		"get-event": details,
		"list-attendees": func(ctx context.Context, pk string) error {
			if err := details(ctx, pk); err != nil {
				return err
			}
			return query(ctx, dynamodb.QueryInput{
				KeyConditionExpression:   aws.String("pk = :pk AND sk BETWEEN :first AND :last"),
				FilterExpression:         aws.String("createdAt BETWEEN :from AND :until"),
				ProjectionExpression:     aws.String("sk, #name, createdAt"),
				ExpressionAttributeNames: map[string]string{"#name": "name"},
				ExpressionAttributeValues: item{
					":pk": text(event), ":first": text("RSVP#"), ":last": text("RSVP#~"), ":from": number("0"), ":until": number("9e125"),
				},
				Limit: aws.Int32(1000),
			})
		},
		"create-rsvp": func(ctx context.Context, pk string) error {
			if err := get(ctx, pk); err != nil {
				return err
			}
			rsvp := put(pk, "RSVP#0", item{"name": text("A guest"), "createdAt": number(until), "expiresAt": number(expires)})
			return transact(ctx, types.TransactWriteItem{Put: rsvp}, update(pk, "GATE#0",
				"SET closed = :no, admitsUntil = :until, expiresAt = :expires ADD admitted :one",
				"attribute_not_exists(pk) OR (closed = :no AND admitsUntil >= :now)",
				item{":one": number("1"), ":no": no, ":now": number(until), ":until": number(until), ":expires": number(expires)}))
		},
		"cancel-rsvp": func(ctx context.Context, pk string) error {
			return transact(ctx, remove(pk, "RSVP#0"), update(pk, "GATE#0", "ADD admitted :minusOne", "admitted > :none",
				item{":minusOne": number("-1"), ":none": number("0")}))
		},
		"create-event": func(ctx context.Context, pk string) error {
			e := put(pk, "DETAILS", item{
				"title": text("Garden party"), "dateTime": text("2099-05-01T19:00:00+02:00"), "timezone": text("Europe/Berlin"),
				"organizerTokenHash": &types.AttributeValueMemberB{Value: make([]byte, 32)}, "cancelled": no,
				"createdAt": number(until), "admitsUntil": number(until), "expiresAt": number(expires),
			})
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: e.TableName, Item: e.Item, ConditionExpression: e.ConditionExpression,
				ReturnValuesOnConditionCheckFailure: e.ReturnValuesOnConditionCheckFailure,
			})
			return err
		},
		"cancel-event": func(ctx context.Context, pk string) error {
			if err := get(ctx, pk); err != nil {
				return err
			}
			writes := []types.TransactWriteItem{update(pk, "DETAILS", "SET cancelled = :yes REMOVE cancelling",
				"attribute_not_exists(pk) OR cancelled IN (:yes, :no)", item{":yes": yes, ":no": no})}
			for gate := range 16 {
				writes = append(writes, update(pk, "GATE#"+strconv.Itoa(gate),
					"SET closed = :yes, admitsUntil = :until, expiresAt = :expires ADD admitted :none", "",
					item{":yes": yes, ":until": number(until), ":expires": number(expires), ":none": number("0")}))
			}
			return transact(ctx, writes...)
		},
	}
	operation := os.Getenv("OPERATION")
	if operation == "cancel-rsvp" { // there must be something to cancel
		for n := range rsvps {
			if err := functions["create-rsvp"](context.Background(), partition(n)); err != nil {
				log.Fatal(err)
			}
		}
	}
	lambda.Start(&handler{function: functions[operation]})
}

type item = map[string]types.AttributeValue

func key(pk, sk string) item { return item{"pk": text(pk), "sk": text(sk)} }

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
