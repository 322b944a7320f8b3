package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

// cancelRSVP answers 204, whether there was such an RSVP or not.
func cancelRSVP(s *event.Service, r *http.Request) (reply, error) {
	err := s.CancelRSVP(r.Context(), r.PathValue("eventToken"), r.PathValue("rsvpToken"))
	return reply{status: http.StatusNoContent}, err
}
