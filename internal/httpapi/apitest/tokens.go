package apitest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// tokenForms: upper case is accepted and returned in lower case.
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
	c.send(CancelEvent(upper(e.Token), upper(e.Organizer), Object{"cancelled": true})).is(http.StatusNoContent)
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

// privacy looks for each secret in every answer but the one that issues it.
func privacy(c client) {
	e := c.newEvent()
	const name = "Ada Lovelace"
	ada := e.guest(name)
	grace := e.guest("Grace Hopper")
	cancelled := c.newEvent().cancel()
	secrets := []string{e.Organizer, ada, grace, name, cancelled.Organizer}

	for _, k := range []Call{
		{Method: "GET", Path: "/events/" + e.Token},
		{Method: "GET", Path: "/events/" + e.Token, Query: organizerQuery(e.Organizer)},
		{Method: "HEAD", Path: "/events/" + e.Token, Query: organizerQuery(e.Organizer)},
		{Method: "GET", Path: "/events/" + e.Token + "/rsvps", Query: organizerQuery(e.Organizer)},
		GetRSVP(e.Token, unissued()),
		GetRSVP(cancelled.Token, ada),
		GetRSVP(e.Organizer, ada),
		CreateRSVP(e.Token, Object{"name": "Alan Turing"}),
		CreateRSVP(e.Token, Object{"name": name + strings.Repeat("!", 100)}),
		CreateRSVP(cancelled.Token, Object{"name": name}),
		ListAttendees(e.Token, unissued()),
		ListAttendees(e.Organizer, e.Token),
		CancelEvent(e.Token, e.Organizer, Object{"cancelled": name}),
		CancelEvent(e.Token, ada, Object{"cancelled": true}),
		CancelEvent(cancelled.Token, cancelled.Organizer, Object{"cancelled": true}),
		CancelRSVP(e.Token, unissued()),
	} {
		c.test(strings.NewReplacer(e.Token, "{eventToken}", ada, "{rsvpToken}").Replace(k.Method+" "+k.Path), func(c client) {
			a := c.send(k)
			content := append(fmt.Append(nil, a.Header), a.Body...)
			for _, secret := range secrets {
				if bytes.Contains(content, []byte(secret)) {
					a.fatalf("the answer contains %q", secret)
				}
			}
		})
	}
}
