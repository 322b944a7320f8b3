package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

func allFieldErrors(c client) {
	e := c.newEvent()
	create := Call{Method: "POST", Path: "/events"}
	cancel := CancelEvent(e.Token, e.Organizer, nil)
	rsvp := CreateRSVP(e.Token, nil)
	type errors [][2]string
	const elsewhere = "must be the event token of another event"
	const tag = "must be a language tag (BCP 47) of 2 to 35 characters, such as de-AT"
	type row struct {
		name string
		call Call
		body Object
		want errors
	}
	nothing := Object{}
	for name := range schemaOf("CreateEventInput").Value.Properties {
		nothing[name] = nil
	}
	rows := []row{
		{"create: all null", create, nothing, errors{
			{"title", "is required"},
			{"dateTime", "is required"},
			{"timezone", "is required"},
		}},
		{"create: all wrong", create, Object{
			"language":    "de_AT",
			"host":        "\u200b",
			"location":    7,
			"timezone":    "Local",
			"endDateTime": "2027-02-28T19:00:00",
			"dateTime":    "2027-02-30T19:00:00Z",
			"description": Object{},
			"title":       "\t ",
		}, errors{
			{"title", "must not be blank"},
			{"description", "must be a string"},
			{"dateTime", "must be a date and a time that exist, from 00:00:00 to 23:59:59"},
			{"endDateTime", "must be an ISO 8601 date-time with a UTC offset, such as 2027-05-01T19:00:00+02:00"},
			{"timezone", "must be the IANA name of a time zone, such as Europe/Berlin"},
			{"location", "must be a string"},
			{"host", "must not be blank"},
			{"language", tag},
		}},
		{"create: no language", create, EventBody(Object{"language": ""}), errors{{"language", tag}}},
		{"create: a short language", create, EventBody(Object{"language": "d"}), errors{{"language", tag}}},
		{"create: a long language", create, EventBody(Object{
			"language": "de" + strings.Repeat("-Latn1234", 3) + "-x-12345",
		}), errors{{"language", tag}}},
		{"create: no host", create, EventBody(Object{"host": ""}), errors{{"host", "must not be blank"}}},
		{"cancel: nothing", cancel, Object{"cancellationReason": "Rain all day."}, errors{{"cancelled", "is required"}}},
		{"cancel: all mistyped", cancel, Object{
			"movedTo": Object{}, "cancellationReason": 1, "cancelled": "true",
		}, errors{
			{"cancelled", "must be true or false"},
			{"cancellationReason", "must be a string"},
			{"movedTo", "must be a string"},
		}},
		{"cancel: all wrong", cancel, Object{
			"movedTo": "", "cancellationReason": false, "cancelled": false,
		}, errors{
			{"cancelled", "must be true: cancelling is the only update, and it is final"},
			{"cancellationReason", "must be a string"},
			{"movedTo", elsewhere},
		}},
		{"cancel: moved to no token", cancel, Object{
			"movedTo": strings.ReplaceAll(unissued(), "-", ""), "cancelled": true,
		}, errors{
			{"movedTo", elsewhere},
		}},
		{"cancel: moved to itself", cancel, Object{"movedTo": strings.ToUpper(e.Token), "cancelled": true}, errors{
			{"movedTo", elsewhere},
		}},
		{"rsvp: blank and too long", rsvp, Object{"name": strings.Repeat(" ", 300)}, errors{{"name", "must not be blank"}}},
		{"rsvp: mistyped", rsvp, Object{"name": []string{"Ada Lovelace"}}, errors{{"name", "must be a string"}}},
	}
	SetsEvery(c.T, "CreateEventInput", rows[1].body)
	for _, input := range []struct {
		schema string
		call   Call
		body   func(Object) Object
	}{
		{"CreateEventInput", create, EventBody},
		{"CancelEventInput", cancel, func(o Object) Object { o["cancelled"] = true; return o }},
		{"CreateRSVPInput", rsvp, func(o Object) Object { return o }},
	} {
		for name, bounds := range TextsOf(input.schema) {
			tooLong := strings.Repeat("e\u0301", bounds.Most)[:3*(bounds.Most+1)/2] // a letter has two code points
			has := utf8.RuneCountInString(tooLong)
			message := fmt.Sprintf("must be at most %d characters, but has %d", bounds.Most, has)
			want, body := errors{{name, message}}, input.body(Object{name: tooLong})
			rows = append(rows, row{name + ": too long", input.call, body, want})
		}
		for name, member := range schemaOf(input.schema).Value.Properties {
			if member.Value.Type != nil && member.Value.Type.Is("boolean") {
				continue
			}
			want, body := errors{{name, "must be a string"}}, input.body(Object{name: 1809190800})
			rows = append(rows, row{name + ": mistyped", input.call, body, want})
		}
	}
	for _, row := range rows {
		e.unchanged(row.name, func(c client) {
			row.call.Body = row.body
			c.send(row.call).isInvalid(row.want...)
		})
	}
}

// exactText: the service returns texts exactly as sent. A store or an encoder might trim, normalize or escape the
// characters at both ends of these texts, which are as long as each field allows.
func exactText(c client) {
	for _, row := range []struct{ name, text string }{
		{"white space", "  \tin the middle \u2028\u2029\u0085\r\n"},
		{"many code points in a glyph", "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈 \u00e9 e\u0301 ﬁ Ⅷ Ａ \U0010ffff"},
		{"what is not seen", "\ufeffa\u200b\u00ad\u202eמסיבה\u202c\ufeffb"},
		{"control characters", "be\x00fore \x01\x1b[31m\x7f\u009f \ufffd\ufffe\uffff"},
		{"markup", `<b>"1"</b> & &amp; '`},
		{"escapes", `'\ \\ \u0041 \n %41 %00 ${jndi}`},
		{"JSON, and a key of the table", `{"S":"x"} EVENT#DETAILS`},
	} {
		c.test(row.name, func(c client) {
			longest := func(points int) string {
				return row.text + strings.Repeat("🎉", points-2*utf8.RuneCountInString(row.text)) + row.text
			}
			want := Object{}
			for name, bounds := range TextsOf("CreateEventInput") {
				want[name] = longest(bounds.Most)
			}
			e := c.createFixture(EventBody(want))
			name := longest(TextsOf("CreateRSVPInput")["name"].Most)
			a := c.send(CreateRSVP(e.Token, Object{"name": name})).is(http.StatusCreated)
			if a.text("name") != name {
				c.Errorf("the name is answered as %q", a.text("name"))
			}
			c.send(GetRSVP(e.Token, a.text("rsvpToken"))).is(http.StatusOK).equals(Object{"name": name})
			e.has(name)
			reason := longest(TextsOf("CancelEventInput")["cancellationReason"].Most)
			want["cancellationReason"] = reason
			cancel := CancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": reason})
			c.send(cancel).is(http.StatusNoContent)
			for field, public := range e.public() {
				if text, sent := want[field]; sent && public != text {
					c.Errorf("%s is read as %.200q, want %.200q", field, public, text)
				}
			}
		})
	}
}
