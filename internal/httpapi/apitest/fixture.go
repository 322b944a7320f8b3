package apitest

import (
	"fmt"
	"maps"
	"net/http"
	"time"
)

// EventBody returns a body that creates an event. The members in changes replace or extend the body.
func EventBody(changes Object) Object {
	body := Object{
		"title":    "Garden party",
		"dateTime": inDays(30),
		"timezone": "Europe/Berlin",
	}
	maps.Copy(body, changes)
	return body
}

// FullEvent returns the sample event of all suites, a body with every member. The members in changes replace others.
func FullEvent(changes Object) Object {
	body := Object{
		"title":       "Rooftop supper",
		"dateTime":    "2099-12-12T19:30:00+01:00",
		"endDateTime": "2099-12-12T23:00:00+01:00",
		"timezone":    "Europe/Berlin",
		"location":    "Weserstraße 12, top floor, Berlin",
		"host":        "Mara & Jo",
		"language":    "en",
		"description": "Bring something warm to share – soup, bread, a story.\n\n" +
			"The door opens at seven. Directions: https://example.org/roof (no lift!).",
	}
	maps.Copy(body, changes)
	return body
}

// inDays returns the date-time that many days from now.
func inDays(days int) string {
	return time.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
}

// An Event holds both tokens of an event.
type Event struct{ Token, Organizer string }

// An eventFixture is an event that a test of the suite has created.
type eventFixture struct {
	c client
	Event
}

// newEvent creates an event that accepts RSVPs.
func (c client) newEvent() eventFixture {
	c.Helper()
	return c.createFixture(EventBody(nil))
}

// createFixture creates an event with this body.
func (c client) createFixture(body Object) eventFixture {
	c.Helper()
	a := c.send(CreateEvent(body)).is(http.StatusCreated)
	return eventFixture{c, Event{a.text("eventToken"), a.text("organizerToken")}}
}

// guest creates an RSVP and returns its token.
func (e eventFixture) guest(name string) string {
	e.c.Helper()
	return e.c.send(CreateRSVP(e.Token, Object{"name": name})).is(http.StatusCreated).text("rsvpToken")
}

// cancel cancels the event without a reason, and returns the event.
func (e eventFixture) cancel() eventFixture {
	e.c.Helper()
	e.c.send(CancelEvent(e.Token, e.Organizer, Object{"cancelled": true})).is(http.StatusNoContent)
	return e
}

// public returns the public details of the event.
func (e eventFixture) public() Object {
	e.c.Helper()
	return e.c.send(GetEvent(e.Token)).is(http.StatusOK).object()
}

// names returns the names on the organizer's list.
func (e eventFixture) names() []string {
	e.c.Helper()
	names := []string{}
	for _, a := range e.c.send(ListAttendees(e.Token, e.Organizer)).is(http.StatusOK).object()["attendees"].([]any) {
		names = append(names, a.(Object)["name"].(string))
	}
	return names
}

// has asserts that the event counts these guests, and lists them in this order.
func (e eventFixture) has(names ...string) {
	e.c.Helper()
	if got := e.public()["attendeeCount"]; got != float64(len(names)) {
		e.c.Fatalf("attendeeCount is %v, want %d", got, len(names))
	}
	if got := e.names(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", names) {
		e.c.Fatalf("attendees are %q, want %q", got, names)
	}
}

// unchanged runs a test, and asserts that the test has changed nothing readable of the event.
func (e eventFixture) unchanged(name string, test func(client)) {
	e.c.Helper()
	e.c.test(name, func(c client) {
		e.c = c
		before := e.everything()
		test(c)
		if diff := difference(before, e.everything()); diff != "" {
			c.Errorf("the event has changed: %s", diff)
		}
	})
}

func (e eventFixture) everything() Object {
	e.c.Helper()
	return Object{"public": e.public(), "attendees": e.names()}
}
