// Command not-found answers the paths and methods that the API does not have.
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
