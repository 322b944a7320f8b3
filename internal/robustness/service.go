package robustness

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/uuid"

	"turnout/internal/dynamo"
	"turnout/internal/dynamo/dynamotest"
	"turnout/internal/event"
	"turnout/internal/httpapi"
)

// NewTable returns the configuration of a new table of DynamoDB Local.
func NewTable(t testing.TB) dynamo.Config {
	t.Helper()
	return NewTableAt(t, dynamotest.Endpoint(t))
}

// NewTableAt is NewTable at an endpoint.
func NewTableAt(t testing.TB, endpoint string) dynamo.Config {
	t.Helper()
	config := dynamo.Config{
		Endpoint:        endpoint,
		Table:           "robustness-" + uuid.NewString(),
		Region:          "eu-central-1", // a real one: others cost the SDK several regular expressions per call
		AccessKeyID:     "local",
		SecretAccessKey: "local",
	}
	if err := dynamo.Open(config).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	return config
}

// Serve serves the API on a store and returns a client of it.
func Serve(t testing.TB, store event.Store) Client {
	t.Helper()
	server := httptest.NewServer(Handler(event.NewService(store)))
	t.Cleanup(server.Close)
	return NewClient(t, server.URL+"/api")
}

// Handler is the whole API, without its log.
func Handler(s *event.Service) http.Handler {
	return httpapi.New(s, slog.New(slog.DiscardHandler), httpapi.Endpoints()...)
}
