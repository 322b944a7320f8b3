package httpapi

import (
	"fmt"
	"net/http"

	"turnout/internal/event"
)

type healthy struct {
	Status string `json:"status"`
}

// health answers 200 once the store answers, and 503 until then, whatever keeps
// it from answering.
func health(s *event.Service, r *http.Request) (reply, error) {
	if err := s.Ready(r.Context()); err != nil {
		return reply{}, fmt.Errorf("%w: %w", event.ErrUnavailable, err)
	}
	return reply{status: http.StatusOK, body: healthy{Status: "ok"}}, nil
}
