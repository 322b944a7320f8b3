package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

type publicEvent struct {
	EventToken         string  `json:"eventToken"`
	Title              string  `json:"title"`
	Description        *string `json:"description,omitempty"`
	DateTime           string  `json:"dateTime"`
	Timezone           string  `json:"timezone"`
	Location           *string `json:"location,omitempty"`
	AttendeeCount      int     `json:"attendeeCount"`
	Cancelled          bool    `json:"cancelled"`
	CancellationReason *string `json:"cancellationReason"`
}

// getEvent answers 200, or 404.
func getEvent(s *event.Service, r *http.Request) (reply, error) {
	e, err := s.Event(r.Context(), r.PathValue("eventToken"))
	if err != nil {
		return reply{}, err
	}
	return reply{
		status: http.StatusOK,
		body: publicEvent{
			EventToken:         e.Token.String(),
			Title:              e.Title,
			Description:        e.Description,
			DateTime:           e.DateTime,
			Timezone:           e.Timezone,
			Location:           e.Location,
			AttendeeCount:      e.AttendeeCount,
			Cancelled:          e.Cancelled,
			CancellationReason: e.CancellationReason,
		},
	}, nil
}
