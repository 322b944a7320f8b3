package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"turnout/internal/event"
)

type healthy struct {
	Status string `json:"status"`
}

// health responds with 200 if the store is healthy, and with 503 otherwise, whatever the error.
func health(s *event.Service, r *http.Request) (reply, error) {
	err := s.Store.Health(r.Context())
	if err != nil && !errors.Is(err, event.ErrUnavailable) {
		err = fmt.Errorf("%w: %w", event.ErrUnavailable, err)
	}
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: healthy{Status: "ok"}}, nil
}
