package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// tokenForms: the service accepts tokens in upper case, and returns them in lower case.
func tokenForms(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	upper := strings.ToUpper
	if got := c.send(GetEvent(upper(e.Token))).is(http.StatusOK).text("eventToken"); got != e.Token {
		c.Errorf("answered as %s, want %s", got, e.Token)
	}
	c.send(ListAttendees(upper(e.Token), upper(e.Organizer))).is(http.StatusOK)

	a := c.send(CreateRSVP(upper(e.Token), Object{"name": "Grace Hopper"})).is(http.StatusCreated)
	grace := a.text("rsvpToken")
	if got := c.follow(a).Path; got != "/events/"+e.Token+"/rsvps/"+grace {
		c.Errorf("Location leads to %s", got)
	}
	c.send(GetRSVP(upper(e.Token), upper(grace))).is(http.StatusOK)
	c.send(CancelRSVP(upper(e.Token), upper(grace))).is(http.StatusNoContent)
	e.has("Ada Lovelace")
	there := unissued()
	move := Object{"cancelled": true, "movedTo": upper(there)}
	c.send(CancelEvent(upper(e.Token), upper(e.Organizer), move)).is(http.StatusNoContent)
	if got := e.public(); got["movedTo"] != there || got["cancellationReason"] != nil {
		c.Errorf("moved to %v because of %v", got["movedTo"], got["cancellationReason"])
	}
}

func organizerTokens(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	good := "organizerToken=" + e.Organizer

	for name, query := range map[string]string{
		"other parameters besides": "a=1&" + good + "&b=&c",
		"under escapes":            "%6FrganizerToken=" + strings.ReplaceAll(e.Organizer, "-", "%2D"),
	} {
		e.unchanged("accepted: "+name, func(c client) {
			c.send(Call{Method: "GET", Path: "/events/" + e.Token + "/attendees", Query: query}).is(http.StatusOK)
		})
	}

	for _, row := range []struct{ name, query string }{
		{"no query", ""},
		{"empty", "organizerToken="},
		{"under a name in upper case", "ORGANIZERTOKEN=" + e.Organizer},
		{"a wrong one", organizerQuery(unissued())},
		{"the same twice", good + "&" + good},
		{"escaped twice", "organizerToken=" + strings.ReplaceAll(e.Organizer, "-", "%252D")},
		{"a broken escape", good + "%2"},
		{"invalid UTF-8", good + "%FF"},
		{"a semicolon behind", good + ";x=1"},
	} {
		e.unchanged("refused: "+row.name, func(c client) {
			for _, k := range []Call{
				{Method: "GET", Path: "/events/%s/attendees"},
				{Method: "PATCH", Path: "/events/%s", Body: Object{"cancelled": true}},
			} {
				path := k.Path
				k.Query = row.query
				k.Path = fmt.Sprintf(path, e.Token)
				c.send(k).isProblem(http.StatusForbidden, "invalid-organizer-token")
				k.Path = fmt.Sprintf(path, unissued())
				c.send(k).isProblem(http.StatusNotFound, "event-not-found")
			}
		})
	}
}
