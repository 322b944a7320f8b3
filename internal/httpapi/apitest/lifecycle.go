package apitest

import (
	"maps"
	"net/http"
	"strings"
)

func lifecycle(c client) {
	body := FullEvent(nil)
	SetsEvery(c.T, "CreateEventInput", body)
	created := c.send(CreateEvent(body)).is(http.StatusCreated)
	e := eventFixture{c, Event{created.text("eventToken"), created.text("organizerToken")}}
	created.equals(Object{
		"eventToken": e.Token, "organizerToken": e.Organizer,
		"title": body["title"], "dateTime": body["dateTime"], "timezone": body["timezone"],
	})

	seen := maps.Clone(body)
	seen["eventToken"] = e.Token
	seen["attendeeCount"] = 0
	seen["cancelled"] = false
	seen["cancellationReason"] = nil
	c.send(GetEvent(e.Token)).is(http.StatusOK).equals(seen)
	e.has()

	ada := e.guest("Ada Lovelace")
	grace := e.guest("Grace Hopper")
	e.has("Ada Lovelace", "Grace Hopper")

	c.send(GetRSVP(e.Token, ada)).is(http.StatusOK).equals(Object{"name": "Ada Lovelace"})
	c.send(CancelRSVP(e.Token, ada)).is(http.StatusNoContent)
	c.send(GetRSVP(e.Token, ada)).isProblem(http.StatusNotFound, "rsvp-not-found")
	e.has("Grace Hopper")

	there := c.newEvent()
	cancel := Object{"cancelled": true, "cancellationReason": "Rain all day.", "movedTo": strings.ToUpper(there.Token)}
	SetsEvery(c.T, "CancelEventInput", cancel)
	cancel["title"] = "Another title" // the service ignores it, because cancelling is the only update
	c.send(CancelEvent(e.Token, e.Organizer, cancel)).is(http.StatusNoContent)
	seen["attendeeCount"] = 1
	seen["cancelled"] = true
	seen["cancellationReason"] = "Rain all day."
	seen["movedTo"] = there.Token
	SetsEvery(c.T, "PublicEvent", seen)
	c.send(GetEvent(e.Token)).is(http.StatusOK).equals(seen)

	c.send(CreateRSVP(e.Token, Object{"name": "Alan Turing"})).isProblem(http.StatusConflict, "event-cancelled")
	e.has("Grace Hopper")
	c.send(GetRSVP(e.Token, grace)).is(http.StatusOK).equals(Object{"name": "Grace Hopper"})
	c.send(CancelRSVP(e.Token, grace)).is(http.StatusNoContent)
	e.has()
}

func health(c client) {
	c.send(Health()).is(http.StatusOK).equals(Object{"status": "ok"})
}
