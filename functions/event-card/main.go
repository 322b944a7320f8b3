// Command event-card is the Lambda function behind GET /e/{eventToken}/card.png, the card that previews show.
package main

import (
	"log/slog"
	"net/http"
	_ "time/tzdata" // the card shows dates in the event's zone, and Lambda has no zones

	"turnout/internal/boot"
	"turnout/internal/environment"
	"turnout/internal/event"
	"turnout/internal/site/card"
)

func main() {
	boot.ServePages(func(s *event.Service, log *slog.Logger, _ *environment.Variables) http.Handler {
		return card.NewHandler(s, log)
	})
}
