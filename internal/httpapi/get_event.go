package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

// getEvent responds with 200, or with the error 404.
func getEvent(s *event.Service, r *http.Request) (reply, error) {
	e, err := s.GetEvent(r.Context(), r.PathValue("eventToken"))
	return reply{status: http.StatusOK, body: e}, err
}
