package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// completeCall returns a call with everything that any endpoint needs. The call would succeed if the service took the
// path for an endpoint's.
func completeCall(method, path string, e eventFixture) Call {
	k := Call{Method: method, Path: path, Query: organizerQuery(e.Organizer)}
	if method == http.MethodPost || method == http.MethodPatch {
		k.Body = EventBody(Object{"name": "Grace Hopper", "cancelled": true})
	}
	return k
}

func unknownPaths(c client) {
	e := c.newEvent()
	ada := e.guest("Ada Lovelace")
	event := "/events/" + e.Token
	nameOf := strings.NewReplacer(e.Token, "{eventToken}", ada, "{rsvpToken}")
	for _, path := range []string{
		"",
		"/",
		"/api/events",
		"/Events",
		event + "/attendees/1",
		strings.Repeat("/a", 300),

		// The service neither cleans paths nor redirects to clean paths.
		"/events/",
		"/events//" + e.Token,
		event + "/",
		event + "/rsvps//" + ada,
		"/./events",
		"/events/.",
		"/events/..",
		event + "/rsvps/..",
		event + "/../" + e.Token,
		"/../api/health",

		// Escapes change nothing, because the service matches decoded paths.
		"/%2E/events",
		event + "/rsvps/%2e%2e/rsvps/" + ada,
		"/events/%2F" + e.Token,
		event + "%2fnothing",
		"/events%00",
		"/%65vents%2Fnothing%2Fnothing",
	} {
		e.unchanged(fmt.Sprintf("%.60q", nameOf.Replace(path)), func(c client) {
			for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
				c.send(completeCall(method, path, e)).isProblem(http.StatusNotFound, "")
			}
		})
	}
}

func hostileTokens(c client) {
	e := c.newEvent()
	ada := e.guest("Ada Lovelace")
	for _, row := range []struct {
		name string
		// spell returns a segment that begins with the token. A parser that cuts off the rest would accept the segment.
		spell func(token string) string
	}{
		{"a percent sign behind", func(t string) string { return t + "%25" }},
		{"a query behind", func(t string) string { return t + "%3ForganizerToken=" + e.Organizer }},
		{"a semicolon behind", func(t string) string { return t + ";v=1" }},
		{"NUL", func(string) string { return "%00" }},
		{"a header behind", func(t string) string { return t + "%0D%0AX-Injected:%20yes" }},
		{"invalid UTF-8 behind", func(t string) string { return t + "%FF" }},
		{"300 escapes", func(string) string { return strings.Repeat("%E2%82%AC", 300) }},
	} {
		e.unchanged(row.name, func(c client) {
			event, rsvp := row.spell(e.Token), row.spell(ada)
			for _, k := range []Call{
				completeCall("GET", "/events/"+event, e),
				completeCall("PATCH", "/events/"+event, e),
				completeCall("GET", "/events/"+event+"/attendees", e),
				completeCall("POST", "/events/"+event+"/rsvps", e),
			} {
				c.send(k).isProblem(http.StatusNotFound, "event-not-found")
			}
			c.send(GetRSVP(event, ada)).isProblem(http.StatusNotFound, "event-not-found")
			c.send(GetRSVP(e.Token, rsvp)).isProblem(http.StatusNotFound, "rsvp-not-found")
			c.send(CancelRSVP(event, ada)).is(http.StatusNoContent)
			c.send(CancelRSVP(e.Token, rsvp)).is(http.StatusNoContent)
		})
	}
}

// decodedPaths: a percent-encoded character that needs no encoding means the same as the character (RFC 3986, section
// 6.2.2.2).
func decodedPaths(c client) {
	e := c.newEvent()
	e.guest("Ada Lovelace")
	escaped := strings.ReplaceAll(e.Token, "-", "%2d")
	for _, path := range []string{
		"/%65vents/" + e.Token,
		"/events/" + escaped,
		"/%65%76%65%6E%74%73/" + escaped,
	} {
		c.test(path, func(c client) {
			if got := c.send(Call{Method: "GET", Path: path}).is(http.StatusOK).text("eventToken"); got != e.Token {
				c.Errorf("got the event %s, want %s", got, e.Token)
			}
		})
	}
}

func methods(c client) {
	e := c.newEvent()
	ada := e.guest("Ada Lovelace")
	tokens := strings.NewReplacer("{eventToken}", e.Token, "{rsvpToken}", ada)
	for path, item := range c.description.Paths.Map() {
		for _, method := range []string{"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"} {
			if item.GetOperation(method) != nil {
				continue
			}
			e.unchanged(method+" "+path, func(c client) {
				k := completeCall(method, tokens.Replace(path), e)
				c.send(k).is(http.StatusMethodNotAllowed) // checkHeader checks Allow
			})
		}
	}
}
