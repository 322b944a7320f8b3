package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

// getEvent answers 200, or 404.
func getEvent(s *event.Service, r *http.Request) (reply, error) {
	e, err := s.GetEvent(r.Context(), r.PathValue("eventToken"))
	return reply{status: http.StatusOK, body: e}, err
}
