package httpapi

import (
	"net/http"
	"strings"

	"turnout/internal/event"
)

type createdRSVP struct {
	RSVPToken event.Token `json:"rsvpToken"`
	Name      string      `json:"name"`
}

// createRSVP responds with 201. In case of several errors, the first of 400, 404, 422 and 409 applies.
func createRSVP(s *event.Service, r *http.Request) (reply, error) {
	var body event.CreateRSVPInput
	if err := decode(r, members{"name": &body.Name}); err != nil {
		return reply{}, err
	}
	eventToken := r.PathValue("eventToken")
	token, name, err := s.CreateRSVP(r.Context(), eventToken, body, idempotencyKey(r))
	if err != nil {
		return reply{}, err
	}
	return reply{
		status:   http.StatusCreated,
		location: "/api/events/" + strings.ToLower(eventToken) + "/rsvps/" + token.String(),
		body:     createdRSVP{token, name},
	}, nil
}
