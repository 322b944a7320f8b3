package apitest

import (
	"net/http"
	"strings"
)

func refusals(c client) {
	cancel, name := object{"cancelled": true}, object{"name": "Ada Lovelace"}
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
		event  heldEvent // must stay as it is
		call   call
		status int
		code   string
	}{
		{"get: unknown", active, call{method: "GET", path: "/events/" + unissued()}, 404, unknown},
		{"get: an organizer token", active, call{method: "GET", path: "/events/" + active.organizer}, 404, unknown},

		{"cancel: unknown", active, cancelEventCall(unissued(), active.organizer, cancel), 404, unknown},
		{"cancel: unknown without a token", active, call{method: "PATCH", path: "/events/" + unissued(), body: cancel}, 404, unknown},
		{"cancel: wrong token", active, cancelEventCall(active.token, unissued(), cancel), 403, forbidden},
		{"cancel: the event's token", active, cancelEventCall(active.token, active.token, cancel), 403, forbidden},
		{"cancel: another organizer's token", active, cancelEventCall(active.token, expired.organizer, cancel), 403, forbidden},
		{"cancel: cancelled", cancelled, cancelEventCall(cancelled.token, cancelled.organizer, cancel), 409, "event-already-cancelled"},
		{"cancel: cancelled and expired", both, cancelEventCall(both.token, both.organizer, cancel), 409, "event-already-cancelled"},
		{"cancel: cancelled, wrong token", cancelled, cancelEventCall(cancelled.token, unissued(), cancel), 403, forbidden},
		{"cancel: expired, wrong token", expired, cancelEventCall(expired.token, unissued(), cancel), 403, forbidden},

		{"list: unknown", active, listAttendeesCall(unissued(), active.organizer), 404, unknown},
		{"list: unknown without a token", active, call{method: "GET", path: "/events/" + unissued() + "/attendees"}, 404, unknown},
		{"list: wrong token", active, listAttendeesCall(active.token, unissued()), 403, forbidden},
		{"list: the event's token", active, listAttendeesCall(active.token, active.token), 403, forbidden},
		{"list: cancelled, wrong token", cancelled, listAttendeesCall(cancelled.token, unissued()), 403, forbidden},
		{"list: expired, wrong token", expired, listAttendeesCall(expired.token, unissued()), 403, forbidden},

		{"rsvp: unknown", active, createRSVPCall(unissued(), name), 404, unknown},
		{"rsvp: cancelled", cancelled, createRSVPCall(cancelled.token, name), 409, "event-cancelled"},
		{"rsvp: expired", expired, createRSVPCall(expired.token, name), 409, "event-expired"},
		{"rsvp: cancelled and expired", both, createRSVPCall(both.token, name), 409, "event-cancelled"},
	} {
		row.event.unchanged(row.name, func(c client) {
			c.send(row.call).isProblem(row.status, row.code)
		})
	}

	c.test("what a state does not forbid is allowed", func(c client) {
		for _, e := range []heldEvent{cancelled, expired, both} {
			c.getEvent(e.token).is(http.StatusOK)
			c.listAttendees(e.token, e.organizer).is(http.StatusOK)
			c.cancelRSVP(e.token, unissued()).is(http.StatusNoContent)
		}
	})
}

// orderOfRefusals gives each call one fault more than the refusal it expects.
func orderOfRefusals(c client) {
	tooLong := raw(strings.Repeat(" ", maxBody+1))
	e := c.newEvent()
	cancelled := c.newEvent().cancel()
	for _, row := range []struct {
		name   string
		call   call
		status int
		code   string
	}{
		{"404 for the path before 405 and 415", call{method: "PUT", path: "/nothing", contentType: "text/plain", body: tooLong}, 404, ""},
		{"405 before 415", call{method: "PUT", path: "/events", contentType: "text/plain", body: tooLong}, 405, ""},

		{"create: 415 before 413", call{method: "POST", path: "/events", contentType: "text/plain", body: tooLong}, 415, ""},
		{"create: 413 before 400", call{method: "POST", path: "/events", body: tooLong}, 413, ""},

		{"rsvp: 415 before 413", call{method: "POST", path: "/events/" + unissued() + "/rsvps", contentType: "text/plain", body: tooLong}, 415, ""},
		{"rsvp: 413 before 400", createRSVPCall(unissued(), tooLong), 413, ""},
		{"rsvp: 400 before 404", createRSVPCall(unissued(), object{}), 400, "validation-failed"},
		{"rsvp: 400 before 404 for a token that is no UUID", createRSVPCall("unknown", object{}), 400, "validation-failed"},
		{"rsvp: 400 before 409", createRSVPCall(cancelled.token, object{}), 400, "validation-failed"},

		{"cancel: 415 before 413", call{method: "PATCH", path: "/events/" + unissued(), contentType: "text/plain", body: tooLong}, 415, ""},
		{"cancel: 413 before 400", cancelEventCall(unissued(), "", tooLong), 413, ""},
		{"cancel: 400 before 404", cancelEventCall(unissued(), "", object{}), 400, "validation-failed"},
		{"cancel: 400 before 403", cancelEventCall(e.token, unissued(), object{}), 400, "validation-failed"},
		{"cancel: 400 before 409", cancelEventCall(cancelled.token, cancelled.organizer, object{}), 400, "validation-failed"},
		{"cancel: 404 before 403", cancelEventCall(unissued(), "", object{"cancelled": true}), 404, "event-not-found"},
		{"cancel: 403 before 409", cancelEventCall(cancelled.token, "", object{"cancelled": true}), 403, "invalid-organizer-token"},

		{"list: 404 before 403", listAttendeesCall(unissued(), ""), 404, "event-not-found"},
	} {
		e.unchanged(row.name, func(c client) {
			c.send(row.call).isProblem(row.status, row.code)
		})
	}
}
