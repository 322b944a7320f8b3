package apitest

import (
	"fmt"
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

	// Two guests can have the same name; their tokens differ.
	if e.guest("Ada Lovelace") == token {
		c.Error("two RSVPs share a token")
	}
	e.has("Ada Lovelace", "Ada Lovelace")

	// Location is where the RSVP is deleted.
	deletion := c.follow(a)
	deletion.Method = "DELETE"
	c.send(deletion).is(http.StatusNoContent)
	e.has("Ada Lovelace")
}

func orderOfGuests(c client) {
	e := c.newEvent()
	var names, tokens []string
	for i := range 12 {
		// The names are in neither alphabetical nor numerical order.
		names = append(names, fmt.Sprintf("Guest number %d", i*7%12))
		tokens = append(tokens, e.guest(names[i]))
	}
	e.has(names...)
	c.send(CancelRSVP(e.Token, tokens[5])).is(http.StatusNoContent)
	e.has(append(names[:5:5], names[6:]...)...)
}

func cancelRSVP(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	grace := e.guest("Grace Hopper")
	e.guest("Alan Turing")
	for range 3 {
		c.send(CancelRSVP(e.Token, grace)).is(http.StatusNoContent)
		e.has("Ada Lovelace", "Alan Turing")
	}
	// A guest who cancelled can RSVP again, at the end of the list.
	e.guest("Grace Hopper")
	e.has("Ada Lovelace", "Alan Turing", "Grace Hopper")
}

func cancelNoRSVP(c client) {
	e, other := c.newEvent(), c.newEvent()
	mine, theirs := e.guest("Ada Lovelace"), other.guest("Grace Hopper")
	for _, row := range []struct{ name, event, rsvp string }{
		{"an unknown RSVP", e.Token, unissued()},
		{"an RSVP of another event", e.Token, theirs},
		{"an RSVP under an unknown event", unissued(), mine},
		{"an RSVP that is not a UUID", e.Token, "mine"},
		{"an event that is not a UUID", "mine", mine},
		{"the event's own token", e.Token, e.Token},
		{"the organizer's token", e.Token, e.Organizer},
		{"the tokens the wrong way round", mine, e.Token},
	} {
		e.unchanged(row.name, func(client) {
			other.unchanged("of either event", func(c client) {
				c.send(CancelRSVP(row.event, row.rsvp)).is(http.StatusNoContent)
			})
		})
	}
}

func badCursors(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	list := ListAttendees(e.Token, e.Organizer)
	good := strings.Repeat("A", 32) // before every RSVP of today
	for name, query := range map[string]string{
		"empty":              "&cursor=",
		"a word":             "&cursor=next",
		"short":              "&cursor=" + good[1:],
		"standard alphabet":  "&cursor=" + good[1:] + "%2B",
		"padded":             "&cursor=" + good[1:] + "=",
		"a line break more":  "&cursor=" + good + "%0A",
		"twice":              "&cursor=" + good + "&cursor=" + good,
		"a wrong token also": "x&cursor=",
		"a broken escape":    "&cursor=" + good[1:] + "%4",
		"with a semicolon":   "&cursor=" + good + ";x=1",
	} {
		e.unchanged(name, func(c client) {
			k := list
			k.Query += query
			c.send(k).isInvalid([2]string{"cursor", "must be that of a Link header, sent once"})
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
