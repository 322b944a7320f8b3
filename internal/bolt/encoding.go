package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"iter"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"turnout/internal/event"
)

var (
	itemsBucket  = []byte("items")
	expiryBucket = []byte("expiry")
	stateBucket  = []byte("state")

	buckets = [][]byte{expiryBucket, itemsBucket, stateBucket} // all buckets, sorted by name

	versionKey = []byte("version")
	horizonKey = []byte("horizon") // a sweep moves it
	probeKey   = []byte("probe")   // Store.Health writes this key
)

// firstVersion is the version of files whose records have no added text.
const firstVersion = 2

// version is the latest version of files that this program writes. It refuses files of a later version.
var version = firstVersion + byte(len(new(details).added()))

// versionOf returns the version of a file.
func versionOf(tx *bbolt.Tx) (byte, error) {
	state := tx.Bucket(stateBucket)
	if state == nil {
		return 0, errBuckets
	}
	content, err := verifyChecksum(versionKey, state.Get(versionKey))
	if err != nil || len(content) != 1 {
		return 0, cmp.Or(err, errDamaged)
	}
	return content[0], nil
}

// The kinds of items, in the order of their keys.
const (
	detailsKind = iota + 1
	counterKind
	rsvpKind
)

func detailsKey(token event.Token) []byte { return append(token[:], detailsKind) }
func counterKey(token event.Token) []byte { return append(token[:], counterKind) }

func rsvpKey(token event.Token, id event.RSVPID) []byte {
	return slices.Concat(token[:], []byte{rsvpKind}, id[:])
}

func expiryKey(at time.Time, token event.Token) []byte {
	return append(appendTime(nil, at), token[:]...)
}

const timeSize = 12

// appendTime writes an instant of any year. The bytes sort as the instants do.
func appendTime(b []byte, t time.Time) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

func timeFrom(b []byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(b)^1<<63), int64(binary.BigEndian.Uint32(b[8:]))).UTC()
}

var errDamaged = errors.New("a value does not match its checksum")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(key, content []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, content)
}

// appendChecksum appends the checksum of a value under its key.
func appendChecksum(key, content []byte) []byte {
	return binary.BigEndian.AppendUint32(content, checksum(key, content))
}

// verifyChecksum returns the content of a value, or errDamaged.
func verifyChecksum(key, value []byte) ([]byte, error) {
	n := len(value) - 4
	if n < 0 || binary.BigEndian.Uint32(value[n:]) != checksum(key, value[:n]) {
		return nil, errDamaged
	}
	return value[:n], nil
}

// details are an event without its RSVPs and their number. An erased event has no title.
//
// A file has the highest version of its records, so that an earlier program reads the file as long as no event has a
// text that the program does not know.
type details struct{ event.Record }

// added returns the texts that were added to the end of the record, the latest last. Each raised the version by one.
func (d *details) added() []**string { return []**string{&d.EndDateTime} }

// version returns the version of the record.
func (d details) version() byte {
	v := byte(firstVersion)
	for i, text := range d.added() {
		if *text != nil {
			v = firstVersion + byte(i+1)
		}
	}
	return v
}

const detailsFixedSize = len(event.Hash{}) + 2*timeSize + 1

func (d details) encode() []byte {
	b := append(make([]byte, 0, 512), d.Organizer[:]...)
	b = appendTime(appendTime(b, d.CreatedAt), d.ExpiresAt)
	if d.Cancelled {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	var cancelKey, movedTo *string
	if d.CancelKey != (event.Hash{}) {
		cancelKey = new(string(d.CancelKey[:]))
	}
	if d.MovedTo != nil {
		movedTo = new(d.MovedTo.String())
	}
	for _, text := range []*string{
		&d.Title, d.Description, &d.DateTime, &d.Timezone, d.Location, d.CancellationReason, cancelKey, movedTo,
		d.Host, d.Language,
	} {
		b = appendText(b, text)
	}
	for _, text := range d.added()[:d.version()-firstVersion] {
		b = appendText(b, *text)
	}
	return b
}

func decodeDetails(key, value []byte) (d details, err error) {
	content, err := verifyChecksum(key, value)
	if err != nil || len(content) < detailsFixedSize {
		return d, cmp.Or(err, errDamaged)
	}
	d.Token, d.Organizer = event.Token(key), event.Hash(content)
	times := content[len(d.Organizer):]
	d.CreatedAt, d.ExpiresAt = timeFrom(times), timeFrom(times[timeSize:])
	d.Cancelled = content[detailsFixedSize-1] == 1
	rest := string(content[detailsFixedSize:])
	var title, dateTime, timezone, cancelKey, movedTo *string
	for _, text := range []**string{
		&title, &d.Description, &dateTime, &timezone, &d.Location, &d.CancellationReason, &cancelKey, &movedTo,
		&d.Host, &d.Language,
	} {
		*text, rest, err = cutText(rest)
		if err != nil {
			return d, err
		}
	}
	for _, text := range d.added() {
		if rest == "" {
			break
		}
		*text, rest, err = cutText(rest)
		if err != nil {
			return d, err
		}
	}
	if title == nil || dateTime == nil || timezone == nil || rest != "" {
		return d, errDamaged
	}
	d.Title, d.DateTime, d.Timezone = *title, *dateTime, *timezone
	d.Erased = d.Title == ""
	if cancelKey != nil && len(*cancelKey) == len(d.CancelKey) {
		d.CancelKey = event.Hash([]byte(*cancelKey))
	}
	if movedTo != nil {
		token, ok := event.ParseToken(*movedTo)
		if !ok {
			return d, errDamaged
		}
		d.MovedTo = &token
	}
	return d, nil
}

// absent is the length of a text that is not set.
const absent = 1<<32 - 1

// appendText writes the length of a text, 4 bytes, and the text.
func appendText(b []byte, text *string) []byte {
	if text == nil {
		return binary.BigEndian.AppendUint32(b, absent)
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(len(*text))), *text...)
}

// cutText reads a text, which shares the memory of the record: nil if it is not set.
func cutText(record string) (text *string, rest string, err error) {
	if len(record) < 4 {
		return nil, "", errDamaged
	}
	n, rest := int64(binary.BigEndian.Uint32([]byte(record[:4]))), record[4:]
	if n == absent {
		return nil, rest, nil
	}
	if n > int64(len(rest)) {
		return nil, "", errDamaged
	}
	return new(rest[:n]), rest[n:], nil
}

// detailsOf reads the details of an event. It returns ErrErased for an erased event, and ErrEventNotFound if there is
// no event.
func detailsOf(tx *bbolt.Tx, token event.Token) (details, error) {
	d, err := storedDetails(tx, token)
	if err == nil && d.Erased {
		return details{}, ErrErased
	}
	return d, err
}

// storedDetails reads the details of an event, even of an erased one, or returns ErrEventNotFound.
func storedDetails(tx *bbolt.Tx, token event.Token) (details, error) {
	key := detailsKey(token)
	value := tx.Bucket(itemsBucket).Get(key)
	if value == nil {
		return details{}, event.ErrEventNotFound
	}
	return decodeDetails(key, value)
}

// A counter holds the number of an event's RSVPs and the time of the latest.
type counter struct {
	rsvps uint64
	last  time.Time
}

const counterSize = 8 + timeSize

func (c counter) encode() []byte {
	return appendTime(binary.BigEndian.AppendUint64(nil, c.rsvps), c.last)
}

func decodeCounter(key, value []byte) (counter, error) {
	content, err := verifyChecksum(key, value)
	if err != nil || len(content) != counterSize {
		return counter{}, cmp.Or(err, errDamaged)
	}
	return counter{binary.BigEndian.Uint64(content), timeFrom(content[8:])}, nil
}

// counterOf reads the counter of an event that has details.
func counterOf(tx *bbolt.Tx, token event.Token) (counter, error) {
	key := counterKey(token)
	return decodeCounter(key, tx.Bucket(itemsBucket).Get(key))
}

// encodeRSVP returns the record of an RSVP. An RSVP that was cancelled has no name, and an empty record, so
// that its token stays taken.
func encodeRSVP(r event.RSVP) []byte {
	if r.Name == "" {
		return nil
	}
	return append(appendTime(make([]byte, 0, 64), r.CreatedAt), r.Name...)
}

// decodeRSVP returns an RSVP with the id in its key.
func decodeRSVP(key, value []byte) (r event.RSVP, err error) {
	copy(r.ID[:], key[len(key)-len(r.ID):])
	content, err := verifyChecksum(key, value)
	switch {
	case err != nil || len(content) == 0:
		return r, err
	case len(content) < timeSize:
		return r, errDamaged
	}
	r.Name, r.CreatedAt = string(content[timeSize:]), timeFrom(content)
	return r, nil
}

// rsvpOf reads an RSVP, and reports whether its token is taken.
func rsvpOf(tx *bbolt.Tx, key []byte) (r event.RSVP, taken bool, err error) {
	value := tx.Bucket(itemsBucket).Get(key)
	if value == nil {
		return r, false, nil
	}
	r, err = decodeRSVP(key, value)
	return r, true, err
}

// rsvps are an event's RSVPs in the order of their ids, cancelled RSVPs included.
func rsvps(tx *bbolt.Tx, token event.Token) iter.Seq2[event.RSVP, error] {
	return func(yield func(event.RSVP, error) bool) {
		prefix := append(token[:], rsvpKind)
		cursor := tx.Bucket(itemsBucket).Cursor()
		key, value := cursor.Seek(prefix)
		for bytes.HasPrefix(key, prefix) && yield(decodeRSVP(key, value)) {
			key, value = cursor.Next()
		}
	}
}

// rsvpsOf returns the first RSVPs of an event, at most limit, in the order of their ids, cancelled RSVPs included.
func rsvpsOf(tx *bbolt.Tx, token event.Token, limit int) (list []event.RSVP, err error) {
	for r, err := range rsvps(tx, token) {
		if err != nil {
			return nil, err
		}
		if len(list) == limit {
			break
		}
		list = append(list, r)
	}
	return list, nil
}
