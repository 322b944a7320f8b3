package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// A textField is one of the fields that hold free text.
type textField struct {
	name     string
	most     int // code points
	required bool
	// set sends a value on a new event; read returns the text as a reader gets it
	// afterwards.
	set func(c client, value any) (sent answer, read func() any)
}

var textFields = []textField{
	{"title", 200, true, setOnCreate("title")},
	{"description", 2000, false, setOnCreate("description")},
	{"location", 500, false, setOnCreate("location")},
	{"cancellationReason", 2000, false, func(c client, value any) (answer, func() any) {
		e := c.newEvent()
		a := c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": value})
		return a, func() any { return c.getEvent(e.Token).is(http.StatusOK).object()["cancellationReason"] }
	}},
	{"name", 100, true, func(c client, value any) (answer, func() any) {
		e := c.newEvent()
		a := c.createRSVP(e.Token, Object{"name": value})
		return a, func() any { return e.names()[0] }
	}},
}

func setOnCreate(field string) func(client, any) (answer, func() any) {
	return func(c client, value any) (answer, func() any) {
		a := c.createEvent(EventBody(Object{field: value}))
		return a, func() any {
			return c.getEvent(a.text("eventToken")).is(http.StatusOK).object()[field]
		}
	}
}

// accepts asserts that the text is accepted and answered exactly as it was sent.
func (f textField) accepts(c client, text string) {
	c.Helper()
	sent, read := f.set(c, text)
	if sent.Status >= http.StatusMultipleChoices {
		sent.fatalf("want %s to be accepted", f.name)
	}
	if sent.Status == http.StatusCreated {
		if echoed, ok := sent.object()[f.name]; ok && echoed != text {
			c.Errorf("%s is answered as %.200q, want %.200q", f.name, echoed, text)
		}
	}
	if got := read(); got != text {
		c.Errorf("%s is read as %.200q, want %.200q", f.name, got, text)
	}
}

func (f textField) refuses(c client, value any, message string) {
	c.Helper()
	sent, _ := f.set(c, value)
	sent.isInvalid([2]string{f.name, message})
}

func allFieldErrors(c client) {
	e := c.newEvent()
	create := Call{Method: "POST", Path: "/events"}
	cancel := CancelEvent(e.Token, e.Organizer, nil)
	rsvp := CreateRSVP(e.Token, nil)
	type errors [][2]string
	for _, row := range []struct {
		name string
		call Call
		body Object
		want errors
	}{
		{"create: all null", create, Object{"location": nil, "timezone": nil, "dateTime": nil, "description": nil, "title": nil}, errors{
			{"title", "is required"},
			{"dateTime", "is required"},
			{"timezone", "is required"},
		}},
		{"create: names in another case", create, Object{"Title": "Garden party", "DATETIME": inDays(30), "timeZone": "UTC"}, errors{
			{"title", "is required"},
			{"dateTime", "is required"},
			{"timezone", "is required"},
		}},
		{"create: all wrong", create, Object{
			"location":    strings.Repeat("l", 501),
			"timezone":    "Local",
			"dateTime":    "2027-02-30T19:00:00Z",
			"description": strings.Repeat("d", 2002),
			"title":       "\t ",
		}, errors{
			{"title", "must not be blank"},
			{"description", "must be at most 2000 characters, but has 2002"},
			{"dateTime", "must be a date and a time that exist, from 00:00:00 to 23:59:59"},
			{"timezone", "must be the IANA name of a time zone, such as Europe/Berlin"},
			{"location", "must be at most 500 characters, but has 501"},
		}},
		{"create: all mistyped", create, Object{
			"location": false, "timezone": 1, "dateTime": 1809190800, "description": []int{}, "title": Object{},
		}, errors{
			{"title", "must be a string"},
			{"description", "must be a string"},
			{"dateTime", "must be a string"},
			{"timezone", "must be a string"},
			{"location", "must be a string"},
		}},
		{"cancel: all null", cancel, Object{"cancellationReason": nil, "cancelled": nil}, errors{{"cancelled", "is required"}}},
		{"cancel: names in another case", cancel, Object{"Cancelled": true}, errors{{"cancelled", "is required"}}},
		{"cancel: all wrong", cancel, Object{"cancellationReason": strings.Repeat("r", 2001), "cancelled": false}, errors{
			{"cancelled", "must be true: cancelling is the only update, and it is final"},
			{"cancellationReason", "must be at most 2000 characters, but has 2001"},
		}},
		{"cancel: all mistyped", cancel, Object{"cancellationReason": 1, "cancelled": "true"}, errors{
			{"cancelled", "must be true or false"},
			{"cancellationReason", "must be a string"},
		}},
		{"rsvp: null", rsvp, Object{"name": nil}, errors{{"name", "is required"}}},
		{"rsvp: mistyped", rsvp, Object{"name": []string{"Ada Lovelace"}}, errors{{"name", "must be a string"}}},
		{"rsvp: name in another case", rsvp, Object{"Name": "Ada Lovelace"}, errors{{"name", "is required"}}},
	} {
		e.unchanged(row.name, func(c client) {
			row.call.Body = row.body
			c.send(row.call).isInvalid(row.want...)
		})
	}
}

func bounds(c client) {
	for _, field := range textFields {
		c.test(field.name, func(c client) {
			field.accepts(c, strings.Repeat("🎉", field.most))
			field.refuses(c, strings.Repeat("🎉", field.most+1),
				fmt.Sprintf("must be at most %d characters, but has %d", field.most, field.most+1))
		})
	}
}

func blanks(c client) {
	for _, field := range textFields {
		if !field.required {
			continue
		}
		for _, text := range []string{"", " \t\r\n", "\u2800\u200b", strings.Repeat(" ", field.most+1)} {
			c.test(fmt.Sprintf("%s %s", field.name, shown(text)), func(c client) {
				field.refuses(c, text, "must not be blank")
			})
		}
	}
}

// exactText has text that a store or an encoder might trim, normalize, escape or
// truncate.
func exactText(c client) {
	for _, row := range []struct{ name, text string }{
		{"white space", "  \tin the middle \u2028\u2029\u0085\r\n"},
		{"many code points in a glyph", "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈 \u00e9 e\u0301 ﬁ Ⅷ Ａ \U0010ffff"},
		{"what is not seen", "\ufeffa\u200b\u00ad\u202eמסיבה\u202c\ufeffb"},
		{"control characters", "be\x00fore \x01\x1b[31m\x7f\u009f \ufffd\ufffe\uffff"},
		{"markup and escapes", `<b>"1"</b> & &amp; '\ \\ \u0041 \n %41 %00 ${jndi}`},
		{"JSON", `{"S":"x"}`},
	} {
		for _, field := range textFields {
			c.test(row.name+" in "+field.name, func(c client) { field.accepts(c, row.text) })
		}
	}
}
