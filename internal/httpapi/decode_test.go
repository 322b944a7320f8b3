package httpapi

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"turnout/internal/event"
)

// FuzzDecode: for every body, decode returns a ValidationError or errBodyTooLarge, or else valid text that the body
// contains.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		``, ` `, `{}`, `[]`, `null`, `{"name":"Ada","extra":[{"a":{}}]}`, `{"name":"Ada"} x`, `{"name":"Ada","name":"Eve"}`,
		`{"name":"\ud800"}`, "{\"name\":\"\xff\"}", `{"name":"\u0000"}`, "{\"name\":\"\x00\"}", `{"name":null}`, `{"name":1e999}`,
		`{"cancelled":true}`, `{"cancelled":"true"}`, `{"name":` + strings.Repeat("[", 20_000), `{"x":{"a":1,"a":2}}`, `{"":1,"":2}`, "\ufeff{}",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var name event.Field[string]
		var cancelled event.Field[bool]
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
		err := decode(r, members{"name": &name, "cancelled": &cancelled})
		if invalid, ok := errors.AsType[event.ValidationError](err); ok {
			if len(invalid) != 1 || invalid[0].Field == "" || invalid[0].Message == "" {
				t.Errorf("%q: %+v", body, invalid)
			}
		} else if err != nil && !errors.Is(err, errBodyTooLarge) {
			t.Errorf("%q: %v", body, err)
		}
		if err == nil && !utf8.Valid(body) {
			t.Errorf("%q: accepted", body)
		}
		if name.Value != nil && (name.WrongType || !utf8.ValidString(*name.Value)) {
			t.Errorf("%q: name %q, wrong type %v", body, *name.Value, name.WrongType)
		}
	})
}

// TestLargeBodyIsRead: a body that is too large is read to its end, because a client that is still sending would miss
// the response.
func TestLargeBodyIsRead(t *testing.T) {
	body := strings.NewReader(strings.Repeat(" ", 10*maxBody))
	if err := decode(httptest.NewRequest(http.MethodPost, "/", body), nil); err != errBodyTooLarge || body.Len() > 0 {
		t.Errorf("%v with %d bytes unread", err, body.Len())
	}
}

// TestDecode: decode reads JSON according to RFC 8259. For any other body, the error says at which position the body is
// invalid.
func TestDecode(t *testing.T) {
	const syntax = "body must be valid JSON: "
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for body, want := range map[string]string{
		" \r\n\t{ \"name\" :\t\"Ada\" }\n":                                 "Ada",
		`{"n\u0061me":"\u0041da\u0020\ud83c\udf89"}`:                       "Ada 🎉",
		`{"a":1,"name":"Ada","b":[{"name":"Grace"}],"":null,"NAME":"Eve"}`: "Ada",
		`{"x":1e999999,"y":123456789012345678901234567890,"name":"Ada"}`:   "Ada",
		`{"x":` + nested(9_999) + `,"name":"Ada"}`:                         "Ada",

		``:                             "body must be a JSON object, is empty",
		` `:                            "body must be a JSON object, is empty",
		`[{"name":"Ada"}]`:             "body must be a JSON object",
		`null`:                         "body must be a JSON object",
		`{"name":"Ada"}{}`:             "body must end after the JSON object",
		`x`:                            syntax + "invalid character 'x' at start of value at byte 0",
		`{"name":"Ada"`:                syntax,
		`{"name":"Ada",}`:              syntax,
		`{"x":"\ud800"}`:               syntax,
		`{"name":"\udf89"}`:            syntax,
		"{\"x\":\"\xff\"}":             syntax,
		"{\"name\":\"\xff\"}":          syntax,
		`{"x":[{"y":1,"y":1}]}`:        syntax,
		`{"":1,"":1}`:                  syntax,
		`{"x":` + nested(30_000) + `}`: syntax,

		`{"name":"Ada","n\u0061me":"Eve"}`: "name must appear only once",
		`{"x":null,"x":null}`:              "x must appear only once",
	} {
		var name event.Field[string]
		got := ""
		err := decode(httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)), members{"name": &name})
		if invalid, _ := errors.AsType[event.ValidationError](err); len(invalid) == 1 {
			got = invalid[0].Field + " " + invalid[0].Message
		} else if err == nil && name.Value != nil {
			got = *name.Value
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%.60q: %q, %v, want %q", body, got, err, want)
		}
	}
}
