package portable

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"turnout/internal/event"
)

const (
	format  = "turnout"
	version = 1

	hashSize = 16 // bytes of an RSVP's hash: as many as event.Position compares

	// maxLine is many times what an event's texts take.
	maxLine = 1 << 20
)

// A line has one of these members, or the first two.
type line struct {
	Format    string         `json:"format,omitzero"`
	Version   int            `json:"version,omitzero"`
	Event     *eventLine     `json:"event,omitzero"`
	RSVP      *rsvpLine      `json:"rsvp,omitzero"`
	Withdrawn *withdrawnLine `json:"withdrawn,omitzero"`
	Erased    *erasedLine    `json:"erased,omitzero"`
	End       *Counts        `json:"end,omitzero"`
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
		Hash      shortHash `json:"hash"`
		Name      string    `json:"name"`
		CreatedAt moment    `json:"createdAt"`
	}
	withdrawnLine struct {
		Hash shortHash `json:"hash"`
	}
	erasedLine struct {
		Token     event.Token `json:"token"`
		ExpiresAt moment      `json:"expiresAt"`
	}
)

// Counts are the numbers of an export's lines, in its last one.
type Counts struct {
	Events    int `json:"events"`
	RSVPs     int `json:"rsvps"`
	Withdrawn int `json:"withdrawn"`
	Erased    int `json:"erased"`
}

// Lines is the sum.
func (c Counts) Lines() int { return c.Events + c.RSVPs + c.Withdrawn + c.Erased }

func (c Counts) String() string {
	return fmt.Sprintf("events %d, RSVPs %d, withdrawn RSVPs %d, erased events %d", c.Events, c.RSVPs, c.Withdrawn, c.Erased)
}

// count counts a line.
func (c *Counts) count(l line) {
	switch {
	case l.Event != nil:
		c.Events++
	case l.RSVP != nil:
		c.RSVPs++
	case l.Withdrawn != nil:
		c.Withdrawn++
	case l.Erased != nil:
		c.Erased++
	}
}

// add counts the lines of an event.
func (c *Counts) add(r Record) {
	for _, l := range r.lines() {
		c.count(l)
	}
}

// lines returns the lines of an event.
func (r Record) lines() []line {
	if r.Erased {
		return []line{{Erased: &erasedLine{r.Token, moment(r.ExpiresAt)}}}
	}
	lines := make([]line, 1, 1+len(r.RSVPs))
	lines[0].Event = &eventLine{
		Token: r.Token, Title: r.Title, Description: r.Description, DateTime: r.DateTime, Timezone: r.Timezone, Location: r.Location, Host: r.Host,
		OrganizerHash: hash(r.Organizer), Cancelled: &r.Cancelled, Reason: r.CancellationReason, MovedTo: r.MovedTo, CancelKeyHash: hash(r.CancelKey),
		CreatedAt: moment(r.CreatedAt), ExpiresAt: moment(r.ExpiresAt),
	}
	for _, rsvp := range r.RSVPs {
		hash := shortHash(rsvp.Hash[:])
		if rsvp.Name == "" {
			lines = append(lines, line{Withdrawn: &withdrawnLine{hash}})
		} else {
			lines = append(lines, line{RSVP: &rsvpLine{hash, rsvp.Name, moment(rsvp.CreatedAt)}})
		}
	}
	return lines
}

// record returns the event of an eventLine, still without RSVPs.
func (l eventLine) record() Record {
	return Record{
		Event: event.Event{
			Token: l.Token, Title: l.Title, Description: l.Description, DateTime: l.DateTime, Timezone: l.Timezone, Location: l.Location, Host: l.Host,
			Cancelled: *l.Cancelled, CancellationReason: l.Reason, MovedTo: l.MovedTo,
			CreatedAt: time.Time(l.CreatedAt), ExpiresAt: time.Time(l.ExpiresAt),
		},
		Organizer: event.Hash(l.OrganizerHash), CancelKey: event.Hash(l.CancelKeyHash),
	}
}

// write writes a line that read accepts.
func (l line) write(w io.Writer) error {
	text, err := json.Marshal(l)
	if err = cmp.Or(err, l.check()); err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// write writes the lines of an event.
func (r Record) write(w io.Writer) (err error) {
	for _, l := range r.lines() {
		err = cmp.Or(err, l.write(w))
	}
	return err
}

// read yields the events of an export. After an error, which is that of a line, it yields nothing.
func read(from io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		r := reader{scanner: bufio.NewScanner(from)}
		r.scanner.Buffer(nil, maxLine)
		for {
			record, err := r.next()
			if err == io.EOF || !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// A reader reads an export.
type reader struct {
	scanner *bufio.Scanner
	line    int // number of the last line
	counts  Counts
	open    *Record // whose RSVPs may follow
	ended   bool
}

// next returns the next whole event, or io.EOF after the last line of a complete export.
func (r *reader) next() (Record, error) {
	for {
		l, err := r.scan()
		if err == io.EOF && r.ended {
			return Record{}, io.EOF
		}
		if err == io.EOF {
			return Record{}, fmt.Errorf("the export is truncated: it ends after line %d without the line of counts", r.line)
		}
		done := r.open
		if err == nil {
			err = r.add(l)
		}
		if err != nil {
			return Record{}, fmt.Errorf("line %d: %w", r.line, err)
		}
		if done != nil && done != r.open {
			return *done, nil
		}
	}
}

// add adds a line to the open event, or ends it.
func (r *reader) add(l line) error {
	first := r.line == 1
	r.counts.count(l)
	switch {
	case first && (l.Format != format || l.Version == 0):
		return errors.New("it is not the first line of an export of Turnout")
	case !first && l.Format != "":
		return errors.New("it is a first line")
	case first && l.Version != version:
		return fmt.Errorf("the format has the version %d, this program knows %d", l.Version, version)
	case first:
	case r.ended:
		return errors.New("it follows the line of counts")
	case l.Event != nil:
		r.open = new(l.Event.record())
	case l.Erased != nil:
		r.open = &Record{Event: event.Event{Token: l.Erased.Token, ExpiresAt: time.Time(l.Erased.ExpiresAt)}, Erased: true}
	case l.RSVP != nil:
		return r.addRSVP(event.RSVP{Hash: l.RSVP.Hash.whole(), Name: l.RSVP.Name, CreatedAt: time.Time(l.RSVP.CreatedAt)})
	case l.Withdrawn != nil:
		return r.addRSVP(event.RSVP{Hash: l.Withdrawn.Hash.whole()})
	case l.End != nil:
		r.open, r.ended = nil, true
		if *l.End != r.counts {
			return fmt.Errorf("it counts %v, but the export has %v", l.End, r.counts)
		}
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

// scan reads a line, or returns io.EOF.
func (r *reader) scan() (l line, err error) {
	if !r.scanner.Scan() && r.scanner.Err() == nil {
		return line{}, io.EOF
	}
	r.line++
	if err := r.scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return line{}, fmt.Errorf("it is longer than %d bytes", maxLine)
	} else if err != nil {
		return line{}, err
	}
	err = json.Unmarshal(r.scanner.Bytes(), &l, json.RejectUnknownMembers(true))
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return l, fmt.Errorf("invalid JSON: %w at byte %d", syntax.Err, syntax.ByteOffset)
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		if errors.Is(err, json.ErrUnknownName) {
			return l, fmt.Errorf("%q is unknown to this program", semantic.JSONPointer)
		}
		return l, fmt.Errorf("%q has an invalid value", semantic.JSONPointer)
	}
	return l, cmp.Or(err, l.check())
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
			name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
			if value.IsZero() && options == "" && value.Kind() != reflect.Int {
				return fmt.Errorf("%s is missing", name)
			}
		}
	}
	if first := l.Format != "" || l.Version != 0; parts > 1 || first == (parts == 1) {
		return errors.New("it must have one of event, rsvp, withdrawn, erased and end, or be the first line")
	}
	if l.Event == nil {
		return nil
	}
	if _, err := time.Parse(time.RFC3339, strings.ToUpper(l.Event.DateTime)); err != nil {
		return errors.New("dateTime is not a date and time of RFC 3339")
	}
	return nil
}

type (
	hash      event.Hash
	shortHash [hashSize]byte
	moment    time.Time
)

var (
	errHash   = errors.New("not a hash in hexadecimal")
	errMoment = errors.New("not a moment in UTC")
)

func (h hash) MarshalText() ([]byte, error)      { return hex.AppendEncode(nil, h[:]), nil }
func (h shortHash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

func (h *hash) UnmarshalText(text []byte) error      { return decodeHash(h[:], text) }
func (h *shortHash) UnmarshalText(text []byte) error { return decodeHash(h[:], text) }

func decodeHash(h, text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return errHash
	}
	_, err := hex.Decode(h, text)
	return err
}

// whole returns the part of a hash that counts.
func (h shortHash) whole() (whole event.Hash) {
	copy(whole[:], h[:])
	return whole
}

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
		return errMoment
	}
	*m = moment(t.AddDate(years, 0, 0).UTC())
	return nil
}
