package locale

import (
	"cmp"
	_ "embed" // embeds languages.json
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"turnout/internal/event"
)

// Dates writes dates for a language or a region. It makes the words for an event's date and time, which the site's
// script shows unchanged. Programs that need only Dates do not link the site's texts.
type Dates struct {
	Tag    string // the tag of the format in languages.json
	format format
}

// A format says how a language or a region writes dates and numbers, as in CLDR, and has two words for previews.
type format struct {
	Lang              string   // attribute lang, if not the tag: pt is Brazilian Portuguese
	Direction         string   // rtl for a language written from right to left, else empty
	Months            string   // names of the months in the form that dates need
	Weekdays          string   // names of the weekdays in the form that dates need, Sunday first
	Date, WithoutYear string   // patterns for a date with and without the year
	FirstDay          string   // the first day of a month, if a language does not write a plain 1
	Joint             string   // text between date and time
	Comma             string   // text between date and two times, if not a comma and a space
	Dash              string   // text between start and end, if not an en dash
	Clock             string   // pattern of the time; {half} is one of Halves
	Halves            string   // names of the halves of a day, separated by |
	Group             string   // separator of groups of digits
	GroupedFrom       int      // the least number of digits that are grouped
	Lakhs             bool     // each group except the last has two digits
	Cancelled, Moved  string   // words for a cancelled or a moved event, as in the texts
	Regions           []string // further tags with this format, in lower case
}

//go:embed languages.json
var languages []byte

// formats returns the format of each tag in languages.json. A region inherits from its language all fields that the
// region does not set.
var formats = sync.OnceValue(func() map[string]format {
	all, given := map[string]format{}, map[string]json.RawMessage{}
	err := json.Unmarshal(languages, &given)
	for tag, own := range given {
		var f format
		language, _, _ := strings.Cut(tag, "-")
		err = cmp.Or(err, json.Unmarshal(given[language], &f))
		f.Regions = nil
		err = cmp.Or(err, json.Unmarshal(own, &f))
		all[tag] = f
	}
	if err != nil {
		panic(err) // cannot happen, because tests read every format
	}
	return all
})

// DatesOf returns the Dates for a language tag, or nil if the site does not have the language.
func DatesOf(tag string) *Dates {
	if tag = formatOf(strings.ToLower(tag)); tag == "" {
		return nil
	}
	return &Dates{tag, formats()[tag]}
}

// Start returns the instant at which an event begins, in the event's time zone. If the zone is not known, the instant
// has the offset of the event's date-time. ok is false for an invalid date-time, which no store returns.
func Start(e event.Event) (at time.Time, ok bool) { return instant(e.DateTime, e.Timezone) }

// End returns the instant at which an event ends, like Start. ok is false if the event has no end, or an end that the
// service would refuse, which no store returns.
func End(e event.Event) (at time.Time, ok bool) {
	if e.EndDateTime == nil {
		return time.Time{}, false
	}
	start, _ := Start(e)
	at, ok = instant(*e.EndDateTime, e.Timezone)
	if !ok || !event.IsEnd(start, at) {
		return time.Time{}, false
	}
	return at, true
}

func instant(dateTime, timezone string) (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(dateTime))
	if err != nil {
		return time.Time{}, false
	}
	if zone := zoneOf(timezone); zone != nil {
		at = at.In(zone)
	}
	return at, true
}

// lastDate returns the end of an event that needs a date of its own in words. An end on the day of the start needs
// none, and neither does an end in the first night, until six o'clock.
func lastDate(start time.Time, e event.Event) (end time.Time, ok bool) {
	const date = "2006-01-02"
	end, ok = End(e)
	isNight := end.Sub(start) < 24*time.Hour && end.Format("15:04:05.000") <= "06:00:00.000"
	return end, ok && !isNight && end.Format(date) != start.Format(date)
}

// zones caches the zones by name, because a page asks for its event's zone some twenty times, and loading a zone takes
// longer than writing a date.
var zones sync.Map

// zoneOf returns the zone of a name, or nil if the name is not known.
func zoneOf(name string) *time.Location {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil // not cached, because an import may have any number of such names
	}
	zones.Store(name, zone)
	return zone
}

// Words has an event's date and time in words. The script shows them unchanged while its language is Tag's.
type Words struct {
	Tag          string `json:"tag"`
	When         Moment `json:"when"` // the date without the year
	WhenWithYear Moment `json:"whenWithYear"`
	Date         string `json:"date"`
	Closes       string `json:"closes"` // the last day on which guests can sign up
}

// A Moment is a date and time in three parts: the text before the date, the date without the weekday, and the text
// after the date, which has the end of the event. No line breaks inside a date that fits in the line.
type Moment [3]string

func (m Moment) String() string { return strings.Join(m[:], "") }

// Words returns the words for an event in its time zone.
func (d *Dates) Words(e event.Event) Words {
	last := e
	if at, ok := Start(e); ok {
		last.DateTime = at.Add(event.RSVPWindow).Format(time.RFC3339)
	}
	return Words{d.Tag, d.moment(e, d.format.WithoutYear), d.moment(e, d.format.Date), d.Date(e), d.Date(last)}
}

// Date writes an event's first date without the time.
func (d *Dates) Date(e event.Event) string {
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
	return d.write(at, d.format.Date)
}

// Soon writes an event's date and time, without the year if all dates are in the current year.
func (d *Dates) Soon(e event.Event, now time.Time) Moment { return d.moment(e, d.dateOf(e, now)) }

// dateOf returns the pattern of an event's dates: without the year if all dates are in the current year.
func (d *Dates) dateOf(e event.Event, now time.Time) string {
	at, ok := Start(e)
	year := now.In(at.Location()).Year()
	if end, has := lastDate(at, e); !ok || at.Year() != year || has && end.Year() != year {
		return d.format.Date
	}
	return d.format.WithoutYear
}

// moment writes an event's date and time in three parts. It splits at the spaces around day and month, because a line
// must not begin with a comma.
func (d *Dates) moment(e event.Event, date string) Moment {
	at, ok := Start(e)
	if !ok {
		return Moment{"", e.DateTime, ""}
	}
	to, isSpan := End(e)
	last, isOther := lastDate(at, e)
	joint := d.format.Joint
	if isSpan && !isOther {
		joint = cmp.Or(d.format.Comma, ", ")
	}
	start := date + joint
	day, month := strings.Index(start, "{day}"), strings.Index(start, "{month}")
	begin := strings.LastIndexByte(start[:min(day, month)], ' ') + 1
	end := max(day, month)
	end += strings.IndexByte(start[end:], ' ')
	times := d.write(at, "{time}")
	if isSpan && !isOther {
		times = d.hours(at, to)
	}
	rest := d.write(at, start[end:]) + times
	if isOther {
		rest = d.join(rest, d.write(last, date+joint+"{time}"))
	}
	return Moment{d.write(at, start[:begin]), d.write(at, start[begin:end]), rest}
}

// hours writes two times. The first time has no text such as "PM" that the second time repeats.
func (d *Dates) hours(from, to time.Time) string {
	first, second := d.write(from, "{time}"), d.write(to, "{time}")
	unit := second[strings.LastIndexAny(second, "0123456789")+1:]
	return d.join(strings.TrimSuffix(first, unit), second)
}

// join writes a dash between start and end, as CLDR does: with spaces around it if the start has a space. d may be nil.
func (d *Dates) join(from, to string) string {
	switch {
	case d != nil && d.format.Dash != "":
		return from + d.format.Dash + to
	case strings.ContainsFunc(from, unicode.IsSpace):
		return from + "\u00a0– " + to
	}
	return from + "–" + to
}

func (d *Dates) write(at time.Time, pattern string) string {
	day := fmt.Sprint(at.Day())
	if day == "1" {
		day = cmp.Or(d.format.FirstDay, day)
	}
	half, afternoon, _ := strings.Cut(d.format.Halves, "|")
	if at.Hour() >= 12 {
		half = afternoon
	}
	return strings.NewReplacer(
		"{weekday}", strings.Fields(d.format.Weekdays)[at.Weekday()],
		"{day}", day,
		"{month}", strings.Fields(d.format.Months)[at.Month()-1],
		"{year}", fmt.Sprint(at.Year()),
		"{hour}", fmt.Sprint(at.Hour()),
		"{hour12}", at.Format("3"),
		"{minute}", at.Format("04"),
		"{half}", half,
	).Replace(strings.ReplaceAll(pattern, "{time}", d.format.Clock))
}

// When returns the date and time of an event in the event's time zone. If d is nil, it returns digits in the order of
// ISO 8601, because after the year nobody mistakes the month for the day.
func (d *Dates) When(e event.Event, now time.Time) string {
	if d != nil {
		return d.Soon(e, now).String()
	}
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
	const date, hours = "2006-01-02", "15:04"
	from := at.Format(date + " " + hours)
	if to, has := lastDate(at, e); has {
		return d.join(from, to.Format(date+" "+hours))
	} else if to, has := End(e); has {
		return at.Format(date+" ") + d.join(at.Format(hours), to.Format(hours))
	}
	return from
}

// Days returns the first and the last date of an event whose end has a date of its own, where two times have no room.
// Both have the year only if it differs, or stands first. For another event, or if d is nil, Days returns When.
func (d *Dates) Days(e event.Event, now time.Time) string {
	at, _ := Start(e)
	to, has := lastDate(at, e)
	if !has || d == nil {
		return d.When(e, now)
	}
	date := d.dateOf(e, now)
	first := date
	if at.Year() == to.Year() && !strings.HasPrefix(date, "{year}") {
		first = d.format.WithoutYear
	}
	return d.join(d.write(at, first), d.write(to, date))
}

// StateOf returns the word for a cancelled or moved event, or "" if d is nil.
func (d *Dates) StateOf(moved bool) string {
	switch {
	case d == nil:
		return ""
	case moved:
		return d.format.Moved
	}
	return d.format.Cancelled
}

// ZoneOf returns the offset of an event's zone at the start of the event, such as UTC+5:30. Only the site's script
// knows the names of zones, which differ by language.
func ZoneOf(e event.Event) string {
	at, _ := Start(e)
	offset := strings.TrimSuffix(at.Format("-07:00"), ":00")
	if offset == "+00" {
		return "UTC"
	}
	return "UTC" + strings.NewReplacer("+0", "+", "-0", "\u2212", "-", "\u2212").Replace(offset)
}
