package apitest

import "net/http"

func cancelEvent(c client) {
	c.test("guests can still cancel their RSVPs", func(c client) {
		e := c.newEvent()
		ada := e.guest("Ada Lovelace")
		e.guest("Grace Hopper")
		e.cancel()
		c.send(CancelRSVP(e.Token, ada)).is(http.StatusNoContent)
		e.has("Grace Hopper")
	})

	c.test("it changes nothing else, and the first reason stays", func(c client) {
		e := c.newEvent()
		want := e.public()
		want["cancelled"], want["cancellationReason"] = true, "Rain all day."
		body := Object{"cancelled": true, "cancellationReason": "Rain all day.", "title": "Another title"}
		c.send(CancelEvent(e.Token, e.Organizer, body)).is(http.StatusNoContent)
		c.send(GetEvent(e.Token)).is(http.StatusOK).equals(want)
		body["cancellationReason"] = "Snow all night."
		c.send(CancelEvent(e.Token, e.Organizer, body)).isProblem(http.StatusConflict, "event-already-cancelled")
		c.send(GetEvent(e.Token)).is(http.StatusOK).equals(want)
	})
}
