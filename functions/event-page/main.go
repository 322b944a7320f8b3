// Command event-page is the Lambda function behind GET /e/{eventToken}, and below it event.ics and qr.svg.
package main

import (
	"log/slog"
	"net/http"
	_ "time/tzdata" // the page shows dates in the event's zone, and Lambda has no zones

	"turnout/internal/boot"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/eventpage"
)

func main() {
	boot.ServePages(func(s *event.Service, log *slog.Logger, env *environment.Variables) http.Handler {
		return eventpage.NewHandler(s, log, site.Config{About: env.Link("ABOUT_URL")})
	})
}
