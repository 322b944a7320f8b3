package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// maxBody is the length in bytes of the longest accepted body.
const maxBody = 65_536

// A bodyOperation is an operation whose request has a body. call is the request without the body, which succeeds with
// the body good.
type bodyOperation struct {
	name    string
	call    Call
	good    string // a JSON object
	success int
}

// bodyOperations returns all operations with a body, on one event. cancel comes last, so that all succeed in this
// order.
func bodyOperations(e eventFixture) (create, rsvp, cancel bodyOperation) {
	party := fmt.Sprintf(`{"title":"Garden party","dateTime":%q,"timezone":"Europe/Berlin"}`, inDays(30))
	create = bodyOperation{"create-event", CreateEvent(nil), party, http.StatusCreated}
	rsvp = bodyOperation{"create-rsvp", CreateRSVP(e.Token, nil), `{"name":"Ada Lovelace"}`, http.StatusCreated}
	off := CancelEvent(e.Token, e.Organizer, nil)
	cancel = bodyOperation{"cancel-event", off, `{"cancelled":true}`, http.StatusNoContent}
	return create, rsvp, cancel
}

// with returns the call with a body.
func (o bodyOperation) with(body string) Call {
	o.call.Body = Raw(body)
	return o.call
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
				{"3 MB of text", strings.Replace(o.good, "{", `{"x":"`+strings.Repeat("x", huge)+`",`, 1)},
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

func bodyHeaders(c client) {
	for _, row := range []struct {
		header  http.Header
		accepts bool
	}{
		{http.Header{}, true},
		{http.Header{"Content-Type": {""}}, true},
		{http.Header{"Content-Type": {"application/json"}}, true},
		{http.Header{"Content-Type": {`application/json;profile="a;b"`}}, true},
		{http.Header{"Content-Type": {"application/vnd.turnout.v1+json; charset=utf-8"}}, true},
		{http.Header{"Content-Type": {"text/plain"}}, false},
		{http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, false},
		{http.Header{"Content-Type": {"application/json, text/plain"}}, false},
		{http.Header{"Content-Type": {"json"}}, false},
		{http.Header{"Content-Type": {"text/x+json"}}, false},
		{http.Header{"Content-Type": {"application/json", "application/json"}}, false},

		// A page of another origin can send a request without a type, and the browser does not first ask the service
		// for permission.
		{http.Header{"Origin": {"https://elsewhere.example"}}, false},
		{http.Header{"Origin": {"https://elsewhere.example"}, "Content-Type": {"application/json"}}, true},

		{http.Header{"Content-Encoding": {""}}, true},
		{http.Header{"Content-Encoding": {"gzip"}}, false},
		{http.Header{"Content-Encoding": {"identity"}}, false},
		{http.Header{"Content-Encoding": {"", "gzip"}}, false},
	} {
		e := c.newEvent()
		create, rsvp, cancel := bodyOperations(e)
		for _, o := range []bodyOperation{create, rsvp, cancel} {
			o.call.Header, o.call.ContentType = row.header, NoContentType
			name := fmt.Sprint(o.name, " with ", row.header)
			if row.accepts {
				c.test(name, func(c client) { c.send(o.with(o.good)).is(o.success) })
				continue
			}
			e.unchanged(name, func(c client) {
				a := c.send(o.with(o.good))
				a.isProblem(http.StatusUnsupportedMediaType, "")
				identity := a.Header.Get("Accept-Encoding") == "identity"
				if encoded := row.header["Content-Encoding"] != nil; identity != encoded {
					a.fatalf("Accept-Encoding is identity: %t", identity)
				}
			})
		}
	}

	c.test("operations without a body ignore one", func(c client) {
		e := c.newEvent()
		ada := e.guest("Ada Lovelace")
		for _, k := range []Call{
			GetEvent(e.Token),
			ListAttendees(e.Token, e.Organizer),
			GetRSVP(e.Token, ada),
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
