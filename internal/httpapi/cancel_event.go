package httpapi

import (
	"net/http"

	"turnout/internal/event"
)

// cancelEvent responds with 204. In case of several errors, the first of 400, 404, 403, 422 and 409 applies.
func cancelEvent(s *event.Service, r *http.Request) (reply, error) {
	var body event.CancelEventInput
	err := decode(r, members{
		"cancelled":          &body.Cancelled,
		"cancellationReason": &body.Reason,
		"movedTo":            &body.MovedTo,
	})
	if err != nil {
		return reply{}, err
	}
	err = s.CancelEvent(r.Context(), r.PathValue("eventToken"), organizerToken(r.URL.Query()), body, idempotencyKey(r))
	return reply{status: http.StatusNoContent}, err
}
