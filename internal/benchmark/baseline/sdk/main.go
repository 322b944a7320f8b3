// Command sdk is the baseline of the functions: an AWS SDK client that makes one call of
// each kind that they make, with fixed values, and responds with fixed bytes.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var answer = []byte(`{"statusCode":200,"headers":{"Content-Type":"application/json"},"body":"{\"status\":\"ok\"}"}`)

type handler struct{ *dynamodb.Client }

func (h handler) Invoke(ctx context.Context, _ []byte) ([]byte, error) {
	table, consistent, condition := aws.String(os.Getenv("TABLE_NAME")), aws.Bool(true), aws.String("pk = :pk")
	item := map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "EVENT#0"}, "sk": &types.AttributeValueMemberS{Value: "DETAILS"},
	}
	values := map[string]types.AttributeValue{":pk": item["pk"]}
	_, get := h.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: item, ConsistentRead: consistent})
	_, query := h.Query(ctx, &dynamodb.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    condition,
		ExpressionAttributeValues: values,
		ConsistentRead:            consistent,
	})
	_, put := h.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: item})
	_, write := h.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table, Item: item}},
	}})
	return answer, errors.Join(get, query, put, write)
}

func main() {
	lambda.Start(handler{dynamodb.New(dynamodb.Options{
		Region:       os.Getenv("AWS_REGION"),
		BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{
				AccessKeyID:     os.Getenv("AWS_ACCESS_KEY_ID"),
				SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
			}, nil
		}),
	})})
}
