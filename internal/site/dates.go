package site

import (
	"fmt"
	"strings"
	"time"

	"turnout/internal/event"
)

// dates has the formats of dates and numbers of a language. They are those of Intl
// in browsers (CLDR); a test in Chromium compares them.
type dates struct {
	months, weekdays  string // in the forms that dates take, Sunday first
	date, withoutYear string // patterns
	joint             string // between date and time
	dayPeriods        string // empty where the day has 24 hours
	group             string // between groups of digits
	groupedFrom       int    // digits
}

var datesOf = map[string]dates{
	"ar": {
		"يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
		"الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
		"{weekday}، {day} {month} {year}", "{weekday}، {day} {month}", " في ", "ص م", ",", 4,
	},
	"de": {
		"Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		"Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
		"{weekday}, {day}. {month} {year}", "{weekday}, {day}. {month}", " um ", "", ".", 4,
	},
	"en": {
		"January February March April May June July August September October November December",
		"Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
		"{weekday}, {month} {day}, {year}", "{weekday}, {month} {day}", " at ", "AM PM", ",", 4,
	},
	"en-GB": {
		"January February March April May June July August September October November December",
		"Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
		"{weekday}, {day} {month} {year}", "{weekday}, {day} {month}", " at ", "", ",", 4,
	},
	"es": {
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"domingo lunes martes miércoles jueves viernes sábado",
		"{weekday}, {day} de {month} de {year}", "{weekday}, {day} de {month}", ", ", "", ".", 5,
	},
	"fr": {
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"dimanche lundi mardi mercredi jeudi vendredi samedi",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " à ", "", "\u202f", 4,
	},
	"it": {
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		"domenica lunedì martedì mercoledì giovedì venerdì sabato",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " alle ore ", "", ".", 5,
	},
	"ja": {
		"1 2 3 4 5 6 7 8 9 10 11 12",
		"日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
		"{year}年{month}月{day}日{weekday}", "{month}月{day}日{weekday}", " ", "", ",", 4,
	},
	"nl": {
		"januari februari maart april mei juni juli augustus september oktober november december",
		"zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
		"{weekday} {day} {month} {year}", "{weekday} {day} {month}", " om ", "", ".", 4,
	},
	"pl": {
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
		"niedziela poniedziałek wtorek środa czwartek piątek sobota",
		"{weekday}, {day} {month} {year}", "{weekday}, {day} {month}", " ", "", "\u00a0", 5,
	},
	"pt": {
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
		"{weekday}, {day} de {month} de {year}", "{weekday}, {day} de {month}", " às ", "", ".", 4,
	},
	"tr": {
		"Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
		"Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi",
		"{day} {month} {year} {weekday}", "{day} {month} {weekday}", " ", "", ".", 4,
	},
	"uk": {
		"січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
		"неділя понеділок вівторок середа четвер пʼятниця субота",
		"{weekday}, {day} {month} {year} р.", "{weekday}, {day} {month}", " о ", "", "\u00a0", 4,
	},
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

// When formats the date and time of an event in its time zone.
func (l *Locale) When(e event.Event) string { return l.format(e, l.date+l.joint+"{time}") }

// Date formats the date alone.
func (l *Locale) Date(e event.Event) string { return l.format(e, l.date) }

// soon is When without the year, if that is the current one.
func (l *Locale) soon(e event.Event, now time.Time) string {
	if at, ok := Start(e); ok && at.Year() == now.In(at.Location()).Year() {
		return l.format(e, l.withoutYear+l.joint+"{time}")
	}
	return l.When(e)
}

func (l *Locale) format(e event.Event, pattern string) string {
	at, ok := Start(e)
	if !ok {
		return e.DateTime
	}
	clock := at.Format("15:04")
	if halves := strings.Fields(l.dayPeriods); len(halves) == 2 {
		clock = at.Format("3:04 ") + halves[at.Hour()/12]
	}
	return strings.NewReplacer(
		"{weekday}", strings.Fields(l.weekdays)[at.Weekday()],
		"{day}", fmt.Sprint(at.Day()),
		"{month}", strings.Fields(l.months)[at.Month()-1],
		"{year}", fmt.Sprint(at.Year()),
		"{time}", strings.TrimPrefix(clock, "0"),
	).Replace(pattern)
}
