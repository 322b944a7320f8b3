package httpapi

import (
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"turnout/internal/event"
)

type attendeeList struct {
	Attendees []attendee `json:"attendees"`
}

type attendee struct {
	Name string `json:"name"`
}

// maxListBytes bounds an answer as escaped in a Lambda response, which is limited to 6 MB.
const maxListBytes = 5 << 20

// listAttendees answers 200, or 400, 404, 403, the first that applies. A longer list is split
// into pages, linked by the header Link (RFC 8288).
func listAttendees(s *event.Service, r *http.Request) (reply, error) {
	query := r.URL.Query()
	after, err := cursor(query, r.URL.RawQuery)
	if err != nil {
		return reply{}, err
	}
	organizer := organizerToken(query)
	rsvps, err := s.ListAttendees(r.Context(), r.PathValue("eventToken"), organizer, after)
	if err != nil {
		return reply{}, err
	}
	page := rsvps[:fitting(rsvps)]
	list := attendeeList{Attendees: make([]attendee, len(page))}
	for i, rsvp := range page {
		list.Attendees[i].Name = rsvp.Name
	}
	answer := reply{status: http.StatusOK, body: list}
	if len(page) < len(rsvps) {
		last := page[len(page)-1]
		answer.next = "?organizerToken=" + url.QueryEscape(organizer) + "&cursor=" + cursorAt(last.Position())
	}
	return answer, nil
}

// fitting returns how many RSVPs fit into one answer.
func fitting(rsvps []event.RSVP) int {
	size := 0
	for i, rsvp := range rsvps {
		size += len(`{\"name\":\"\"},`) + escapedLen(rsvp.Name)
		if size > maxListBytes {
			return i
		}
	}
	return len(rsvps)
}

// escapedLen returns the length of a text that is escaped twice, as a JSON string within a
// JSON string: U+0000 becomes 7 bytes (\\u0000).
func escapedLen(text string) (size int) {
	for _, r := range text {
		switch {
		case r == '"', r == '\\':
			size += len(`\\\"`)
		case strings.ContainsRune("\b\f\n\r\t", r):
			size += len(`\\n`)
		case r < ' ', r == '\u2028', r == '\u2029':
			size += len(`\\u0000`)
		default:
			size += utf8.RuneLen(r)
		}
	}
	return size
}

// A cursor is the position of the last RSVP of a page: its moment in nanoseconds since 1970
// and its id, 24 bytes in 32 characters.
const (
	cursorMoment = 8
	cursorSize   = cursorMoment + len(event.RSVPID{})
)

func cursorAt(p event.Position) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(p.CreatedAt.UnixNano()))
	return base64.RawURLEncoding.EncodeToString(append(b, p.ID[:]...))
}

// cursor returns the position in the query parameter of that name, or the start of the list if
// it is missing. A parsed query lacks parameters that cannot be unescaped.
func cursor(query url.Values, raw string) (p event.Position, err error) {
	sent := query["cursor"]
	unparsed := strings.HasPrefix(raw, "cursor=") || strings.Contains(raw, "&cursor=")
	if len(sent) == 0 && !unparsed {
		return p, nil
	}
	text := strings.Join(sent, ",") // if sent twice, not a cursor
	b, err := base64.RawURLEncoding.DecodeString(text)
	whole := len(b) == cursorSize && len(text) == base64.RawURLEncoding.EncodedLen(cursorSize) // without line breaks
	if err != nil || !whole {
		return p, event.ValidationError{{Field: "cursor", Message: "must be that of a Link header, sent once"}}
	}
	p.CreatedAt = time.Unix(0, int64(binary.BigEndian.Uint64(b))).UTC()
	copy(p.ID[:], b[cursorMoment:])
	return p, nil
}
