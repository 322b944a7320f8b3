package apitest

import (
	"net/http"
	"strings"
)

func refusals(c client) {
	cancel, name := Object{"cancelled": true}, Object{"name": "Ada Lovelace"}
	active, cancelled, expired, both := c.newEvent(), c.newEvent(), c.pastEvent(), c.pastEvent()
	active.guest("Grace Hopper")
	cancelled.guest("Grace Hopper")
	cancelled.cancel()
	both.cancel()

	const (
		unknown   = "event-not-found"
		forbidden = "invalid-organizer-token"
	)
	for _, row := range []struct {
		name   string
		event  eventFixture // must be unchanged
		call   Call
		status int
		code   string
	}{
		{"get: unknown", active, GetEvent(unissued()), 404, unknown},
		{"get: an organizer token", active, GetEvent(active.Organizer), 404, unknown},

		{"cancel: unknown", active, CancelEvent(unissued(), active.Organizer, cancel), 404, unknown},
		{"cancel: wrong token", active, CancelEvent(active.Token, unissued(), cancel), 403, forbidden},
		{"cancel: cancelled", cancelled, CancelEvent(cancelled.Token, cancelled.Organizer, cancel), 409, "event-already-cancelled"},
		{"cancel: cancelled and expired", both, CancelEvent(both.Token, both.Organizer, cancel), 409, "event-already-cancelled"},

		{"list: unknown", active, ListAttendees(unissued(), active.Organizer), 404, unknown},
		{"list: wrong token", active, ListAttendees(active.Token, unissued()), 403, forbidden},

		{"rsvp: unknown", active, CreateRSVP(unissued(), name), 404, unknown},
		{"rsvp: cancelled", cancelled, CreateRSVP(cancelled.Token, name), 409, "event-cancelled"},
		{"rsvp: expired", expired, CreateRSVP(expired.Token, name), 409, "event-expired"},
		{"rsvp: cancelled and expired", both, CreateRSVP(both.Token, name), 409, "event-cancelled"},
	} {
		row.event.unchanged(row.name, func(c client) {
			c.send(row.call).isProblem(row.status, row.code)
		})
	}

	c.test("what a state does not forbid is allowed", func(c client) {
		for _, e := range []eventFixture{cancelled, expired, both} {
			c.send(GetEvent(e.Token)).is(http.StatusOK)
			c.send(ListAttendees(e.Token, e.Organizer)).is(http.StatusOK)
			c.send(CancelRSVP(e.Token, unissued())).is(http.StatusNoContent)
		}
	})
}

// orderOfRefusals: each call has a further fault besides the one that is reported. Package event tests
// the order of its own errors.
func orderOfRefusals(c client) {
	tooLong := Raw(strings.Repeat(" ", maxBody+1))
	e := c.newEvent()
	for _, row := range []struct {
		name   string
		call   Call
		status int
		code   string
	}{
		{"404 for the path before 405 and 415", Call{Method: "PUT", Path: "/nothing", ContentType: "text/plain", Body: tooLong}, 404, ""},
		{"405 before 415", Call{Method: "PUT", Path: "/events", ContentType: "text/plain", Body: tooLong}, 405, ""},

		{"405 before 404 for the event", Call{Method: "PUT", Path: "/events/" + unissued()}, 405, ""},

		{"create: 415 before 413", Call{Method: "POST", Path: "/events", ContentType: "text/plain", Body: tooLong}, 415, ""},
		{"create: 413 before 400", CreateEvent(tooLong), 413, ""},

		{"rsvp: 415 before 413", Call{Method: "POST", Path: "/events/" + unissued() + "/rsvps", ContentType: "text/plain", Body: tooLong}, 415, ""},
		{"rsvp: 413 before 400", CreateRSVP(unissued(), tooLong), 413, ""},
		{"rsvp: 400 before 404", CreateRSVP(unissued(), Object{}), 400, "validation-failed"},

		{"cancel: 415 before 413", Call{Method: "PATCH", Path: "/events/" + unissued(), ContentType: "text/plain", Body: tooLong}, 415, ""},
		{"cancel: 413 before 400", CancelEvent(unissued(), "", tooLong), 413, ""},
		{"cancel: 400 before 403", CancelEvent(e.Token, unissued(), Object{}), 400, "validation-failed"},
	} {
		e.unchanged(row.name, func(c client) {
			c.send(row.call).isProblem(row.status, row.code)
		})
	}
}
