package apitest

import (
	"net/http"
)

func createRSVP(c client) {
	e := c.newEvent()
	body := Object{"name": "Ada Lovelace"}
	SetsEvery(c.T, "CreateRSVPInput", body)
	a := c.send(CreateRSVP(e.Token, body)).is(http.StatusCreated)
	token := a.text("rsvpToken")
	created := Object{"rsvpToken": token, "name": "Ada Lovelace"}
	SetsEvery(c.T, "CreatedRSVP", created)
	a.equals(created)
	e.has("Ada Lovelace")

	e.guest("Ada Lovelace") // a second guest with the same name
	e.has("Ada Lovelace", "Ada Lovelace")

	// The URL in Location reads and cancels the RSVP.
	deletion := c.follow(a)
	c.send(deletion).is(http.StatusOK).equals(body)
	deletion.Method = "DELETE"
	c.send(deletion).is(http.StatusNoContent)
	e.has("Ada Lovelace")
}
