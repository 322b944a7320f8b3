package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

// cancelRSVP responds with 204, whether the RSVP existed or not.
func cancelRSVP(s *event.Service, r *http.Request) (reply, error) {
	err := s.CancelRSVP(r.Context(), r.PathValue("eventToken"), r.PathValue("rsvpToken"))
	return reply{status: http.StatusNoContent}, err
}
