// Package boot starts the Lambda functions: environment, store, endpoint.
package boot

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"turnout/internal/dynamo"
	"turnout/internal/event"
	"turnout/internal/gateway"
	"turnout/internal/httpapi"
)

// Lambda serves one endpoint of the API. It never returns.
func Lambda(e httpapi.Endpoint) {
	Serve(func(s *event.Service, log *slog.Logger) http.Handler { return httpapi.New(s, log, e) })
}

// Serve serves what build makes of the table that the environment names. It never returns.
func Serve(build func(s *event.Service, log *slog.Logger) http.Handler) {
	gateway.Start(func(log *slog.Logger) (http.Handler, error) {
		config, err := DynamoDB(os.Getenv)
		if err != nil {
			return nil, err
		}
		config.Contended = countConflicts(log, config.Table)
		store := dynamo.Open(config)
		store.Connect(context.Background())
		return build(event.NewService(store), log), nil
	})
}

// DynamoDB reads from the environment where the table is. The error names every
// variable that is missing.
func DynamoDB(getenv func(string) string) (dynamo.Config, error) {
	var missing []string
	required := func(name string) string {
		value := getenv(name)
		if value == "" {
			missing = append(missing, name)
		}
		return value
	}
	config := dynamo.Config{
		Table:           required("TABLE_NAME"),
		Region:          required("AWS_REGION"),
		AccessKeyID:     required("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: required("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    getenv("AWS_SESSION_TOKEN"),
		Endpoint:        getenv("AWS_ENDPOINT_URL_DYNAMODB"),
	}
	if len(missing) > 0 {
		return dynamo.Config{}, fmt.Errorf("missing in the environment: %s", strings.Join(missing, ", "))
	}
	return config, nil
}
