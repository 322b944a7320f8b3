package main

import (
	"log/slog"
	"net/http"
	_ "time/tzdata" // dates are shown in their zone, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/site/card"
)

func main() {
	boot.Serve(func(_ *environment.Variables, s *event.Service, log *slog.Logger) http.Handler {
		return card.NewHandler(s, log)
	})
}
