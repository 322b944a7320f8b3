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
	for _, field := range []string{"description", "location"} {
		for _, row := range []struct {
			name    string
			changes Object
			want    any // nil for absent
		}{
			{"not sent", Object{}, nil},
			{"null", Object{field: nil}, nil},
			{"empty", Object{field: ""}, ""},
			{"blank", Object{field: " \t\n"}, " \t\n"},
			{"set", Object{field: "Something to say."}, "Something to say."},
		} {
			c.test(field+" "+row.name, func(c client) {
				got, present := c.getEvent(c.createFixture(EventBody(row.changes)).Token).is(http.StatusOK).object()[field]
				if got != row.want || present != (row.want != nil) {
					c.Errorf("got %q, present: %v; want %q", got, present, row.want)
				}
			})
		}
	}

	for _, row := range []struct {
		name string
		body Object
		want any
	}{
		{"not sent", Object{"cancelled": true}, nil},
		{"null", Object{"cancelled": true, "cancellationReason": nil}, nil},
		{"empty", Object{"cancelled": true, "cancellationReason": ""}, ""},
		{"set", Object{"cancelled": true, "cancellationReason": "Rain all day."}, "Rain all day."},
	} {
		c.test("cancellationReason "+row.name, func(c client) {
			e := c.newEvent()
			c.cancelEvent(e.Token, e.Organizer, row.body).is(http.StatusNoContent)
			got, present := c.getEvent(e.Token).is(http.StatusOK).object()["cancellationReason"]
			if got != row.want || !present {
				c.Errorf("got %v, present: %v; want %v", got, present, row.want)
			}
		})
	}
}

func dateTimes(c client) {
	const unchanged = ""
	for _, row := range []struct{ sent, want string }{
		{"2027-05-01T19:00:00+02:00", unchanged},
		{"2027-05-01T19:00:00Z", unchanged},
		{"2027-05-01T19:00:00-00:00", unchanged},
		{"2027-05-01T19:00:00.5+02:00", unchanged},
		{"2027-05-01T19:00:00.120+05:45", unchanged},
		{"2027-05-01T19:00:00.123456789Z", unchanged},

		{"2027-05-01T19:00+02:00", "2027-05-01T19:00:00+02:00"},
		{"2027-05-01t19:00:00z", "2027-05-01T19:00:00Z"},
		{"2027-05-01t19:00:00.50+02:00", "2027-05-01T19:00:00.50+02:00"},
		{"2027-05-01T19:00Z", "2027-05-01T19:00:00Z"},
		{"2027-05-01T19:00:00,25-03:30", "2027-05-01T19:00:00.25-03:30"},

		{"2028-02-29T00:00:00Z", unchanged},
		{"2000-02-29T23:59:59Z", unchanged},
		{"2027-05-01T00:00:00+14:00", unchanged},
		{"2027-05-01T00:00:00-14:00", unchanged},
		{"0001-01-01T00:00:00Z", unchanged},
		{"0001-01-01T00:00:00+14:00", unchanged},
		{"9999-12-31T23:59:59Z", unchanged},
		{"9999-12-31T23:59:59.999999999-14:00", unchanged},
		{"1969-07-20T20:17:40Z", unchanged},
	} {
		c.test(row.sent, func(c client) {
			want := row.want
			if want == unchanged {
				want = row.sent
			}
			created := c.createEvent(EventBody(Object{"dateTime": row.sent})).is(http.StatusCreated)
			if got := created.text("dateTime"); got != want {
				c.Errorf("created with %s, want %s", got, want)
			}
			if got := c.getEvent(created.text("eventToken")).is(http.StatusOK).text("dateTime"); got != want {
				c.Errorf("read as %s, want %s", got, want)
			}
		})
	}
}

func noDateTimes(c client) {
	const (
		form   = "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"
		exists = "must be a date and a time that exist, from 00:00:00 to 23:59:59"
	)
	for _, row := range []struct{ sent, message string }{
		{"", form},
		{"tomorrow", form},
		{"1809190800", form},
		{"2027-05-01", form},
		{"19:00:00Z", form},
		{"2027-05-01T19:00:00", form},
		{"2027-05-01 19:00:00Z", form},
		{" 2027-05-01T19:00:00Z", form},
		{"2027-05-01T19:00:00Z\n", form},
		{"2027-05-01T19Z", form},
		{"2027-05-01T19:00:00+02", form},
		{"2027-05-01T19:00:00+0200", form},
		{"2027-05-01T19:00:00+24:00", form},
		{"2027-05-01T19:00:00+02:60", form},
		{"2027-05-01T19:00:00 +02:00", form},
		{"2027-05-01T19:00:00\u221202:00", form}, // the minus sign of typographers
		{"2027-05-01T19:00:00CEST", form},
		{"2027-05-01T19:00:00.Z", form},
		{"2027-05-01T19:00:00.1234567890Z", form},
		{"2027-05-01T19:00.5Z", form},
		{"20270501T190000Z", form},
		{"2027-W17-6T19:00:00Z", form},
		{"2027-121T19:00:00Z", form},
		{"27-05-01T19:00:00Z", form},
		{"+12027-05-01T19:00:00Z", form},
		{"10000-01-01T00:00:00Z", form},
		{"-0001-01-01T00:00:00Z", form},
		{"٢٠٢٧-٠٥-٠١T19:00:00Z", form},
		{"2027-05-01T19:00:00Z\x00", form},
		{strings.Repeat("2027-05-01T19:00:00Z", 250), form},

		{"2027-02-29T00:00:00Z", exists},
		{"2100-02-29T00:00:00Z", exists},
		{"2027-04-31T00:00:00Z", exists},
		{"2027-00-01T00:00:00Z", exists},
		{"2027-13-01T00:00:00Z", exists},
		{"2027-01-00T00:00:00Z", exists},
		{"2027-01-32T00:00:00Z", exists},
		{"2027-05-01T24:00:00Z", exists},
		{"2027-05-01T24:00Z", exists},
		{"2027-05-01T19:60:00Z", exists},
		{"2016-12-31T23:59:60Z", exists},
		{"2027-05-01T19:00:61Z", exists},
		{"9999-99-99T99:99:99Z", exists},
	} {
		c.test(shown(row.sent), func(c client) {
			c.createEvent(EventBody(Object{"dateTime": row.sent})).isInvalid([2]string{"dateTime", row.message})
		})
	}
}

func timezones(c client) {
	for _, name := range []string{
		"UTC", "Etc/UTC", "Etc/GMT+12", "Europe/Berlin", "Asia/Kolkata", "Pacific/Chatham",
		"America/Argentina/Buenos_Aires", "America/Port-au-Prince", "US/Pacific",
	} {
		c.test(name, func(c client) {
			created := c.createEvent(EventBody(Object{"timezone": name})).is(http.StatusCreated)
			read := c.getEvent(created.text("eventToken")).is(http.StatusOK)
			if created.text("timezone") != name || read.text("timezone") != name {
				c.Errorf("answered as %q and %q", created.text("timezone"), read.text("timezone"))
			}
		})
	}

	for _, name := range []string{
		"", " ", "Local", "localtime", "posixrules", "posix/Europe/Berlin", "right/UTC",
		"Europe", "Europe/", "Europe/Atlantis", "Europe/Berlin ", "/Europe/Berlin", "Europe//Berlin",
		"./UTC", "../etc/passwd", "Europe/../UTC", "..", "/etc/localtime", `Europe\Berlin`,
		"zone.tab", "tzdata.zi", "leapseconds", "+02:00", "UTC+2", "CEST+", "UTC\x00", "Ευρώπη/Βερολίνο",
		strings.Repeat("Europe/", 700), strings.Repeat("x", 5000),
	} {
		c.test("not "+shown(name), func(c client) {
			c.createEvent(EventBody(Object{"timezone": name})).
				isInvalid([2]string{"timezone", "must be the IANA name of a time zone, such as Europe/Berlin"})
		})
	}
}
