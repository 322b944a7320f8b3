// Command not-found is the Lambda function behind every request that no other function takes: 404 or 405.
package main

import (
	"log/slog"
	"net/http"

	"turnout/internal/environment"
	"turnout/internal/gateway"
	"turnout/internal/httpapi"
)

func main() {
	gateway.Start(func(env *environment.Variables, log *slog.Logger) (http.Handler, error) {
		return httpapi.RequireOriginSecret(env.Secrets("ORIGIN_SECRETS"), log, httpapi.NotFound(log)), env.Err()
	})
}
