// Command sdk makes the DynamoDB calls of one of the functions, which OPERATION
// names, with fixed values, and answers fixed bytes.
package main

import (
	"context"
	"os"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var answer = []byte(`{"statusCode":200,"headers":{"Content-Type":"application/json"},"body":"{\"status\":\"ok\"}"}`)

type function func(context.Context) error

func (f function) Invoke(ctx context.Context, _ []byte) ([]byte, error) { return answer, f(ctx) }

func main() {
	table, event := aws.String(os.Getenv("TABLE_NAME")), os.Getenv("EVENT")
	client := dynamodb.New(dynamodb.Options{
		Region:       os.Getenv("AWS_REGION"),
		BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: os.Getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY")}, nil
		}),
	})
	get := func(ctx context.Context) error {
		_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key(event, "DETAILS"), ConsistentRead: aws.Bool(true)})
		return err
	}
	query := func(ctx context.Context, condition string) error {
		_, err := client.Query(ctx, &dynamodb.QueryInput{
			TableName:                 table,
			ConsistentRead:            aws.Bool(true),
			KeyConditionExpression:    &condition,
			ExpressionAttributeValues: item{":pk": text(event), ":rsvp": text("RSVP#")},
		})
		return err
	}
	transact := func(ctx context.Context, writes ...types.TransactWriteItem) error {
		_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
		return err
	}
	// Conditions that always hold, for writes that can be repeated.
	const always = "attribute_exists(pk) OR attribute_not_exists(pk)"
	put := func(sk string, i item) types.TransactWriteItem {
		i["pk"], i["sk"] = text("FLOOR"), text(sk)
		return types.TransactWriteItem{Put: &types.Put{TableName: table, Item: i, ConditionExpression: aws.String(always)}}
	}
	update := func(sk, expression string, values item) types.TransactWriteItem {
		return types.TransactWriteItem{Update: &types.Update{
			TableName: table, Key: key("FLOOR", sk), UpdateExpression: &expression,
			ConditionExpression: aws.String(always), ExpressionAttributeValues: values,
		}}
	}
	remove := func(sk string) types.TransactWriteItem {
		return types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: key("FLOOR", sk), ConditionExpression: aws.String(always)}}
	}
	guest := func() item {
		return item{"name": text("A guest"), "createdAt": number("1"), "expiresAt": number("4081377600")}
	}

	functions := map[string]function{
		"health":    get,
		"get-event": func(ctx context.Context) error { return query(ctx, "pk = :pk AND sk < :rsvp") },
		"list-attendees": func(ctx context.Context) error {
			if err := query(ctx, "pk = :pk AND sk < :rsvp"); err != nil {
				return err
			}
			return query(ctx, "pk = :pk AND begins_with(sk, :rsvp)")
		},
		"create-rsvp": func(ctx context.Context) error {
			if err := get(ctx); err != nil {
				return err
			}
			return transact(ctx, put("RSVP#0", guest()), update("GATE#0", "ADD admitted :one", item{":one": number("1")}))
		},
		"cancel-rsvp": func(ctx context.Context) error {
			return transact(ctx, remove("RSVP#0"), update("GATE#0", "ADD admitted :one", item{":one": number("-1")}))
		},
		"create-event": func(ctx context.Context) error {
			details := put("DETAILS", item{
				"title": text("Garden party"), "dateTime": text("2099-05-01T19:00:00+02:00"), "timezone": text("Europe/Berlin"),
				"organizerTokenHash": &types.AttributeValueMemberB{Value: make([]byte, 32)},
				"cancelled":          &types.AttributeValueMemberBOOL{}, "createdAt": number("1"), "expiresAt": number("4081377600"),
			}).Put
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: details.TableName, Item: details.Item, ConditionExpression: details.ConditionExpression,
			})
			return err
		},
		"cancel-event": func(ctx context.Context) error {
			if err := get(ctx); err != nil {
				return err
			}
			yes := item{":yes": &types.AttributeValueMemberBOOL{Value: true}}
			writes := []types.TransactWriteItem{update("DETAILS", "SET cancelled = :yes", yes)}
			for gate := range 16 {
				writes = append(writes, update("GATE#"+strconv.Itoa(gate), "SET closed = :yes", yes))
			}
			return transact(ctx, writes...)
		},
	}
	lambda.Start(functions[os.Getenv("OPERATION")])
}

type item = map[string]types.AttributeValue

func key(pk, sk string) item { return item{"pk": text(pk), "sk": text(sk)} }

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
