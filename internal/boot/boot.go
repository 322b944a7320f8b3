// Package boot starts the Lambda functions that use the table.
package boot

import (
	"context"
	"log/slog"
	"net/http"

	"turnout/internal/dynamo"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/gateway"
	"turnout/internal/httpapi"
)

// ServeEndpoint serves one endpoint of the API. It never returns.
func ServeEndpoint(e httpapi.Endpoint) {
	Serve(func(s *event.Service, log *slog.Logger) http.Handler { return httpapi.New(s, log, e) })
}

// Serve serves the handler returned by build, and requires one of the ORIGIN_SECRETS. It never
// returns.
func Serve(build func(*event.Service, *slog.Logger) http.Handler) {
	gateway.Start(func(env *environment.Variables, log *slog.Logger) (http.Handler, error) {
		return handler(env, log, build)
	})
}

func handler(
	env *environment.Variables, log *slog.Logger, build func(*event.Service, *slog.Logger) http.Handler,
) (http.Handler, error) {
	config := dynamo.ConfigFrom(env)
	secrets := env.Secrets("ORIGIN_SECRETS")
	if err := env.Err(); err != nil {
		return nil, err
	}
	store := dynamo.Open(config)
	store.Connect(context.Background())
	return httpapi.RequireOriginSecret(secrets, log, build(event.NewService(store), log)), nil
}
