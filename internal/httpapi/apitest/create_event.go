package apitest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

func createEvent(c client) {
	a := c.send(CreateEvent(EventBody(nil))).is(http.StatusCreated)
	event := a.text("eventToken")
	if got := c.follow(a).Path; got != "/events/"+event {
		c.Errorf("Location leads to %s", got)
	}
	if got := c.send(c.follow(a)).is(http.StatusOK).text("eventToken"); got != event {
		c.Errorf("Location leads to the event %s, want %s", got, event)
	}
}

// follow returns a GET of the URL in the header Location.
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

// optionalFields: texts may be empty. A field without text is absent. Only the cancellationReason of a cancelled event
// is null instead.
func optionalFields(c client) {
	fields, others := []string{}, []string{} // others cannot be empty texts
	for _, schema := range []string{"CreateEventInput", "CancelEventInput"} {
		_, optional := Members(schema)
		for _, field := range optional {
			if bounds, isText := TextsOf(schema)[field]; isText && bounds.Least == 0 {
				fields = append(fields, field)
			} else {
				others = append(others, field)
			}
		}
	}
	for _, text := range []any{"", " \t\r\n ", nil, "not sent"} {
		c.test(fmt.Sprint(text), func(c client) {
			body := EventBody(Object{"cancelled": true})
			if text == nil {
				for _, field := range others {
					body[field] = nil
				}
			}
			for _, field := range fields {
				body[field] = text
				if text == "not sent" {
					delete(body, field)
				}
			}
			e := c.createFixture(body)
			c.send(CancelEvent(e.Token, e.Organizer, body)).is(http.StatusNoContent)
			public := e.public()
			for _, field := range others {
				if value, present := public[field]; present {
					c.Errorf("%s is %v", field, value)
				}
			}
			for _, field := range fields {
				got, present := public[field]
				sent, isText := body[field].(string)
				always := field == "cancellationReason"
				if got != body[field] || present != (isText || always) {
					c.Errorf("%s is %v, present: %v, want %q", field, got, present, sent)
				}
			}
		})
	}
}
