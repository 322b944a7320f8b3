package portable

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"turnout/internal/event"
)

// maxLine is the largest number of bytes of a line, many times as many as an event's texts need. An item of DynamoDB
// may have 400 KiB, so it holds the texts of any line.
const maxLine = 400_000

// A header is the first line.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

var current = header{"turnout", 1}

// A line has one of these members.
type line struct {
	Event     *eventLine  `json:"event,omitzero"`
	RSVP      *rsvpLine   `json:"rsvp,omitzero"`
	Withdrawn *hashLine   `json:"withdrawn,omitzero"`
	Erased    *erasedLine `json:"erased,omitzero"`
	End       *counts     `json:"end,omitzero"`
}

// The parts of a line. A member without omitzero is required.
type (
	eventLine struct {
		Token         event.Token  `json:"token"`
		Title         string       `json:"title"`
		Description   *string      `json:"description,omitzero"`
		DateTime      string       `json:"dateTime"`
		EndDateTime   *string      `json:"endDateTime,omitzero"`
		Timezone      string       `json:"timezone"`
		Location      *string      `json:"location,omitzero"`
		Host          *string      `json:"host,omitzero"`
		Language      *string      `json:"language,omitzero"`
		OrganizerHash hash         `json:"organizerHash"`
		Cancelled     *bool        `json:"cancelled"`
		Reason        *string      `json:"reason,omitzero"`
		MovedTo       *event.Token `json:"movedTo,omitzero"`
		CancelKeyHash hash         `json:"cancelKeyHash,omitzero"`
		CreatedAt     *moment      `json:"createdAt"`
		ExpiresAt     *moment      `json:"expiresAt"`
	}
	rsvpLine struct {
		Hash      *id     `json:"hash"`
		Name      string  `json:"name"`
		CreatedAt *moment `json:"createdAt"`
	}
	hashLine struct {
		Hash *id `json:"hash"`
	}
	erasedLine struct {
		Token     event.Token `json:"token"`
		ExpiresAt *moment     `json:"expiresAt"`
	}
)

// counts are the numbers of an export's lines.
type counts struct {
	Events    int `json:"events"`
	RSVPs     int `json:"rsvps"`
	Withdrawn int `json:"withdrawn"`
	Erased    int `json:"erased"`
}

func (c counts) String() string {
	return fmt.Sprintf("events %d, RSVPs %d, withdrawn RSVPs %d, erased events %d",
		c.Events, c.RSVPs, c.Withdrawn, c.Erased)
}

// add counts the lines of an event, and writes the counts to log from time to time.
func (c *counts) add(r event.Record, log io.Writer) {
	if r.Erased {
		c.Erased++
		return
	}
	for _, rsvp := range r.RSVPs {
		if rsvp.Name == "" {
			c.Withdrawn++
		} else {
			c.RSVPs++
		}
	}
	c.Events++
	if c.Events%1000 == 0 {
		fmt.Fprintln(log, *c)
	}
}

// write writes the lines of an event.
func write(w io.Writer, r event.Record) error {
	if r.Erased {
		return line{Erased: &erasedLine{r.Token, new(moment(r.ExpiresAt))}}.write(w)
	}
	err := line{Event: &eventLine{
		Token:         r.Token,
		Title:         r.Title,
		Description:   r.Description,
		DateTime:      r.DateTime,
		EndDateTime:   r.EndDateTime,
		Timezone:      r.Timezone,
		Location:      r.Location,
		Host:          r.Host,
		Language:      r.Language,
		OrganizerHash: hash(r.Organizer),
		Cancelled:     &r.Cancelled,
		Reason:        r.CancellationReason,
		MovedTo:       r.MovedTo,
		CancelKeyHash: hash(r.CancelKey),
		CreatedAt:     new(moment(r.CreatedAt)),
		ExpiresAt:     new(moment(r.ExpiresAt)),
	}}.write(w)
	for _, rsvp := range r.RSVPs {
		id := new(id(rsvp.ID))
		l := line{RSVP: &rsvpLine{id, rsvp.Name, new(moment(rsvp.CreatedAt))}}
		if rsvp.Name == "" {
			l = line{Withdrawn: &hashLine{id}}
		}
		err = cmp.Or(err, l.write(w))
	}
	return err
}

// write writes a line unless read would refuse it.
func (l line) write(w io.Writer) error {
	if err := l.check(); err != nil {
		return err
	}
	return writeLine(w, l)
}

func writeLine(w io.Writer, content any) error {
	text, err := json.Marshal(content)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// read calls do with each event of an export, and stops at the first error.
func read(from io.Reader, do func(event.Record) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine+1) // includes the end of the line
	r, n := reader{do: do}, 0
	for lines.Scan() {
		n++
		next := r.next
		if n == 1 {
			next = readHeader
		}
		if err := next(lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("it is longer than %d bytes, more than every store holds", maxLine)
		}
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	if !r.ended {
		return fmt.Errorf("the export is truncated: it ends after line %d without the line of counts", n)
	}
	return nil
}

func readHeader(text []byte) error {
	var h header
	if err := json.Unmarshal(text, &h); err != nil || h.Format != current.Format {
		return errors.New("an export of Turnout begins with the line of its format")
	}
	if h.Version != current.Version {
		return fmt.Errorf("the format has the version %d, this program knows %d", h.Version, current.Version)
	}
	return nil
}

// A reader collects the lines of each event.
type reader struct {
	do     func(event.Record) error
	counts counts
	open   *event.Record // the last event, whose RSVPs may follow
	ended  bool
}

func (r *reader) next(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	if err := l.check(); err != nil {
		return err
	}
	if r.ended {
		return errors.New("it follows the line of counts")
	}
	switch {
	case l.RSVP != nil:
		return r.add(l.RSVP.Hash, event.RSVP{Name: l.RSVP.Name, CreatedAt: time.Time(*l.RSVP.CreatedAt)})
	case l.Withdrawn != nil:
		return r.add(l.Withdrawn.Hash, event.RSVP{})
	}
	if err := r.close(); err != nil {
		return err
	}
	switch {
	case l.Event != nil:
		r.open = new(l.Event.record())
	case l.Erased != nil:
		r.open = new(l.Erased.record())
	case l.End != nil:
		r.ended = true
		if *l.End != r.counts {
			return fmt.Errorf("it counts %v, but the export has %v", *l.End, r.counts)
		}
	}
	return nil
}

// close passes on the open event, unless it is nil, because all its lines were read.
func (r *reader) close() error {
	if r.open == nil {
		return nil
	}
	if err := r.do(*r.open); err != nil {
		return err
	}
	r.counts.add(*r.open, io.Discard)
	r.open = nil
	return nil
}

// record returns the event of a line, still without RSVPs.
func (l *eventLine) record() event.Record {
	e := event.Event{
		Token:              l.Token,
		Title:              l.Title,
		Description:        l.Description,
		DateTime:           l.DateTime,
		EndDateTime:        l.EndDateTime,
		Timezone:           l.Timezone,
		Location:           l.Location,
		Host:               l.Host,
		Language:           l.Language,
		Cancelled:          *l.Cancelled,
		CancellationReason: l.Reason,
		MovedTo:            l.MovedTo,
		CreatedAt:          time.Time(*l.CreatedAt),
		ExpiresAt:          time.Time(*l.ExpiresAt),
	}
	return event.Record{Event: e, Organizer: event.Hash(l.OrganizerHash), CancelKey: event.Hash(l.CancelKeyHash)}
}

func (l *erasedLine) record() event.Record {
	return event.Record{Event: event.Event{Token: l.Token, ExpiresAt: time.Time(*l.ExpiresAt)}, Erased: true}
}

func (r *reader) add(of *id, rsvp event.RSVP) error {
	rsvp.ID = event.RSVPID(*of)
	if r.open == nil || r.open.Erased {
		return errors.New("it follows no event")
	}
	if n := len(r.open.RSVPs); n > 0 && bytes.Compare(r.open.RSVPs[n-1].ID[:], rsvp.ID[:]) >= 0 {
		return errors.New("hash is not after the hash of the line before")
	}
	r.open.RSVPs = append(r.open.RSVPs, rsvp)
	return nil
}

// A member is a member that a line must have.
type member struct {
	name    string
	missing bool
}

// check returns an error unless l has one member, with valid content.
func (l line) check() error {
	var required []member
	members := 0
	if e := l.Event; e != nil {
		members++
		required = []member{
			{"token", e.Token == event.Token{}},
			{"title", e.Title == ""},
			{"dateTime", e.DateTime == ""},
			{"timezone", e.Timezone == ""},
			{"organizerHash", e.OrganizerHash == hash{}},
			{"cancelled", e.Cancelled == nil},
			{"createdAt", e.CreatedAt == nil},
			{"expiresAt", e.ExpiresAt == nil},
		}
	}
	if r := l.RSVP; r != nil {
		members++
		required = []member{{"hash", r.Hash == nil}, {"name", r.Name == ""}, {"createdAt", r.CreatedAt == nil}}
	}
	if w := l.Withdrawn; w != nil {
		members++
		required = []member{{"hash", w.Hash == nil}}
	}
	if e := l.Erased; e != nil {
		members++
		required = []member{{"token", e.Token == event.Token{}}, {"expiresAt", e.ExpiresAt == nil}}
	}
	if l.End != nil {
		members++
	}
	if members != 1 {
		return errors.New("it must have one of event, rsvp, withdrawn, erased and end")
	}
	for _, m := range required {
		if m.missing {
			return fmt.Errorf("%s is missing", m.name)
		}
	}
	switch {
	case l.Event != nil && !isRFC3339(l.Event.DateTime):
		return errors.New("dateTime is not a date and time of RFC 3339")
	case l.Event != nil && l.Event.EndDateTime != nil && !isEnd(l.Event.DateTime, *l.Event.EndDateTime):
		return errors.New("endDateTime is not a date and time of RFC 3339 after dateTime, and at most 7 days after it")
	case l.Event != nil && l.Event.Language != nil && !event.IsLanguage(*l.Event.Language):
		return errors.New("language is not a language tag of BCP 47") // calendars do not escape it
	case l.Erased != nil && time.Time(*l.Erased.ExpiresAt).Nanosecond() != 0:
		return errors.New("expiresAt of an erased event has a fraction of a second")
	}
	return nil
}

// rfc3339 is the form of a date and time. time.Parse accepts others, too, which browsers do not.
var rfc3339 = regexp.MustCompile(`^.{10}T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func isRFC3339(text string) bool {
	_, err := parseDateTime(text)
	return err == nil && rfc3339.MatchString(strings.ToUpper(text))
}

func parseDateTime(text string) (time.Time, error) {
	return time.Parse(time.RFC3339, strings.ToUpper(text))
}

// isEnd reports whether an event with a valid date-time may have this end.
func isEnd(dateTime, end string) bool {
	from, _ := parseDateTime(dateTime)
	to, _ := parseDateTime(end)
	return isRFC3339(end) && event.IsEnd(from, to)
}

// Hashes and ids are in hexadecimal.
type (
	hash event.Hash
	id   event.RSVPID
)

func (h hash) MarshalText() ([]byte, error)     { return hex.AppendEncode(nil, h[:]), nil }
func (h id) MarshalText() ([]byte, error)       { return hex.AppendEncode(nil, h[:]), nil }
func (h *hash) UnmarshalText(text []byte) error { return decodeHash(h[:], text) }
func (h *id) UnmarshalText(text []byte) error   { return decodeHash(h[:], text) }

func decodeHash(h, text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) {
		return fmt.Errorf("not %d bytes in hexadecimal", len(h))
	}
	_, err := hex.Decode(h, text)
	return err
}

type moment time.Time

func (m moment) MarshalText() ([]byte, error) {
	return time.Time(m).UTC().AppendFormat(nil, time.RFC3339Nano), nil
}

func (m *moment) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil || t.Location() != time.UTC {
		return errors.New("not a moment in UTC")
	}
	*m = moment(t)
	return nil
}
