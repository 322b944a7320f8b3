package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// A textField is one of the fields that createFixture free text.
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
		{"create: nothing sent", create, Object{}, errors{
			{"title", "is required"},
			{"dateTime", "is required"},
			{"timezone", "is required"},
		}},
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
		{"cancel: nothing sent", cancel, Object{}, errors{{"cancelled", "is required"}}},
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
		{"rsvp: nothing sent", rsvp, Object{}, errors{{"name", "is required"}}},
		{"rsvp: null", rsvp, Object{"name": nil}, errors{{"name", "is required"}}},
		{"rsvp: name in another case", rsvp, Object{"Name": "Ada Lovelace"}, errors{{"name", "is required"}}},
	} {
		e.unchanged(row.name, func(c client) {
			row.call.Body = row.body
			c.send(row.call).isInvalid(row.want...)
		})
	}
}

func wrongTypes(c client) {
	fields := append([]textField{
		{name: "dateTime", set: setOnCreate("dateTime")},
		{name: "timezone", set: setOnCreate("timezone")},
	}, textFields...)
	for _, field := range fields {
		for _, value := range []any{0, 1.5, 1e300, true, false, []string{"text"}, []any{}, Object{"text": "text"}, Object{}} {
			c.test(fmt.Sprintf("%s %s", field.name, shown(value)), func(c client) {
				field.refuses(c, value, "must be a string")
			})
		}
	}
	e := c.newEvent()
	for _, value := range []any{0, 1, "true", "", []bool{true}, Object{}} {
		e.unchanged("cancelled "+shown(value), func(c client) {
			c.cancelEvent(e.Token, e.Organizer, Object{"cancelled": value}).
				isInvalid([2]string{"cancelled", "must be true or false"})
		})
	}
}

func bounds(c client) {
	units := []struct{ name, text string }{
		{"of 1 byte", "a"}, {"of 2 bytes", "é"}, {"of 3 bytes", "€"}, {"of 4 bytes", "🎉"},
	}
	for _, field := range textFields {
		for _, unit := range units {
			c.test(fmt.Sprintf("%s in characters %s", field.name, unit.name), func(c client) {
				field.accepts(c, unit.text)
				field.accepts(c, strings.Repeat(unit.text, field.most))
				field.refuses(c, strings.Repeat(unit.text, field.most+1),
					fmt.Sprintf("must be at most %d characters, but has %d", field.most, field.most+1))
			})
		}
		c.test(field.name+" with combining marks", func(c client) {
			const accented = "e\u0301" // two code points, one glyph
			field.accepts(c, strings.Repeat(accented, field.most/2))
			field.refuses(c, strings.Repeat(accented, field.most/2+1),
				fmt.Sprintf("must be at most %d characters, but has %d", field.most, field.most+2))
		})
		c.test(field.name+" without bounds", func(c client) {
			field.refuses(c, strings.Repeat("x", 50_000),
				fmt.Sprintf("must be at most %d characters, but has 50000", field.most))
		})
	}
}

func blanks(c client) {
	for _, field := range textFields {
		if !field.required {
			continue // optional text may be empty: see optionalFields
		}
		for _, text := range []string{"", " ", "\t\r\n", "\u00a0", "\u2003\u3000", "\u2028", "\x00", "\u200b", "\u2060", "\u2800", "\u3164", "\U000e0041", " \u200d\ufeff", strings.Repeat(" ", field.most+1)} {
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
		{"white space around", "  \tin the middle \r\n"},
		{"an emoji of many code points", "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈"},
		{"the last code point", "\U0010ffff"},
		{"composed and decomposed", "\u00e9 e\u0301 \u1e9b\u0323"},
		{"a compatibility form", "ﬁ ² Ⅷ ＡＢＣ"},
		{"right to left with marks", "\u202eמסיבה\u202c \u200fحفلة\u200e"},
		{"invisible characters", "a\u200b\u00ad\ufeffb"},
		{"a byte order mark in front", "\ufeffparty"},
		{"markup", `<script>alert("1")</script> & &amp; 'quoted'`},
		{"line separators", "one\u2028two\u2029three\u0085four"},
		{"NUL", "be\x00fore"},
		{"other control characters", "\x01\x1b[31m\x7f\u009f"},
		{"a replacement character", "\ufffd"},
		{"noncharacters", "\ufffe\uffff"},
		{"backslashes and escapes", `\ \\ \u0041 \n %41 %00 ${jndi} {{7*7}}`},
		{"what a database might read", `'; DROP TABLE events; -- EVENT#1 {"S":"x"}`},
		{"JSON", `{"name":"null"}`},
		{"words of JSON", "null"},
		{"digits", "0123456789012345678901234567890"},
	} {
		for _, field := range textFields {
			c.test(row.name+" in "+field.name, func(c client) { field.accepts(c, row.text) })
		}
	}
}
