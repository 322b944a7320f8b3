package httpapi

import (
	"math"
	"net/http"

	"turnout/internal/event"
)

type attendeeList struct {
	Attendees []attendee `json:"attendees"`
}

type attendee struct {
	Name string `json:"name"`
}

// listAttendees answers 200, or 404, 403, the first that applies.
func listAttendees(s *event.Service, r *http.Request) (reply, error) {
	rsvps, _, err := s.Attendees(r.Context(), r.PathValue("eventToken"), organizerToken(r), event.Position{}, math.MaxInt)
	if err != nil {
		return reply{}, err
	}
	list := attendeeList{Attendees: make([]attendee, len(rsvps))}
	for i, rsvp := range rsvps {
		list.Attendees[i].Name = rsvp.Name
	}
	return reply{status: http.StatusOK, body: list}, nil
}
