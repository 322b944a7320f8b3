package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"turnout/internal/event"
)

// maxBody is the length in bytes of the longest accepted body.
const maxBody = 64 << 10

// members maps the names of a request body's members to variables for the values, each an *event.Field[string] or
// *event.Field[bool]. decode ignores other members.
type members map[string]any

// decode reads the JSON object (RFC 8259) in the body of r. Its errors are about the body as a whole: errNotJSON,
// errEncoded, errBodyTooLarge and errBodyStopped. It returns a ValidationError if the body is not a JSON object,
// repeats a name or is not valid UTF-8. If a member has the wrong type, the domain reports it together with the errors
// of other members.
func decode(r *http.Request, into members) error {
	if !isJSON(r.Header) {
		return errNotJSON
	}
	if !isEmpty(r.Header.Values("Content-Encoding")) {
		return errEncoded
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if _, network := errors.AsType[net.Error](err); network || errors.Is(err, io.ErrUnexpectedEOF) {
		return errBodyStopped // err contains the client's address, so do not log it
	}
	if err != nil {
		return invalidBody("is sent in malformed chunks")
	}
	if len(body) > maxBody {
		// Read the rest, because a client that is still sending would miss the response.
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 10<<20))
		return errBodyTooLarge
	}
	d := jsontext.NewDecoder(bytes.NewReader(body))
	if kind := d.PeekKind(); kind != '{' && kind != 0 {
		return invalidBody("must be a JSON object")
	}
	if err := decodeObject(d, into); err != nil {
		return syntaxProblem(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return invalidBody("must end after the JSON object")
	}
	return nil
}

func decodeObject(d *jsontext.Decoder, into members) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		switch to := into[name.String()].(type) {
		case *event.Field[string]:
			err = decodeMember(d, to, jsontext.Token.String, '"')
		case *event.Field[bool]:
			err = decodeMember(d, to, jsontext.Token.Bool, 't', 'f')
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func decodeMember[T any](
	d *jsontext.Decoder, to *event.Field[T], value func(jsontext.Token) T, kinds ...jsontext.Kind,
) error {
	kind := d.PeekKind()
	if !slices.Contains(kinds, kind) {
		to.WrongType = kind != 'n'
		return d.SkipValue()
	}
	token, err := d.ReadToken()
	if err == nil {
		to.Value = new(value(token))
	}
	return err
}

// syntaxProblem converts a decoder error to a field error.
func syntaxProblem(err error) error {
	if err == io.EOF {
		return invalidBody("must be a JSON object, is empty")
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return err
	}
	at := syntax.JSONPointer
	if name := at.LastToken(); syntax.Err == jsontext.ErrDuplicateName && at.Parent() == "" && name != "" {
		return event.ValidationError{{Field: name, Message: "must appear only once"}}
	}
	return invalidBody(fmt.Sprintf("must be valid JSON: %v at byte %d", syntax.Err, syntax.ByteOffset))
}

// invalidBody returns an error about the body as a whole.
func invalidBody(message string) error {
	return event.ValidationError{{Field: "body", Message: message}}
}

// isJSON accepts application/json and the types that RFC 6839 derives from it. It accepts a missing type only without
// an Origin: a page of another site can send a request without a type, but needs the permission of a preflight to send
// JSON.
func isJSON(header http.Header) bool {
	types := header.Values("Content-Type")
	if isEmpty(types) {
		return len(header.Values("Origin")) == 0
	}
	if len(types) > 1 {
		return false
	}
	media, _, err := mime.ParseMediaType(types[0])
	derived := strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
	return err == nil && (media == "application/json" || derived)
}

// isEmpty reports whether a header is missing, or was sent once without a value.
func isEmpty(values []string) bool {
	return len(values) == 0 || len(values) == 1 && values[0] == ""
}
