package main

import (
	"log/slog"
	"net/http"
	"os"
	_ "time/tzdata" // dates are shown in their zone, and Lambda has none

	"turnout/internal/boot"
	"turnout/internal/event"
	"turnout/internal/site"
)

func main() {
	boot.Serve(func(s *event.Service, log *slog.Logger) http.Handler {
		return site.NewPreview(s, log, os.Getenv("SITE_URL"))
	})
}
