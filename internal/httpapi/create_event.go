package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

type createdEvent struct {
	EventToken     event.Token `json:"eventToken"`
	OrganizerToken event.Token `json:"organizerToken"`
	Title          string      `json:"title"`
	DateTime       string      `json:"dateTime"`
	Timezone       string      `json:"timezone"`
}

// createEvent responds with 201, or with the error 400 or 422.
func createEvent(s *event.Service, r *http.Request) (reply, error) {
	body, into := event.NewCreateEventInput(), members{}
	for name, field := range body {
		into[name] = field
	}
	if err := decode(r, into); err != nil {
		return reply{}, err
	}
	e, organizer, err := s.CreateEvent(r.Context(), body, idempotencyKey(r))
	if err != nil {
		return reply{}, err
	}
	return reply{
		status:   http.StatusCreated,
		location: "/api/events/" + e.Token.String(),
		body:     createdEvent{e.Token, organizer, e.Title, e.DateTime, e.Timezone},
	}, nil
}
