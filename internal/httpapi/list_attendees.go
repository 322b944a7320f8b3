package httpapi

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"turnout/internal/event"
	"turnout/internal/middleware"
)

// listAttendees responds with 200. In case of several errors, the first of 404 and 403 applies.
func listAttendees(s *event.Service, r *http.Request) (answer reply, err error) {
	eventToken, organizer := r.PathValue("eventToken"), organizerToken(r.URL.Query())
	l := beginList(eventToken)
	defer func() {
		if answer.body == nil { // an error or a panic
			l.end()
		}
	}()
	err = s.ListAttendees(r.Context(), eventToken, organizer, l.add)
	if err == errNeedsTurn {
		// Wait after the store has ended its read, and read again.
		if l.drop(); !l.takeTurn(r.Context().Done()) {
			return reply{}, event.ErrUnavailable
		}
		err = s.ListAttendees(r.Context(), eventToken, organizer, l.add)
	}
	if err != nil {
		return reply{}, err
	}
	body := l.encode()
	if !middleware.Fits(r.Context(), body) {
		return reply{}, errListTooLong
	}
	if err := l.send(len(body)); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, body: encoded(body), sent: l.end}, nil
}

// encode returns the body of the response, and releases the RSVPs.
func (l *list) encode() []byte {
	slices.SortFunc(l.rsvps, event.RSVP.Compare)
	b := append(make([]byte, 0, l.size+64), `{"attendees":[`...)
	for i, r := range l.rsvps {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"name":`...)
		b, _ = jsontext.AppendQuote(b, r.Name) // the error would be invalid UTF-8, which it replaces
		b = append(b, '}')
	}
	l.rsvps = nil
	return append(b, "]}\n"...)
}
