package apitest

import (
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
	for _, row := range []struct {
		name string
		call Call
		body Object
		want errors
	}{
		{"create: all null", create, Object{
			"language": nil, "host": nil, "location": nil, "timezone": nil, "dateTime": nil, "description": nil, "title": nil,
		}, errors{
			{"title", "is required"},
			{"dateTime", "is required"},
			{"timezone", "is required"},
		}},
		{"create: all wrong", create, Object{
			"language":    "de_AT",
			"host":        "\u200b",
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
			{"host", "must not be blank"},
			{"language", tag},
		}},
		{"create: no language", create, EventBody(Object{"language": ""}), errors{{"language", tag}}},
		{"create: a short language", create, EventBody(Object{"language": "d"}), errors{{"language", tag}}},
		{"create: a long language", create, EventBody(Object{"language": "de" + strings.Repeat("-Latn1234", 3) + "-x-12345"}), errors{
			{"language", tag},
		}},
		{"create: no host", create, EventBody(Object{"host": ""}), errors{{"host", "must not be blank"}}},
		{"create: a long host", create, EventBody(Object{"host": strings.Repeat("h", 101)}), errors{
			{"host", "must be at most 100 characters, but has 101"},
		}},
		{"create: all mistyped", create, Object{
			"language": 1, "host": true, "location": false, "timezone": 1, "dateTime": 1809190800,
			"description": []int{}, "title": Object{},
		}, errors{
			{"title", "must be a string"},
			{"description", "must be a string"},
			{"dateTime", "must be a string"},
			{"timezone", "must be a string"},
			{"location", "must be a string"},
			{"host", "must be a string"},
			{"language", "must be a string"},
		}},
		{"cancel: nothing", cancel, Object{"cancellationReason": "Rain all day."}, errors{{"cancelled", "is required"}}},
		{"cancel: all mistyped", cancel, Object{
			"movedTo": Object{}, "cancellationReason": 1, "cancelled": "true",
		}, errors{
			{"cancelled", "must be true or false"},
			{"cancellationReason", "must be a string"},
			{"movedTo", "must be a string"},
		}},
		{"cancel: all wrong", cancel, Object{
			"movedTo": "", "cancellationReason": strings.Repeat("r", 2001), "cancelled": false,
		}, errors{
			{"cancelled", "must be true: cancelling is the only update, and it is final"},
			{"cancellationReason", "must be at most 2000 characters, but has 2001"},
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
		{"rsvp: too long, of fewer letters", rsvp, Object{"name": "x" + strings.Repeat("e\u0301", 50)}, errors{
			{"name", "must be at most 100 characters, but has 101"},
		}},
		{"rsvp: mistyped", rsvp, Object{"name": []string{"Ada Lovelace"}}, errors{{"name", "must be a string"}}},
	} {
		e.unchanged(row.name, func(c client) {
			row.call.Body = row.body
			c.send(row.call).isInvalid(row.want...)
		})
	}
}

// exactText has texts that a store or an encoder might trim, normalize or escape, at both
// ends of the longest that each field may hold.
func exactText(c client) {
	for _, row := range []struct{ name, text string }{
		{"white space", "  \tin the middle \u2028\u2029\u0085\r\n"},
		{"many code points in a glyph", "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈 \u00e9 e\u0301 ﬁ Ⅷ Ａ \U0010ffff"},
		{"what is not seen", "\ufeffa\u200b\u00ad\u202eמסיבה\u202c\ufeffb"},
		{"control characters", "be\x00fore \x01\x1b[31m\x7f\u009f \ufffd\ufffe\uffff"},
		{"markup and escapes", `<b>"1"</b> & &amp; '\ \\ \u0041 \n %41 %00 ${jndi}`},
		{"JSON, and a key of the table", `{"S":"x"} EVENT#DETAILS`},
	} {
		c.test(row.name, func(c client) {
			longest := func(points int) string {
				return row.text + strings.Repeat("🎉", points-2*utf8.RuneCountInString(row.text)) + row.text
			}
			want := Object{
				"title":       longest(200),
				"description": longest(2000),
				"location":    longest(500),
				"host":        longest(100),
			}
			e := c.createFixture(EventBody(want))
			a := c.send(CreateRSVP(e.Token, Object{"name": longest(100)})).is(http.StatusCreated)
			if a.text("name") != longest(100) {
				c.Errorf("the name is answered as %q", a.text("name"))
			}
			c.send(GetRSVP(e.Token, a.text("rsvpToken"))).is(http.StatusOK).equals(Object{"name": longest(100)})
			e.has(longest(100))
			want["cancellationReason"] = longest(2000)
			cancel := CancelEvent(e.Token, e.Organizer, Object{"cancelled": true, "cancellationReason": longest(2000)})
			c.send(cancel).is(http.StatusNoContent)
			for field, public := range e.public() {
				if text, sent := want[field]; sent && public != text {
					c.Errorf("%s is read as %.200q, want %.200q", field, public, text)
				}
			}
		})
	}
}
