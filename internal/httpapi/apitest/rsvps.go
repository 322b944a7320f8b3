package apitest

import (
	"net/http"
	"strings"
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

func badCursors(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	list := ListAttendees(e.Token, e.Organizer)
	good := strings.Repeat("A", 32) // a cursor before every RSVP of today
	for name, query := range map[string]string{
		"empty":              "&cursor=",
		"a word":             "&cursor=next",
		"standard alphabet":  "&cursor=" + good[1:] + "%2B",
		"a line break more":  "&cursor=" + good + "%0A",
		"twice":              "&cursor=" + good + "&cursor=" + good,
		"a wrong token also": "x&cursor=",
		"a broken escape":    "&cursor=" + good[1:] + "%4",
		"with a semicolon":   "&cursor=" + good + ";x=1",
	} {
		e.unchanged(name, func(c client) {
			k := list
			k.Query += query
			c.send(k).isInvalid([2]string{"cursor", "must be the cursor of a Link header, sent once"})
		})
	}
	for cursor, names := range map[string][]Object{
		good:                          {{"name": "Ada Lovelace"}},
		"f" + strings.Repeat("_", 31): {},
	} {
		k := list
		k.Query += "&cursor=" + cursor
		a := c.send(k).is(http.StatusOK)
		a.equals(Object{"attendees": names})
		if link := a.Header.Get("Link"); link != "" {
			c.Errorf("a list that fits has the link %s", link)
		}
	}
}
