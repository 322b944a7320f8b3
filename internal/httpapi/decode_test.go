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

// FuzzDecode: for every body, decode answers with a ValidationError or errBodyTooLarge, or
// with text that is valid and was sent.
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
		err := decode(r, members{"name": text(&name), "cancelled": boolean(&cancelled)})
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

// TestBodyIsAnObject: the error of another body says so, or where its syntax is wrong.
func TestBodyIsAnObject(t *testing.T) {
	for body, want := range map[string]string{
		``:      "must be a JSON object, is empty",
		` `:     "must be a JSON object, is empty",
		`[]`:    "must be a JSON object",
		`null`:  "must be a JSON object",
		`{} {}`: "must end after the JSON object",
		`x`:     "must be valid JSON: invalid character 'x' at start of value at byte 0",
	} {
		err := decode(httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)), nil)
		invalid, _ := errors.AsType[event.ValidationError](err)
		if len(invalid) != 1 || invalid[0].Field != "body" || invalid[0].Message != want {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
}
