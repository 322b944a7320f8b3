package portable_test

import (
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/portable"
)

// sample is an export in the format that doc.go describes.
const sample = `{"format":"turnout","version":1}
{"event":{"token":"0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10","title":"Picnic","description":"","dateTime":"2099-05-01T15:00:00+02:00","endDateTime":"2099-05-01T18:00:00+02:00","timezone":"Europe/Berlin","location":"the park","host":"Mara","language":"de-AT","organizerHash":"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff","cancelled":true,"reason":"rain","movedTo":"1b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10","cancelKeyHash":"ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff","createdAt":"2026-11-23T10:00:00.000000001Z","expiresAt":"9999-12-31T23:59:59.999999999Z"}}
{"rsvp":{"hash":"00000000000000000000000000000000","name":"Ada","createdAt":"2026-11-23T10:00:00.1Z"}}
{"withdrawn":{"hash":"10112233445566778899aabbccddeeff"}}
{"rsvp":{"hash":"20112233445566778899aabbccddeeff","name":"Ada","createdAt":"2026-11-23T10:00:00Z"}}
{"event":{"token":"2b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10","title":"Party","dateTime":"2099-05-01T15:00:00Z","timezone":"UTC","organizerHash":"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff","cancelled":false,"createdAt":"2026-11-23T10:00:00Z","expiresAt":"2099-05-08T15:00:00Z"}}
{"erased":{"token":"3b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10","expiresAt":"2099-05-08T15:00:00Z"}}
{"end":{"events":2,"rsvps":2,"withdrawn":1,"erased":1}}
`

// TestFormat: the sample is imported only once, and an export then equals the sample.
func TestFormat(t *testing.T) {
	s := newFile(t)
	for _, want := range []string{
		"imported: events 2, RSVPs 2, withdrawn RSVPs 1, erased events 1; already there 0, different 0\n",
		"imported: events 0, RSVPs 0, withdrawn RSVPs 0, erased events 0; already there 3, different 0\n",
	} {
		if got, err := importInto(s, sample); got != want || err != nil {
			t.Error(got, err)
		}
	}
	if got := export(t, s); got != sample {
		t.Errorf("exported is\n%s", got)
	}
	picnic, _ := event.ParseToken("0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10")
	r, err := s.Record(t.Context(), picnic)
	must(t, err)
	for field, value := range reflect.ValueOf(r.Event).Fields() {
		if value.IsZero() && field.Name != "AttendeeCount" { // stores compute the count
			t.Errorf("the sample's first event has no %s: set it, so that a format which loses it fails", field.Name)
		}
	}
	described, err := os.ReadFile("doc.go")
	must(t, err)
	for _, member := range regexp.MustCompile(`"\w+":`).FindAllString(sample, -1) {
		if !strings.Contains(string(described), member) {
			t.Errorf("doc.go does not describe %s, so that another program which writes the format loses it", member)
		}
	}
}

// TestRefuses: an error names the line and its fault. Each case is the valid sample with one fault.
func TestRefuses(t *testing.T) {
	lines := slices.Collect(strings.Lines(sample))
	without := func(from, to int) string { return strings.Join(slices.Delete(slices.Clone(lines), from, to), "") }
	twice := func(n int) string { return strings.Join(slices.Insert(slices.Clone(lines), n, lines[n]), "") }
	swapped := func(a, b int) string {
		s := slices.Clone(lines)
		s[a], s[b] = s[b], s[a]
		return strings.Join(s, "")
	}
	in := func(old, with string) string { return strings.Replace(sample, old, with, 1) }
	for export, want := range map[string]string{
		"":                                      "truncated: it ends after line 0",
		lines[0]:                                "truncated: it ends after line 1",
		without(7, 8):                           "truncated: it ends after line 7",
		sample[:len(sample)-5]:                  "line 8: jsontext: unexpected EOF",
		sample[:strings.Index(sample, "Party")]: "line 6: jsontext: unexpected EOF",
		without(0, 1):                           "line 1: an export of Turnout begins",
		without(1, 2):                           "line 2: it follows no event",
		without(2, 3):                           "erased events 1, but the export has events 2, RSVPs 1,",
		without(5, 6):                           "line 7: it counts",
		without(6, 7):                           "line 7: it counts",
		twice(0):                                `unknown object member name "format"`,
		twice(1):                                "line 9: it counts events 2",
		twice(2):                                "line 4: hash is not after",
		twice(3):                                "line 5: hash is not after",
		twice(6):                                "line 9: it counts",
		twice(7):                                "line 9: it follows the line of counts",
		sample + sample:                         `line 9: `,
		swapped(2, 3):                           "line 4: hash is not after",
		swapped(0, 1):                           "line 1: ",
		in(`"version":1`, `"version":2`):        "line 1: the format has the version 2, this program knows 1",
		in(`"version":1`, `"version":-1`):       "line 1: the format has the version -1",
		in(`turnout`, `other`):                  "line 1: an export of Turnout begins",
		in(`"title"`, `"colour":"red","title"`): `unknown object member name "colour"`,
		in(`"title"`, `"Title"`):                `unknown object member name "Title"`,
		in(`"hash"`, `"host":1,"hash"`):         `unknown object member name "host"`,
		in(`{"withdrawn"`, `{"guest":{},"withdrawn"`):                 `unknown object member name "guest"`,
		in(`"title":"Picnic",`, `"title":"Picnic","title":"Picnic",`): "line 2: jsontext: duplicate object member name",
		in(`Picnic`, "Pic\xffnic"):                                    "line 2: jsontext: invalid UTF-8",
		in(`Picnic`, `\ud800`):                                        "line 2: jsontext: invalid surrogate pair",
		in(`"Picnic"`, `""`):                                          "line 2: title is missing",
		in(`"Picnic"`, `null`):                                        "line 2: title is missing",
		in(`"Picnic"`, `7`):                                           `within "/event/title"`,
		in(`de-AT`, `de:x\r\nATTACH`):                                 "line 2: language is not a language tag",
		in(`"cancelled":true,`, ``):                                   "line 2: cancelled is missing",
		in(`"name":"Ada",`, ``):                                       "line 3: name is missing",
		in(`"createdAt":"2026-11-23T10:00:00.000000001Z",`, ``):       "line 2: createdAt is missing",
		in(`00.000000001Z`, `00+01:00`):                               `within "/event/createdAt"`,
		in(`9999-12-31T`, `10000-01-08T`):                             `within "/event/expiresAt"`,
		in(`2099-05-01T15:00:00+02:00`, `tomorrow`):                   "line 2: dateTime is not",
		in(`15:00:00+02:00`, `15:00:00,5+02:00`):                      "line 2: dateTime is not",
		in(`15:00:00+02:00`, `15:00:00+24:00`):                        "line 2: dateTime is not",
		in(`15:00:00+02:00`, `5:00:00+02:00`):                         "line 2: dateTime is not",
		in(`18:00:00+02:00`, `15:00:00+02:00`):                        "line 2: endDateTime is not",
		in(`2099-05-01T18:00:00+02:00`, `2099-05-08T15:00:01+02:00`):  "line 2: endDateTime is not",
		in(`2099-05-01T18:00:00+02:00`, `tonight`):                    "line 2: endDateTime is not",
		in(`18:00:00+02:00`, `18:00:00,5+02:00`):                      "line 2: endDateTime is not",
		in(`18:00:00+02:00`, `18:00:00`):                              "line 2: endDateTime is not",
		in(`"2099-05-01T18:00:00+02:00"`, `7`):                        `within "/event/endDateTime"`,
		in(`0b5d4a52-`, `0b5d4a52`):                                   `within "/event/token"`,
		in(`"ff1122`, `"1122`):                                        `within "/event/cancelKeyHash"`,
		in(`"hash":"00`, `"hash":"xx`):                                `within "/rsvp/hash"`,
		in(`}}`, `},"end":{}}`):                                       "line 2: it must have one of",
		in("\n{\"rsvp\"", "\n\n{\"rsvp\""):                            "line 3: jsontext: unexpected EOF",
		in("\n{\"rsvp\"", "\n[]\n{\"rsvp\""):                          "line 3: ",
		in("Picnic", strings.Repeat("a", 400_000)):                    "line 2: it is longer than 400000 bytes",
		in("00Z\"}}\n{\"end\"", "00.5Z\"}}\n{\"end\""):                "line 7: expiresAt of an erased event has",
	} {
		s := newFile(t)
		_, err := importInto(s, export)
		checked := portable.Check(strings.NewReader(export))
		if err == nil || checked == nil {
			t.Errorf("%.300q\nis not refused: %v, %v", export, err, checked)
			continue
		}
		if !strings.Contains(checked.Error(), want) || !strings.Contains(err.Error(), checked.Error()) {
			t.Errorf("%.300q\nis refused with %v, want %s", export, err, want)
		}
	}
}

// TestExtremes: both stores can hold and return every valid event with its guest, even from the longest line.
func TestExtremes(t *testing.T) {
	lines := slices.Collect(strings.Lines(sample))
	picnic, _ := event.ParseToken("0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10")
	in := func(old, with string) string { return strings.Replace(strings.Join(lines[1:3], ""), old, with, 1) }
	lasts := func(from, to string) string {
		return in(`2099-05-01T15:00:00+02:00","endDateTime":"2099-05-01T18:00:00+02:00`, from+`","endDateTime":"`+to)
	}
	for name, open := range map[string]func(*testing.T) store{"file": newFile, "table": newTable} {
		t.Run(name, func(t *testing.T) {
			for _, changed := range []string{
				in("2026-11-23T10:00:00.000000001Z", "0000-01-01T00:00:00Z"),
				in("2026-11-23T10:00:00.000000001Z", "0001-01-01T00:00:00Z"),
				in("2026-11-23T10:00:00.000000001Z", "1970-01-01T00:00:00.5Z"),
				in("2026-11-23T10:00:00.000000001Z", "9999-12-31T23:59:59.999999999Z"),
				in("9999-12-31T23:59:59.999999999Z", "0000-01-01T00:00:00Z"),
				in("9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z"),
				in("9999-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z"),
				in("2026-11-23T10:00:00.1Z", "0000-01-01T00:00:00Z"),
				in("2026-11-23T10:00:00.1Z", "1970-01-01T00:00:00Z"),
				in("2026-11-23T10:00:00.1Z", "9999-12-31T23:59:59.999999999Z"),
				lasts("0000-01-01T00:00:00+14:00", "0000-01-08T00:00:00+14:00"),
				lasts("9999-12-31t23:59:59.999999998-23:59", "9999-12-31t23:59:59.999999999-23:59"),
				in("Europe/Berlin", "Atlantis/Poseidonis"),
				in("Picnic", strings.Repeat("a", 400_000-len(strings.TrimSuffix(in("Picnic", ""), lines[2]))+1)),
			} {
				text := lines[0] + changed + `{"end":{"events":1,"rsvps":1,"withdrawn":0,"erased":0}}` + "\n"
				s := open(t)
				if _, err := importInto(s, text); err != nil {
					t.Fatalf("%.300s\n%v", text, err)
				}
				if got := export(t, s); got != text {
					t.Errorf("%.300s\nexported is\n%.300s", text, got)
				}
				r, err := s.Record(t.Context(), picnic)
				must(t, err)
				e, err := s.GetEvent(t.Context(), picnic)
				must(t, err)
				guests, err := storetest.List(t.Context(), s, picnic, r.Organizer)
				must(t, err)
				if e.AttendeeCount != 1 || len(guests) != 1 {
					t.Errorf("%.300s\n%d guests are counted, %d listed", text, e.AttendeeCount, len(guests))
				}
			}
		})
	}
}

// TestExportsWhatCanBeImported: an export has no line that an import would refuse.
func TestExportsWhatCanBeImported(t *testing.T) {
	s := newFile(t)
	e := event.Event{Token: event.NewToken(), Title: "Picnic", DateTime: "2099-05-01", Timezone: "UTC"}
	e.CreatedAt, e.ExpiresAt = time.Unix(1, 0), time.Unix(1, 0)
	must(t, s.CreateEvent(t.Context(), e, event.Hash{1}))
	err := portable.Export(t.Context(), s, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), e.Token.String()+": dateTime is not") {
		t.Error(err)
	}
}

// TestDifferent: if the store already has an event with different content, the import does not change the event, and
// the message names the event.
func TestDifferent(t *testing.T) {
	lines := slices.Collect(strings.Lines(sample))
	for name, open := range map[string]func(*testing.T) store{"file": newFile, "table": newTable} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			_, err := importInto(s, sample)
			must(t, err)
			before := export(t, s)
			for other, event := range map[string]string{
				strings.Replace(sample, "Picnic", "Party", 1):                                    "0b5d",
				strings.Replace(sample, `"description":"",`, "", 1):                              "0b5d",
				strings.Replace(sample, "00.1Z", "00.2Z", 1):                                     "0b5d",
				strings.Replace(sample, "2099-05-08", "2099-05-09", 1):                           "2b5d",
				lines[0] + strings.Replace(lines[6], "3b5d", "2b5d", 1) + `{"end":{"erased":1}}`: "2b5d",
				lines[0] + strings.Replace(lines[5], "2b5d", "3b5d", 1) + `{"end":{"events":1}}`: "3b5d",
			} {
				got, err := importInto(s, other)
				want := "different, and left as it is: event " + event +
					"4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10\nimported: events 0, RSVPs 0,"
				if err == nil || !strings.HasPrefix(got, want) || strings.Count(got, "left as") > 1 {
					t.Errorf("%s%v, want %s", got, err, want)
				}
			}
			if after := export(t, s); after != before {
				t.Errorf("exported is\n%s", after)
			}
		})
	}
}

// TestErasedUntilTheLastYear: an erased event may have an expiry in the format's last second. Both stores can import
// the export of such an event.
func TestErasedUntilTheLastYear(t *testing.T) {
	picnic, _ := event.ParseToken("0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10")
	for name, open := range map[string]func(*testing.T) store{"file": newFile, "table": newTable} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			_, err := importInto(s, sample)
			must(t, err)
			_, err = s.EraseEvent(t.Context(), picnic, time.Now())
			must(t, err)
			text := export(t, s)
			want := `{"erased":{"token":"` + picnic.String() + `","expiresAt":"9999-12-31T23:59:59Z"}}`
			if !strings.Contains(text, want) {
				t.Errorf("without %s, exported is\n%s", want, text)
			}
			for _, to := range []store{s, newFile(t), newTable(t)} {
				for range 2 {
					if got, err := importInto(to, text); err != nil {
						t.Errorf("%s%v", got, err)
					}
				}
			}
		})
	}
}
