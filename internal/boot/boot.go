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
	serve(func(s *dynamo.Store, log *slog.Logger, _ *environment.Variables) http.Handler {
		return httpapi.New(event.NewService(s), log, e)
	})
}

// ServePages serves the handler that build returns. The handler only reads events and variables. ServePages never
// returns.
func ServePages(build func(*event.Service, *slog.Logger, *environment.Variables) http.Handler) {
	serve(func(s *dynamo.Store, log *slog.Logger, env *environment.Variables) http.Handler {
		return build(event.NewService(reader{read: s.GetEvent}), log, env)
	})
}

// A reader is the store of pages. With html/template, the linker keeps every method of each type
// that becomes an interface: of a dynamo.Store and of the SDK's client in it, 2 MB.
type reader struct {
	event.Store // nil; its methods are not called
	read        func(context.Context, event.Token) (event.Event, error)
}

func (r reader) GetEvent(ctx context.Context, token event.Token) (event.Event, error) {
	return r.read(ctx, token)
}

// serve serves the handler that build returns, and refuses requests without one of the ORIGIN_SECRETS.
func serve(build func(*dynamo.Store, *slog.Logger, *environment.Variables) http.Handler) {
	gateway.Start(func(env *environment.Variables, log *slog.Logger) (http.Handler, error) {
		store, secrets := dynamo.Open(dynamo.ConfigFrom(env)), env.Secrets("ORIGIN_SECRETS")
		handler := httpapi.RequireOriginSecret(secrets, log, build(store, log, env))
		if err := env.Err(); err != nil {
			return nil, err
		}
		store.Connect(context.Background())
		return handler, nil
	})
}
