package portable

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"turnout/internal/event"
)

const (
	format  = "turnout"
	version = 1
	maxLine = 1 << 20 // bytes, many times what an event's texts take
)

// A line has one of these members, or the first two.
type line struct {
	Format    string      `json:"format,omitzero"`
	Version   int         `json:"version,omitzero"`
	Event     *eventLine  `json:"event,omitzero"`
	RSVP      *rsvpLine   `json:"rsvp,omitzero"`
	Withdrawn *hashLine   `json:"withdrawn,omitzero"`
	Erased    *erasedLine `json:"erased,omitzero"`
	End       *counts     `json:"end,omitzero"`
}

// In these, a member without omitzero is required.
type (
	eventLine struct {
		Token         event.Token  `json:"token"`
		Title         string       `json:"title"`
		Description   *string      `json:"description,omitzero"`
		DateTime      string       `json:"dateTime"`
		Timezone      string       `json:"timezone"`
		Location      *string      `json:"location,omitzero"`
		Host          *string      `json:"host,omitzero"`
		OrganizerHash hash         `json:"organizerHash"`
		Cancelled     *bool        `json:"cancelled"`
		Reason        *string      `json:"reason,omitzero"`
		MovedTo       *event.Token `json:"movedTo,omitzero"`
		CancelKeyHash hash         `json:"cancelKeyHash,omitzero"`
		CreatedAt     moment       `json:"createdAt"`
		ExpiresAt     moment       `json:"expiresAt"`
	}
	rsvpLine struct {
		Hash      *half  `json:"hash"`
		Name      string `json:"name"`
		CreatedAt moment `json:"createdAt"`
	}
	hashLine struct {
		Hash *half `json:"hash"`
	}
	erasedLine struct {
		Token     event.Token `json:"token"`
		ExpiresAt moment      `json:"expiresAt"`
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
	return fmt.Sprintf("events %d, RSVPs %d, withdrawn RSVPs %d, erased events %d", c.Events, c.RSVPs, c.Withdrawn, c.Erased)
}

// add counts the lines of an event, and writes the counts to log from time to time.
func (c *counts) add(r Record, log io.Writer) {
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
	if c.Events++; c.Events%1000 == 0 {
		fmt.Fprintln(log, *c)
	}
}

// write writes the lines of an event.
func (r Record) write(w io.Writer) error {
	if r.Erased {
		return line{Erased: &erasedLine{r.Token, moment(r.ExpiresAt)}}.write(w)
	}
	err := line{Event: &eventLine{
		r.Token, r.Title, r.Description, r.DateTime, r.Timezone, r.Location, r.Host, hash(r.Organizer),
		&r.Cancelled, r.CancellationReason, r.MovedTo, hash(r.CancelKey), moment(r.CreatedAt), moment(r.ExpiresAt),
	}}.write(w)
	for _, rsvp := range r.RSVPs {
		l, h := line{}, half(rsvp.Hash[:])
		if rsvp.Name == "" {
			l.Withdrawn = &hashLine{&h}
		} else {
			l.RSVP = &rsvpLine{&h, rsvp.Name, moment(rsvp.CreatedAt)}
		}
		err = cmp.Or(err, l.write(w))
	}
	return err
}

// record returns the event of a line, still without RSVPs.
func (l *eventLine) record() Record {
	e := event.Event{
		Token: l.Token, Title: l.Title, Description: l.Description, DateTime: l.DateTime, Timezone: l.Timezone, Location: l.Location, Host: l.Host,
		Cancelled: *l.Cancelled, CancellationReason: l.Reason, MovedTo: l.MovedTo, CreatedAt: time.Time(l.CreatedAt), ExpiresAt: time.Time(l.ExpiresAt),
	}
	return Record{Event: e, Organizer: event.Hash(l.OrganizerHash), CancelKey: event.Hash(l.CancelKeyHash)}
}

// write writes a line that read accepts.
func (l line) write(w io.Writer) error {
	text, err := json.Marshal(l)
	if err = cmp.Or(err, l.check()); err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// read calls do with each event of an export, and stops at the first error.
func read(from io.Reader, do func(Record) error) error {
	r := reader{do: do}
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		r.line++
		var l line
		err := json.Unmarshal(scanner.Bytes(), &l, json.RejectUnknownMembers(true))
		if err = cmp.Or(err, l.check()); err == nil {
			err = r.add(l)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("line %d: %w", r.line+1, err)
	}
	if !r.ended {
		return fmt.Errorf("the export is truncated: it ends after line %d without the line of counts", r.line)
	}
	return nil
}

// A reader collects the lines of each event.
type reader struct {
	do     func(Record) error
	line   int // number of the last line
	counts counts
	open   *Record // whose RSVPs may follow
	ended  bool
}

func (r *reader) add(l line) error {
	switch {
	case (l.Format != "") != (r.line == 1) || r.line == 1 && l.Format != format:
		return errors.New("an export of Turnout begins with the line of its format, and has it once")
	case r.line == 1 && l.Version != version:
		return fmt.Errorf("the format has the version %d, this program knows %d", l.Version, version)
	case r.ended:
		return errors.New("it follows the line of counts")
	case l.RSVP != nil:
		return r.addRSVP(event.RSVP{Hash: l.RSVP.Hash.whole(), Name: l.RSVP.Name, CreatedAt: time.Time(l.RSVP.CreatedAt)})
	case l.Withdrawn != nil:
		return r.addRSVP(event.RSVP{Hash: l.Withdrawn.Hash.whole()})
	}
	if r.open != nil { // it is complete
		if err := r.do(*r.open); err != nil {
			return err
		}
		r.counts.add(*r.open, io.Discard)
		r.open = nil
	}
	switch {
	case l.Event != nil:
		r.open = new(l.Event.record())
	case l.Erased != nil:
		r.open = &Record{Event: event.Event{Token: l.Erased.Token, ExpiresAt: time.Time(l.Erased.ExpiresAt)}, Erased: true}
	case l.End != nil && *l.End != r.counts:
		return fmt.Errorf("it counts %v, but the export has %v", *l.End, r.counts)
	case l.End != nil:
		r.ended = true
	}
	return nil
}

func (r *reader) addRSVP(rsvp event.RSVP) error {
	if r.open == nil || r.open.Erased {
		return errors.New("it follows no event")
	}
	if n := len(r.open.RSVPs); n > 0 && bytes.Compare(r.open.RSVPs[n-1].Hash[:], rsvp.Hash[:]) >= 0 {
		return errors.New("hash is not after that of the line before")
	}
	r.open.RSVPs = append(r.open.RSVPs, rsvp)
	return nil
}

// check returns an error unless l is the first line, or has one part with all that it must have.
func (l line) check() error {
	parts := 0
	for _, part := range reflect.ValueOf(l).Fields() {
		if part.Kind() != reflect.Pointer || part.IsNil() {
			continue
		}
		parts++
		for member, value := range part.Elem().Fields() {
			if name, options, _ := strings.Cut(member.Tag.Get("json"), ","); value.IsZero() && options == "" && !value.CanInt() {
				return fmt.Errorf("%s is missing", name)
			}
		}
	}
	if first := l.Format != "" || l.Version != 0; parts > 1 || first == (parts == 1) {
		return errors.New("it must have one of event, rsvp, withdrawn, erased and end, or be the first line")
	}
	if l.Event != nil {
		if _, err := time.Parse(time.RFC3339, strings.ToUpper(l.Event.DateTime)); err != nil {
			return errors.New("dateTime is not a date and time of RFC 3339")
		}
	}
	return nil
}

// A hash is in hexadecimal. half is the part of an RSVP's that event.Position compares.
type (
	hash event.Hash
	half [16]byte
)

func (h hash) MarshalText() ([]byte, error)     { return hex.AppendEncode(nil, h[:]), nil }
func (h half) MarshalText() ([]byte, error)     { return hex.AppendEncode(nil, h[:]), nil }
func (h *hash) UnmarshalText(text []byte) error { return decodeHash(h[:], text) }
func (h *half) UnmarshalText(text []byte) error { return decodeHash(h[:], text) }

func decodeHash(h, text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) {
		return fmt.Errorf("not %d bytes in hexadecimal", len(h))
	}
	_, err := hex.Decode(h, text)
	return err
}

func (h half) whole() (whole event.Hash) {
	copy(whole[:], h[:])
	return whole
}

type moment time.Time

func (m moment) MarshalText() ([]byte, error) {
	return time.Time(m).UTC().AppendFormat(nil, time.RFC3339Nano), nil
}

// An event of December 9999 expires in the year 10000, which time.Parse does not take. It is a leap
// year, as 2000 is.
func (m *moment) UnmarshalText(text []byte) error {
	s, years := string(text), 0
	if after, ok := strings.CutPrefix(s, "10000-"); ok {
		s, years = "2000-"+after, 8000
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !strings.HasSuffix(s, "Z") {
		return errors.New("not a moment in UTC")
	}
	*m = moment(t.AddDate(years, 0, 0).UTC())
	return nil
}
