package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

type storedRSVP struct {
	Name string `json:"name"`
}

// getRSVP responds with 200, or with the error 404.
func getRSVP(s *event.Service, r *http.Request) (reply, error) {
	name, err := s.GetRSVP(r.Context(), r.PathValue("eventToken"), r.PathValue("rsvpToken"))
	return reply{status: http.StatusOK, body: storedRSVP{name}}, err
}
