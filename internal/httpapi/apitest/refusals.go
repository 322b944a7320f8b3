package apitest

import (
	"strings"

	"github.com/google/uuid"
)

// A refusal is a call whose response is a problem.
type refusal struct {
	name   string
	event  eventFixture // the event that the call must leave unchanged
	call   Call
	status int
	code   string
}

func (r refusal) check() {
	r.event.unchanged(r.name, func(c client) { c.send(r.call).isProblem(r.status, r.code) })
}

func refusals(c client) {
	cancel, name := Object{"cancelled": true}, Object{"name": "Ada Lovelace"}
	active, cancelled, expired := c.newEvent(), c.newEvent(), c.createFixture(EventBody(Object{"dateTime": inDays(-8)}))
	grace := active.guest("Grace Hopper")
	cancelled.guest("Grace Hopper")
	cancelled.cancel()

	const (
		unknown   = "event-not-found"
		forbidden = "invalid-organizer-token"
	)
	for _, row := range []refusal{
		{"get: unknown", active, GetEvent(unissued()), 404, unknown},

		{"cancel: unknown", active, CancelEvent(unissued(), active.Organizer, cancel), 404, unknown},
		{"cancel: malformed", active, CancelEvent("1", active.Organizer, Object{"cancelled": true, "movedTo": uuid.Nil}), 404, unknown},
		{"cancel: wrong token", active, CancelEvent(active.Token, unissued(), cancel), 403, forbidden},
		{"cancel: cancelled", cancelled, CancelEvent(cancelled.Token, cancelled.Organizer, cancel), 409, "event-already-cancelled"},

		{"list: unknown", active, ListAttendees(unissued(), active.Organizer), 404, unknown},
		{"list: wrong token", active, ListAttendees(active.Token, unissued()), 403, forbidden},

		{"read an RSVP: unknown event", active, GetRSVP(unissued(), grace), 404, unknown},
		{"read an RSVP: unknown", active, GetRSVP(active.Token, unissued()), 404, "rsvp-not-found"},
		{"read an RSVP: of another event", cancelled, GetRSVP(cancelled.Token, grace), 404, "rsvp-not-found"},

		{"rsvp: unknown", active, CreateRSVP(unissued(), name), 404, unknown},
		{"rsvp: cancelled", cancelled, CreateRSVP(cancelled.Token, name), 409, "event-cancelled"},
		{"rsvp: expired", expired, CreateRSVP(expired.Token, name), 409, "event-expired"},
	} {
		row.check()
	}
}

// orderOfRefusals: each call has a second fault, besides the fault that the response reports.
func orderOfRefusals(c client) {
	tooLong := Raw(strings.Repeat(" ", maxBody+1))
	e := c.newEvent()
	for _, row := range []refusal{
		{"404 for the path before 405 and 415", e, Call{Method: "PUT", Path: "/nothing", ContentType: "text/plain", Body: tooLong}, 404, ""},
		{"405 before 415", e, Call{Method: "PUT", Path: "/events", ContentType: "text/plain", Body: tooLong}, 405, ""},

		{"405 before 404 for the event", e, Call{Method: "PUT", Path: "/events/" + unissued()}, 405, ""},

		{"create: 415 before 413", e, Call{Method: "POST", Path: "/events", ContentType: "text/plain", Body: tooLong}, 415, ""},
		{"create: 413 before 400", e, CreateEvent(tooLong), 413, ""},

		{"rsvp: 413 before 400", e, CreateRSVP(unissued(), tooLong), 413, ""},
		{"rsvp: 400 before 404", e, CreateRSVP(unissued(), Object{}), 400, "validation-failed"},
		{"rsvp: 400 before 404 for no UUID", e, CreateRSVP("1", Object{}), 400, "validation-failed"},

		{"cancel: 413 before 400", e, CancelEvent(unissued(), "", tooLong), 413, ""},
		{"cancel: 400 before 403", e, CancelEvent(e.Token, unissued(), Object{}), 400, "validation-failed"},
		{"cancel: 400 before 404 for no UUID", e, CancelEvent("1", "", Object{}), 400, "validation-failed"},
	} {
		row.check()
	}
}
