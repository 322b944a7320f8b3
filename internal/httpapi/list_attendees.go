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

// maxListBytes bounds the length of a response's body, escaped as in the response of a Lambda function, which is
// limited to 6 MB.
const maxListBytes = 5 << 20

// reading has room for each list that is being read. Further requests wait, so that they do not exhaust the memory.
var reading = make(chan struct{}, 2)

// listAttendees responds with 200. In case of several errors, the first of 400, 404 and 403 applies. A list that is too
// long for a response is split into pages, which the header Link connects (RFC 8288).
func listAttendees(s *event.Service, r *http.Request) (reply, error) {
	query := r.URL.Query()
	after, err := cursor(query, r.URL.RawQuery)
	if err != nil {
		return reply{}, err
	}
	select {
	case reading <- struct{}{}:
		defer func() { <-reading }()
	case <-r.Context().Done():
		return reply{}, event.ErrUnavailable
	}
	organizer := organizerToken(query)
	page := &event.Page{After: after, Size: escapedSize, Most: maxListBytes}
	if err := s.ListAttendees(r.Context(), r.PathValue("eventToken"), organizer, page); err != nil {
		return reply{}, err
	}
	rsvps, more := page.RSVPs()
	list := attendeeList{Attendees: make([]attendee, len(rsvps))}
	for i, rsvp := range rsvps {
		list.Attendees[i].Name = rsvp.Name
	}
	answer := reply{status: http.StatusOK, body: list}
	if more {
		last := rsvps[len(rsvps)-1].Position()
		answer.next = "?organizerToken=" + url.QueryEscape(organizer) + "&cursor=" + cursorAt(last)
	}
	return answer, nil
}

// escapedSize returns the part of maxListBytes that an RSVP takes.
func escapedSize(r event.RSVP) int { return len(`{\"name\":\"\"},`) + escapedLen(r.Name) }

// escapedLen returns the length of a text that is escaped twice, as a JSON string within a JSON string. U+0000 becomes
// 7 bytes (\\u0000).
func escapedLen(text string) (size int) {
	for _, r := range text {
		switch r {
		case '"', '\\':
			size += len(`\\\"`)
		case '\b', '\f', '\n', '\r', '\t':
			size += len(`\\n`)
		case '\u2028', '\u2029':
			size += len(`\\u0000`)
		default:
			if r < ' ' {
				size += len(`\\u0000`)
			} else {
				size += utf8.RuneLen(r)
			}
		}
	}
	return size
}

// A cursor is the position of the last RSVP of a page. It consists of the RSVP's instant, in nanoseconds since 1970,
// and of its id: 24 bytes, encoded in 32 characters.
const (
	cursorMoment = 8
	cursorSize   = cursorMoment + len(event.RSVPID{})
)

func cursorAt(p event.Position) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(p.CreatedAt.UnixNano()))
	return base64.RawURLEncoding.EncodeToString(append(b, p.ID[:]...))
}

// cursor returns the position in the query parameter cursor, or the start of the list if the parameter is missing. raw
// is the query before parsing: a parsed query lacks a parameter that cannot be unescaped.
func cursor(query url.Values, raw string) (p event.Position, err error) {
	sent := query["cursor"]
	unparsed := strings.HasPrefix(raw, "cursor=") || strings.Contains(raw, "&cursor=")
	if len(sent) == 0 && !unparsed {
		return p, nil
	}
	text := strings.Join(sent, ",") // a parameter that was sent twice is invalid
	b, err := base64.RawURLEncoding.DecodeString(text)
	whole := len(b) == cursorSize && len(text) == base64.RawURLEncoding.EncodedLen(cursorSize) // no line breaks
	if err != nil || !whole {
		return p, event.ValidationError{{Field: "cursor", Message: "must be the cursor of a Link header, sent once"}}
	}
	p.CreatedAt = time.Unix(0, int64(binary.BigEndian.Uint64(b))).UTC()
	copy(p.ID[:], b[cursorMoment:])
	return p, nil
}
