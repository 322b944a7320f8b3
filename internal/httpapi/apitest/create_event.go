package apitest

import (
	"net/http"
	"net/url"
	"strings"
)

func createEvent(c client) {
	a := c.createEvent(EventBody(Object{
		"title":    "Garden party",
		"dateTime": "2099-05-01T19:00:00+02:00",
		"timezone": "Europe/Berlin",
		"location": "Behind the house",
	})).is(http.StatusCreated)
	event, organizer := a.text("eventToken"), a.text("organizerToken")
	a.equals(Object{
		"eventToken":     event,
		"organizerToken": organizer,
		"title":          "Garden party",
		"dateTime":       "2099-05-01T19:00:00+02:00",
		"timezone":       "Europe/Berlin",
	})
	if event == organizer {
		c.Error("both tokens are the same")
	}
	if got := c.follow(a).Path; got != "/events/"+event {
		c.Errorf("Location leads to %s", got)
	}
	if got := c.send(c.follow(a)).is(http.StatusOK).text("eventToken"); got != event {
		c.Errorf("Location leads to the event %s, want %s", got, event)
	}

	twin := c.createEvent(EventBody(nil)).is(http.StatusCreated)
	if twin.text("eventToken") == event || twin.text("organizerToken") == organizer {
		c.Error("two events share a token")
	}
}

// follow returns a GET of where the header Location leads.
func (c client) follow(a answer) Call {
	c.Helper()
	base, err := url.Parse(c.service.URL)
	if err != nil {
		c.Fatal(err)
	}
	target, err := base.Parse(a.Header.Get("Location"))
	if err != nil {
		c.Fatal(err)
	}
	path, ok := strings.CutPrefix(target.String(), c.service.URL)
	if !ok {
		a.fatalf("Location leads away, to %s", target)
	}
	return Call{Method: "GET", Path: path}
}

func optionalFields(c client) {
	for _, field := range textFields {
		if field.required {
			continue
		}
		c.test(field.name, func(c client) {
			field.accepts(c, "")
			field.accepts(c, " \t\n")
			sent, read := field.set(c, nil)
			if got := read(); sent.Status >= http.StatusMultipleChoices || got != nil {
				sent.fatalf("null is read as %q", got)
			}
		})
	}

	public := c.newEvent().cancel().public()
	for field, want := range map[string]bool{"description": false, "location": false, "cancellationReason": true} {
		if got, present := public[field]; got != nil || present != want {
			c.Errorf("not sent, %s is %v, present: %v", field, got, present)
		}
	}
}

// dateTimes has one row per rule; the domain tests the rules themselves.
func dateTimes(c client) {
	for _, row := range []struct{ sent, want string }{
		{"2027-05-01T19:00:00.120+05:45", "2027-05-01T19:00:00.120+05:45"},
		{"2027-05-01t19:00:00,25z", "2027-05-01T19:00:00.25Z"},
		{"9999-12-31T23:59:59.999999999-14:00", "9999-12-31T23:59:59.999999999-14:00"},
	} {
		c.test(row.sent, func(c client) {
			created := c.createEvent(EventBody(Object{"dateTime": row.sent})).is(http.StatusCreated)
			read := c.getEvent(created.text("eventToken")).is(http.StatusOK)
			if created.text("dateTime") != row.want || read.text("dateTime") != row.want {
				c.Errorf("answered as %s and %s, want %s", created.text("dateTime"), read.text("dateTime"), row.want)
			}
		})
	}
	for sent, message := range map[string]string{
		"2027-05-01T19:00:00":  "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00",
		"2027-02-29T00:00:00Z": "must be a date and a time that exist, from 00:00:00 to 23:59:59",
	} {
		c.test(sent, func(c client) {
			c.createEvent(EventBody(Object{"dateTime": sent})).isInvalid([2]string{"dateTime", message})
		})
	}
}

func timezones(c client) {
	for _, name := range []string{"UTC", "America/Argentina/Buenos_Aires"} {
		c.test(name, func(c client) {
			created := c.createEvent(EventBody(Object{"timezone": name})).is(http.StatusCreated)
			read := c.getEvent(created.text("eventToken")).is(http.StatusOK)
			if created.text("timezone") != name || read.text("timezone") != name {
				c.Errorf("answered as %q and %q", created.text("timezone"), read.text("timezone"))
			}
		})
	}
	for _, name := range []string{"", "Local"} {
		c.test("not "+shown(name), func(c client) {
			c.createEvent(EventBody(Object{"timezone": name})).
				isInvalid([2]string{"timezone", "must be the IANA name of a time zone, such as Europe/Berlin"})
		})
	}
}
