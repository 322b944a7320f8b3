package main

import (
	"log/slog"
	"net/http"

	"turnout/internal/gateway"
	"turnout/internal/httpapi"
)

func main() {
	gateway.Start(func(log *slog.Logger) (http.Handler, error) { return httpapi.NotFound(log), nil })
}
