package locale

import (
	"cmp"
	_ "embed" // languages.json
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"turnout/internal/event"
)

// Dates has the dates of a language or a region. The words for an event's date and time are made here; the script
// shows them as they are. The functions that need no texts do not link them.
type Dates struct {
	Tag    string // of a format
	format format
}

// A format has the dates and numbers of a language, after CLDR, or of a region, and two words of previews.
type format struct {
	Lang              string   // if not that of the tag: pt is Brazilian Portuguese
	Direction         string   // if right to left
	Months            string   // in the forms that dates take, as are days
	Weekdays          string   // Sunday first
	Date, WithoutYear string   // patterns
	FirstDay          string   // of a month, where it is not a number
	Joint             string   // between date and time
	Clock             string   // pattern of the time; {half} is one of Halves
	Halves            string   // of the day, separated by |
	Group             string   // between groups of digits
	GroupedFrom       int      // digits
	Lakhs             bool     // two digits in each group but the last
	Cancelled, Moved  string   // as in the texts
	Regions           []string // tags in lower case that have it, too
}

//go:embed languages.json
var languages []byte

// formats has the format of each tag in languages.json. A region inherits from its language what it does not set
// itself.
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
		panic(err) // cannot happen: tests read each
	}
	return all
})

// DatesOf returns the dates of a language tag, or nil if the site does not speak the language.
func DatesOf(tag string) *Dates {
	if tag = formatOf(strings.ToLower(tag)); tag == "" {
		return nil
	}
	return &Dates{tag, formats()[tag]}
}

// Start returns the moment at which an event begins, in its time zone, or with its
// offset where the zone is not known. ok is false for a date that
// no store returns.
func Start(e event.Event) (at time.Time, ok bool) {
	at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(e.DateTime))
	if err != nil {
		return time.Time{}, false
	}
	if zone, err := time.LoadLocation(e.Timezone); err == nil {
		at = at.In(zone)
	}
	return at, true
}

// Words has an event's date and time in words. The script shows them unchanged while its language is Tag's.
type Words struct {
	Tag          string `json:"tag"`
	When         Moment `json:"when"` // without the year
	WhenWithYear Moment `json:"whenWithYear"`
	Date         string `json:"date"`
	Closes       string `json:"closes"` // the last day with RSVPs
}

// A Moment is the text before a date, the date without the weekday, and the text after it. A line does not
// break inside the date if it fits.
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

// Date formats the date alone.
func (d *Dates) Date(e event.Event) string { return d.write(e, d.format.Date) }

// Soon is When without the year, if that is the current one.
func (d *Dates) Soon(e event.Event, now time.Time) Moment {
	if at, ok := Start(e); ok && at.Year() == now.In(at.Location()).Year() {
		return d.moment(e, d.format.WithoutYear)
	}
	return d.moment(e, d.format.Date)
}

// moment splits at the spaces around day and month: a line must not begin with a comma.
func (d *Dates) moment(e event.Event, date string) Moment {
	if _, ok := Start(e); !ok {
		return Moment{"", e.DateTime, ""}
	}
	day, month := strings.Index(date, "{day}"), strings.Index(date, "{month}")
	first, last := min(day, month), max(day, month)
	start, end := strings.LastIndexByte(date[:first], ' ')+1, len(date)
	if length := strings.IndexByte(date[last:], ' '); length >= 0 {
		end = last + length
	}
	return Moment{d.write(e, date[:start]), d.write(e, date[start:end]), d.write(e, date[end:]+d.format.Joint+"{time}")}
}

func (d *Dates) write(e event.Event, pattern string) string {
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
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

// When returns the date and time of an event in its time zone. Of no language it returns digits after ISO 8601: behind
// the year, nobody takes the day for the month.
func (d *Dates) When(e event.Event, now time.Time) string {
	if d != nil {
		return d.Soon(e, now).String()
	}
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
	return at.Format("2006-01-02 15:04")
}

// StateOf returns the word for a cancelled event, or one that has moved, and "" of no language.
func (d *Dates) StateOf(moved bool) string {
	switch {
	case d == nil:
		return ""
	case moved:
		return d.format.Moved
	}
	return d.format.Cancelled
}

// ZoneOf returns the offset of an event's zone at its start, such as UTC+5:30. The names of zones
// differ from language to language; the script has them.
func ZoneOf(e event.Event) string {
	at, _ := Start(e)
	offset := strings.TrimSuffix(at.Format("-07:00"), ":00")
	if offset == "+00" {
		return "UTC"
	}
	return "UTC" + strings.NewReplacer("+0", "+", "-0", "\u2212", "-", "\u2212").Replace(offset)
}
