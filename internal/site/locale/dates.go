package locale

import (
	"fmt"
	"strings"
	"time"

	"turnout/internal/event"
)

// dates has the formats of dates and numbers of a language, after CLDR. The words for an event's date
// and time are made here; the script shows them as they are.
type dates struct {
	months            string // in the forms that dates take, as are days
	weekdays, short   string // Sunday first
	date, withoutYear string // patterns
	joint             string // between date and time
	clock             string // pattern of the time; {half} is one of halves
	halves            string // of the day, separated by |
	group             string // between groups of digits
	groupedFrom       int    // digits
	lakhs             bool   // two digits in each group but the last
}

var datesOf = map[string]dates{
	"ar": {
		"يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
		"الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت", "الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
		"{weekday}، {day} {month} {year}", "{weekday}، {day} {month}", " الساعة ", hours12, "ص|م", ",", 4, false,
	},
	"de": {
		"Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		"Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So. Mo. Di. Mi. Do. Fr. Sa.",
		"{weekday}, {day}. {month} {year}", "{weekday}, {day}. {month}", " um ", "{hour}:{minute} Uhr", "", ".", 4, false,
	},
	"en": {
		"January February March April May June July August September October November December",
		"Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Sun Mon Tue Wed Thu Fri Sat",
		"{weekday}, {month} {day}, {year}", "{weekday}, {month} {day}", " at ", hours12, "AM|PM", ",", 4, false,
	},
	"es": {
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb",
		"{weekday}, {day} de {month} de {year}", "{weekday}, {day} de {month}", ", ", hours24, "", ".", 5, false,
	},
	"fr": {
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"dimanche lundi mardi mercredi jeudi vendredi samedi", "dim. lun. mar. mer. jeu. ven. sam.",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " à ", hours24, "", "\u202f", 4, false,
	},
	"it": {
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"domenica lunedì martedì mercoledì giovedì venerdì sabato", "dom lun mar mer gio ven sab",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " alle ore ", hours24, "", ".", 5, false,
	},
	"ja": {
		"1 2 3 4 5 6 7 8 9 10 11 12",
		"(日) (月) (火) (水) (木) (金) (土)", "(日) (月) (火) (水) (木) (金) (土)",
		"{year}年{month}月{day}日{weekday}", "{month}月{day}日{weekday}", " ", hours24, "", ",", 4, false,
	},
	"nl": {
		"januari februari maart april mei juni juli augustus september oktober november december",
		"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "zo ma di wo do vr za",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " om ", hours24, "", ".", 4, false,
	},
	"pl": {
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"niedziela poniedziałek wtorek środa czwartek piątek sobota", "niedz. pon. wt. śr. czw. pt. sob.",
		"{weekday}, {day} {month} {year}", "{weekday}, {day} {month}", " o ", hours24, "", "\u00a0", 5, false,
	},
	"pt": {
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado", "dom. seg. ter. qua. qui. sex. sáb.",
		"{weekday}, {day} de {month} de {year}", "{weekday}, {day} de {month}", " às ", hours24, "", ".", 4, false,
	},
	"tr": {
		"Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
		"Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi", "Paz Pzt Sal Çar Per Cum Cmt",
		"{day} {month} {year} {weekday}", "{day} {month} {weekday}", " ", hours24, "", ".", 4, false,
	},
	"uk": {
		"січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
		"неділя понеділок вівторок середа четвер пʼятниця субота", "нд пн вт ср чт пт сб",
		"{weekday}, {day} {month} {year} р.", "{weekday}, {day} {month}", " о ", hours24, "", "\u00a0", 4, false,
	},
}

// firstDays has the names of a month's first day in languages that do not use its number.
var firstDays = map[string]string{"fr": "1er", "pt": "1º"}

// variants override formats for a regional tag.
var variants = map[string]func(d *dates){
	"ar-DZ": func(d *dates) {
		d.months = "جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر"
		d.group = "."
	},
	"ar-MA": func(d *dates) {
		d.months = "يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر"
		d.clock, d.group = hours24, "."
	},
	"en-AU": func(d *dates) {
		d.date, d.withoutYear, d.halves = "{weekday} {day} {month} {year}", "{weekday} {day} {month}", "am|pm"
	},
	"en-CA": func(d *dates) { d.halves = "a.m.|p.m." },
	"en-GB": func(d *dates) {
		d.date, d.withoutYear, d.clock = dayFirst, "{weekday} {day} {month}", hours24
	},
	"en-IN": func(d *dates) {
		d.date, d.withoutYear, d.halves, d.lakhs = dayFirst, "{weekday}, {day} {month}", "am|pm", true
	},
	"en-NZ": func(d *dates) { d.date, d.withoutYear, d.halves = dayFirst, "{weekday}, {day} {month}", "am|pm" },
	"es-AR": func(d *dates) { d.clock, d.halves, d.groupedFrom = hours12, "a. m.|p. m.", 4 },
	"es-MX": func(d *dates) { d.clock, d.halves, d.group, d.groupedFrom = hours12, "a.m.|p.m.", ",", 4 },
	"fr-CA": func(d *dates) { d.clock, d.group = "{hour} h {minute}", "\u00a0" },
	"fr-CH": func(d *dates) { d.date = "{weekday}, {day} {month} {year}" },
}

const (
	hours12  = "{hour12}:{minute} {half}"
	hours24  = "{hour}:{minute}"
	dayFirst = "{weekday}, {day} {month} {year}"
)

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

// Words has an event's date and time in words, which are final: the script shows them while its language
// is that of Tag.
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
func (l *Locale) Words(e event.Event) Words {
	last := e
	if at, ok := Start(e); ok {
		last.DateTime = at.Add(event.RSVPWindow).Format(time.RFC3339)
	}
	return Words{l.Tag, l.moment(e, l.withoutYear), l.moment(e, l.date), l.Date(e), l.Date(last)}
}

// When formats the date and time of an event in its time zone.
func (l *Locale) When(e event.Event) string { return l.moment(e, l.date).String() }

// Date formats the date alone.
func (l *Locale) Date(e event.Event) string { return l.format(e, l.date) }

// Soon is When without the year, if that is the current one.
func (l *Locale) Soon(e event.Event, now time.Time) Moment {
	if at, ok := Start(e); ok && at.Year() == now.In(at.Location()).Year() {
		return l.moment(e, l.withoutYear)
	}
	return l.moment(e, l.date)
}

// moment splits at the spaces around day and month: a line must not begin with a comma.
func (l *Locale) moment(e event.Event, date string) Moment {
	if _, ok := Start(e); !ok {
		return Moment{"", e.DateTime, ""}
	}
	day, month := strings.Index(date, "{day}"), strings.Index(date, "{month}")
	first, last := min(day, month), max(day, month)
	start, end := strings.LastIndexByte(date[:first], ' ')+1, len(date)
	if length := strings.IndexByte(date[last:], ' '); length >= 0 {
		end = last + length
	}
	return Moment{l.format(e, date[:start]), l.format(e, date[start:end]), l.format(e, date[end:]+l.joint+"{time}")}
}

// Short has a short weekday, and no year if less than eleven months lie between now and the event.
func (l *Locale) Short(e event.Event, now time.Time) string {
	pattern := l.date
	if at, ok := Start(e); ok && at.After(now.AddDate(0, -11, 0)) && at.Before(now.AddDate(0, 11, 0)) {
		pattern = l.withoutYear
	}
	return l.format(e, strings.ReplaceAll(pattern, "{weekday}", "{short}")+l.joint+"{time}")
}

func (l *Locale) format(e event.Event, pattern string) string {
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
	day := fmt.Sprint(at.Day())
	if first, ok := firstDays[l.Language()]; ok && day == "1" {
		day = first
	}
	half, _, _ := strings.Cut(l.halves, "|")
	if at.Hour() >= 12 {
		_, half, _ = strings.Cut(l.halves, "|")
	}
	return strings.NewReplacer(
		"{weekday}", strings.Fields(l.weekdays)[at.Weekday()],
		"{short}", strings.Fields(l.short)[at.Weekday()],
		"{day}", day,
		"{month}", strings.Fields(l.months)[at.Month()-1],
		"{year}", fmt.Sprint(at.Year()),
		"{hour}", fmt.Sprint(at.Hour()),
		"{hour12}", at.Format("3"),
		"{minute}", at.Format("04"),
		"{half}", half,
	).Replace(strings.ReplaceAll(pattern, "{time}", l.clock))
}

// ZoneOf returns the offset of an event's zone at its start, such as UTC+5:30. The names of zones
// differ from language to language; the script has them.
func ZoneOf(e event.Event) string {
	at, _ := Start(e)
	_, seconds := at.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign, minutes := "+", seconds/60
	if minutes < 0 {
		sign, minutes = "\u2212", -minutes
	}
	if minutes%60 == 0 {
		return fmt.Sprintf("UTC%s%d", sign, minutes/60)
	}
	return fmt.Sprintf("UTC%s%d:%02d", sign, minutes/60, minutes%60)
}
