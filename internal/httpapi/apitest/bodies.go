package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// maxBody is the length of the longest body that is accepted, in bytes.
const maxBody = 65_536

// A bodyOperation is an operation with a body: a call without it, and the body
// with which the call succeeds.
type bodyOperation struct {
	name    string
	call    Call
	good    string // a JSON object
	success int
}

// bodyOperations returns all of them, on one event. Cancel comes last, so that all
// succeed in this order.
func bodyOperations(e eventFixture) (create, rsvp, cancel bodyOperation) {
	create = bodyOperation{"create-event", Call{Method: "POST", Path: "/events"},
		fmt.Sprintf(`{"title":"Garden party","dateTime":%q,"timezone":"Europe/Berlin"}`, inDays(30)), http.StatusCreated}
	rsvp = bodyOperation{"create-rsvp", CreateRSVP(e.Token, nil),
		`{"name":"Ada Lovelace"}`, http.StatusCreated}
	cancel = bodyOperation{"cancel-event", CancelEvent(e.Token, e.Organizer, nil),
		`{"cancelled":true}`, http.StatusNoContent}
	return create, rsvp, cancel
}

// with is the call with a body.
func (o bodyOperation) with(body string) Call {
	o.call.Body = Raw(body)
	return o.call
}

// plus is the good body with more members.
func (o bodyOperation) plus(members string) string {
	return strings.TrimSuffix(o.good, "}") + "," + members + "}"
}

// notObjects tries bodies that a lenient parser would accept, at least in part.
func notObjects(c client) {
	e := c.newEvent()
	e.guest("Grace Hopper")
	create, o, cancel := bodyOperations(e)
	for _, row := range []struct{ name, body string }{
		{"empty", ""},
		{"the object in an array", "[" + o.good + "]"},
		{"no end", strings.TrimSuffix(o.good, "}")},
		{"another object behind", o.good + "{}"},
		{"a comma too many", strings.TrimSuffix(o.good, "}") + ",}"},
		{"a surrogate alone", o.plus(`"x":"\ud800"`)},
		{"a surrogate in a field", `{"name":"Ada \udf89 Lovelace"}`},
		{"invalid UTF-8", o.plus("\"x\":\"\xff\"")},
		{"invalid UTF-8 in a field", "{\"name\":\"Ada \xff Lovelace\"}"},
		{"deep arrays in a member", o.plus(`"x":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000))},
		{"a name twice deep inside", o.plus(`"x":[{"y":1,"y":1}]`)},
		{"the empty name twice", o.plus(`"":1,"":1`)},
	} {
		e.unchanged(row.name, func(c client) { c.send(o.with(row.body)).isInvalidFor("body") })
	}
	for _, o := range []bodyOperation{create, cancel} {
		e.unchanged(o.name, func(c client) { c.send(o.with("[" + o.good + "]")).isInvalidFor("body") })
	}
}

func repeatedMembers(c client) {
	long := strings.Repeat("friends", 300) // an answer that is long enough to be compressed
	e := c.newEvent()
	create, rsvp, cancel := bodyOperations(e)
	for _, row := range []struct {
		name    string
		op      bodyOperation
		members string // besides those of the good body
		field   string
	}{
		{"title", create, `"title":"Another title"`, "title"},
		{"location", create, `"location":null,"location":null`, "location"},
		{"name under an escape", rsvp, `"n\u0061me":"Grace Hopper"`, "name"},
		{"a long name", rsvp, `"` + long + `":1,"` + long + `":1`, long},
		{"cancelled", cancel, `"cancelled":true`, "cancelled"},
	} {
		e.unchanged(row.name, func(c client) {
			c.send(row.op.with(row.op.plus(row.members))).isInvalid([2]string{row.field, "must appear only once"})
		})
	}
}

func lenientBodies(c client) {
	for _, row := range []struct{ name, body string }{
		{"white space around", " \r\n\t{ \"name\" :\t\"Ada Lovelace\" }\n"},
		{"a text under escapes", `{"name":"\u0041da\u0020\u004covelace"}`},
		{"unknown members", `{"a":1,"name":"Ada Lovelace","b":[{"name":"Grace"}],"":null,"attending":false}`},
		{"names in another case besides", `{"Name":"Grace","NAME":1,"name":"Ada Lovelace"}`},
		{"members the service issues", `{"rsvpToken":"mine","createdAt":0,"name":"Ada Lovelace","event":{"cancelled":true}}`},
		{"a number beyond every range", `{"x":1e999999,"y":123456789012345678901234567890,"name":"Ada Lovelace"}`},
		{"10,000 levels", `{"x":` + strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999) + `,"name":"Ada Lovelace"}`},
	} {
		c.test(row.name, func(c client) {
			e := c.newEvent()
			c.send(CreateRSVP(e.Token, Raw(row.body))).is(http.StatusCreated)
			e.has("Ada Lovelace")
		})
	}

	c.test("surrogates in a pair", func(c client) {
		e := c.newEvent()
		c.send(CreateRSVP(e.Token, Raw(`{"name":"\ud83c\udf89 party"}`))).is(http.StatusCreated)
		e.has("🎉 party")
	})
}

func bodySizes(c client) {
	const huge = 3 << 20
	for _, chunked := range []bool{false, true} {
		e := c.newEvent()
		create, rsvp, cancel := bodyOperations(e)
		for _, o := range []bodyOperation{create, rsvp, cancel} {
			name := o.name
			if chunked {
				name += " without a length"
			}
			o.call.Chunked = chunked
			for _, row := range []struct{ name, body string }{
				{"one byte more", o.good + strings.Repeat(" ", maxBody+1-len(o.good))},
				{"3 MB of text", o.plus(`"x":"` + strings.Repeat("x", huge) + `"`)},
			} {
				e.unchanged(name+": "+row.name, func(c client) {
					c.send(o.with(row.body)).isProblem(http.StatusRequestEntityTooLarge, "")
				})
			}
			c.test(name+": the whole length", func(c client) {
				c.send(o.with(o.good + strings.Repeat(" ", maxBody-len(o.good)))).is(o.success)
			})
		}
	}
}

func contentTypes(c client) {
	const elsewhere = "https://elsewhere.example"
	for _, row := range []struct {
		media, origin string
		refused       bool
	}{
		{media: NoContentType},
		{media: "application/json"},
		{media: `application/json;profile="a;b"`},
		{media: "application/vnd.turnout.v1+json; charset=utf-8"},

		{media: "text/plain", refused: true},
		{media: "application/x-www-form-urlencoded", refused: true},
		{media: "application/json, text/plain", refused: true},
		{media: "json", refused: true},

		// A page of another origin may send a request without a type, and no other that is
		// read, before its browser asks whether it may.
		{NoContentType, elsewhere, true},
		{"application/json", elsewhere, false},
	} {
		e := c.newEvent()
		create, rsvp, cancel := bodyOperations(e)
		for _, o := range []bodyOperation{create, rsvp, cancel} {
			o.call.ContentType = row.media
			if row.origin != "" {
				o.call.Header = http.Header{"Origin": {row.origin}}
			}
			name := strings.TrimSpace(o.name + " of the type " + row.media + " " + row.origin)
			if row.refused {
				e.unchanged(name, func(c client) {
					c.send(o.with(o.good)).isProblem(http.StatusUnsupportedMediaType, "")
				})
			} else {
				c.test(name, func(c client) { c.send(o.with(o.good)).is(o.success) })
			}
		}
	}

	e := c.newEvent()
	create, rsvp, cancel := bodyOperations(e)
	for _, o := range []bodyOperation{create, rsvp, cancel} {
		o.call.ContentType = NoContentType
		o.call.Header = http.Header{"Content-Type": {"application/json", "application/json"}}
		e.unchanged(o.name+" refuses two types", func(c client) {
			c.send(o.with(o.good)).isProblem(http.StatusUnsupportedMediaType, "")
		})
	}

	c.test("operations without a body ignore one", func(c client) {
		e := c.newEvent()
		ada := e.guest("Ada Lovelace")
		for _, k := range []Call{
			{Method: "GET", Path: "/events/" + e.Token},
			ListAttendees(e.Token, e.Organizer),
			CancelRSVP(e.Token, ada),
		} {
			k.ContentType = "text/plain"
			if a := c.send(k); a.Status >= http.StatusMultipleChoices {
				a.fatalf("want success")
			}
		}
		e.has()
	})
}

func contentEncodings(c client) {
	e := c.newEvent()
	create, rsvp, cancel := bodyOperations(e)
	c.test("an empty one is none", func(c client) {
		k := create.with(create.good)
		k.Header = http.Header{"Content-Encoding": {""}}
		c.send(k).is(create.success)
	})
	for _, encodings := range [][]string{{"gzip"}, {"identity"}, {"", "gzip"}, {"", ""}} {
		for _, o := range []bodyOperation{create, rsvp, cancel} {
			e.unchanged(fmt.Sprintf("%s refuses %q", o.name, encodings), func(c client) {
				k := o.with(o.good)
				k.Header = http.Header{"Content-Encoding": encodings}
				a := c.send(k)
				a.isProblem(http.StatusUnsupportedMediaType, "")
				if got := a.Header.Get("Accept-Encoding"); got != "identity" {
					a.fatalf("Accept-Encoding is %q", got)
				}
			})
		}
	}
}
