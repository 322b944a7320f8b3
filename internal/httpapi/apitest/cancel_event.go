package apitest

import "net/http"

func cancelEvent(c client) {
	c.test("it stays readable and keeps its guests", func(c client) {
		e := c.newEvent()
		e.guest("Ada Lovelace")
		before := c.getEvent(e.Token).is(http.StatusOK).object()
		c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": "Rain all day."}).is(http.StatusNoContent)
		before["cancelled"] = true
		before["cancellationReason"] = "Rain all day."
		c.getEvent(e.Token).is(http.StatusOK).equals(before)
		e.has("Ada Lovelace")
	})

	c.test("guests can still cancel their RSVPs", func(c client) {
		e := c.newEvent()
		ada := e.guest("Ada Lovelace")
		e.guest("Grace Hopper")
		e.cancel()
		c.cancelRSVP(e.Token, ada).is(http.StatusNoContent)
		e.has("Grace Hopper")
	})

	c.test("one that has expired can be cancelled", func(c client) {
		e := c.pastEvent().cancel()
		if c.getEvent(e.Token).is(http.StatusOK).object()["cancelled"] != true {
			c.Error("it is not cancelled")
		}
	})

	e := c.newEvent()
	c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": "Rain all day."}).is(http.StatusNoContent)
	for name, body := range map[string]Object{
		"it cannot be repeated":                   {"cancelled": true},
		"it cannot be repeated with a new reason": {"cancelled": true, "cancellationReason": "Snow all night."},
	} {
		e.unchanged(name, func(c client) {
			c.cancelEvent(e.Token, e.Organizer, body).isProblem(http.StatusConflict, "event-already-cancelled")
		})
	}
	e.unchanged("it cannot be undone", func(c client) {
		c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": false}).
			isInvalid([2]string{"cancelled", "must be true: cancelling is the only update, and it is final"})
	})

	c.test("other members update nothing", func(c client) {
		e := c.newEvent()
		before := c.getEvent(e.Token).is(http.StatusOK).object()
		c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "title": "Another title"}).is(http.StatusNoContent)
		before["cancelled"] = true
		c.getEvent(e.Token).is(http.StatusOK).equals(before)
	})
}
