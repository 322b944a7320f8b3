package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
	"turnout/internal/site/bundle/bundletest"
	"turnout/internal/site/src"
)

// openSources opens a page on which the site's modules can be imported one by one.
func openSources(v *visitor) *visitor {
	v.Helper()
	modules := bundletest.Compile(v.T, "", "lib/*", "model/*", "components/*", "pages/files")
	others := http.FileServerFS(src.Files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if module, ok := modules[r.URL.Path[1:]]; ok {
			w.Header().Set("Content-Type", site.ContentTypes[".js"])
			_, _ = w.Write(module)
		} else {
			others.ServeHTTP(w, r)
		}
	}))
	v.Cleanup(server.Close)
	do(v, chromedp.Navigate(server.URL+"/robots.txt"))
	return v
}

// The offset of a wall-clock time is the zone's offset on that day, wherever the visitor is. There is no offset if the
// clock skips the time, and there are two if the clock repeats it.
func TestOffsetIsTheOneOfThatDay(t *testing.T) {
	v := openSources(newVisitor(t, manner{Zone: "America/New_York"}))
	cases := [][]string{
		// Berlin's clocks go forward on 28 March 2083 at 2, and back on 31 October at 3.
		{"2083-03-28", "01:59", "Europe/Berlin", "+01:00"},
		{"2083-03-28", "02:30", "Europe/Berlin", ""},
		{"2083-03-28", "03:00", "Europe/Berlin", "+02:00"},
		{"2083-10-31", "02:30", "Europe/Berlin", "+02:00 +01:00"},
		{"2083-10-31", "03:00", "Europe/Berlin", "+01:00"},
		// New York's clocks change on other days.
		{"2083-03-28", "02:30", "America/New_York", "-04:00"},
		{"2083-06-01", "12:00", "Asia/Kathmandu", "+05:45"},
		// These zones have half an hour of daylight saving time, or changes at midnight.
		{"2083-04-04", "01:45", "Australia/Lord_Howe", "+11:00 +10:30"},
		{"2083-10-03", "02:15", "Australia/Lord_Howe", ""},
		{"2083-04-30", "00:30", "Africa/Cairo", ""},
		{"2011-12-30", "12:00", "Pacific/Apia", ""},
		{"1890-07-01", "12:00", "Europe/Berlin", "+00:53"},
		{"9999-12-31", "23:59", "Asia/Tokyo", "+09:00"},
		{"9999-12-31", "23:59", "Pacific/Honolulu", "-10:00"},
		{"0000-02-29", "12:00", "UTC", "+00:00"},
	}
	for i, got := range on[[]string](v, "offsetsOf", cases) {
		same(v, fmt.Sprint(cases[i][:3]), got, cases[i][3])
	}
}

func TestMomentsThatOnlyClientsWrite(t *testing.T) {
	const zone = "America/Argentina/Buenos_Aires" // the visitor's list of zones has a former name for this zone
	v := newVisitor(t, manner{Zone: zone})
	for _, moment := range []string{
		"0000-01-01T00:00:00+00:00",
		"0001-01-01T00:00:00Z",
		"1965-07-01T12:00:00+01:00",
		"9999-12-31T12:00:00-05:00",
	} {
		v.Open(announce(t, supper("dateTime", moment)).public())
		v.Sees("Rooftop supper")
	}
	v.Open(announce(t, supper("dateTime", "2099-12-12t18:30:00z")).public())
	is(v, `document.querySelector('time').dateTime`, "2099-12-12T18:30:00Z")
	v.Open("/?new")
	eval[bool](v, `document.getElementById('zone').open = true`)
	v.Holds("Time zone", zone)
	v.Focus("Time zone")
	v.Check("all zones are there to choose from", `document.querySelectorAll('#timezone option').length > 400`)
	v.Holds("Time zone", zone)
	v.Write("What are you planning?", "Much later")
	v.Click("Announce it")
	places := on[[]box](v, "boxes", ".pair input, .pair .error")
	if len(places) != 4 {
		t.Fatalf("%d fields and errors", len(places))
	}
	date, dateError, clock, clockError := places[0], places[1], places[2], places[3]
	same(v, "the error of the date is below it", dateError.Left, date.Left)
	same(v, "the error of the time is below it", clockError.Left, clock.Left)
	same(v, "the errors are in a row", clockError.Top, dateError.Top)
}

func TestTimeThatDoesNotExistIsPointedOut(t *testing.T) {
	v := newVisitor(t, manner{})
	atNight("2083-03-28")(v)
	v.Sees(gap)
	v.Click("Announce it")
	v.FocusOn("#time")
	pickZone(v, "Europe/London")
	v.Until("the error to go", `document.querySelector('#time-error').hidden`)
}

func TestTimeThatComesTwiceIsChosen(t *testing.T) {
	v := newVisitor(t, manner{})
	atNight("2083-10-31")(v)
	v.Sees("2:30 happens twice")
	v.Click("The second (UTC+1)")
	v.Reload()
	v.Sees("2:30 happens twice") // the draft is restored
	v.Click("Announce it")
	v.Sees("Announced")
	path, _, _ := strings.Cut(strings.TrimPrefix(v.Path(), "/e/"), "#")
	same(v, "what is sent", ask(t, apitest.GetEvent(path)).DateTime, "2083-10-31T02:30:00+01:00")
}

func pickZone(v *visitor, zone string) {
	v.Helper()
	eval[bool](v, `document.getElementById('zone').open = true`)
	v.Pick("Time zone", zone)
}

func TestEventShowsBothZones(t *testing.T) {
	event := announce(t, longTitle())
	v := newVisitor(t, manner{})
	for zone, want := range map[string]string{
		"Europe/Berlin":    "Japan Standard Time · 15:45 for you · in ",
		"Pacific/Auckland": "Japan Standard Time · Friday 1 January at 3:45 for you · in ",
		"Asia/Seoul":       "", // this zone has the same time
	} {
		call(v, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
		v.Open(event.public())
		v.Sees("Thursday, 31 December 2099 at 23:45")
		got := eval[string](v, `page.plain(page.text('.facts .small') ?? '')`)
		if !strings.HasPrefix(got, want) || strings.Contains(got, "Japan") != (want != "") {
			t.Errorf("in %s there is %q, want %q", zone, got, want)
		}
	}
}

// The day from which "tomorrow" counts is written before it, on the page and on home: the event is on Sunday in
// Honolulu, and on Monday in Berlin.
func TestTomorrowCountsFromTheReadersDay(t *testing.T) {
	event := announce(t, supper("dateTime", "2099-11-29T21:00:00-10:00", "timezone", "Pacific/Honolulu"), "Ada")
	v := newVisitor(t, manner{})
	v.Prepare(fn("pretendItIs", "2099-11-29T12:00:00Z"))
	v.Open(event.private())
	v.Sees("Ada")
	for _, path := range []string{event.public(), "/"} {
		v.Open(path)
		const want = `Sunday 29 November at\s21:00\s[^]*Monday 30 November at 8:00 for you\s·\s+tomorrow`
		v.Until(want, fn("matches", want))
	}
}

// The form offers today until 18:00 in the event's zone, and the days of two weekends. It offers only times in the
// future.
func TestNearDaysAndTimes(t *testing.T) {
	v := openSources(newVisitor(t, manner{Language: "en-GB"}))
	const (
		weekend = "2026-11-28 Sat 28, 2026-11-29 Sun 29, 2026-12-05 Sat 5 Dec"
		evening = "18:00 18:00, 19:30 19:30, 20:00 20:00"
	)
	for now, want := range map[string][]string{
		"2026-11-22T16:00:00Z": {"2026-11-23 Today, " + weekend + ", 2026-12-06 Sun 6", "15:00 15:00, " + evening, ""},
		"2026-11-21T08:59:00Z": {"2026-11-21 Today, 2026-11-22 Sun 22, " + weekend, evening, ""},
		"2026-11-21T09:00:00Z": {"2026-11-22 Sun 22, " + weekend, "15:00 15:00, " + evening, ""},
	} {
		is(v, fn("nearDaysAndTimes", now), want)
	}
}

// One click chooses a day, and another click a time.
func TestDayAndTimeAreChosenWithAPressEach(t *testing.T) {
	v := newVisitor(t, manner{Zone: "Asia/Tokyo"})
	v.Prepare(fn("stopClockAt", "2026-11-22T16:00:00Z"))
	v.Open("/?new")
	is(v, fn("near", "time"), "")
	v.Click("Today")
	v.Click("19:30")
	v.Until("the day", fn("hasNear", "date", "Today = 2026-11-23, Sat 28, Sun 29, Sat 5 Dec, Sun 6"))
	is(v, fn("near", "time"), "15:00, 18:00, 19:30 = 19:30, 20:00")
	is(v, fn("coloursOfChips"), 2) // the chosen chips are visible
	for tag, want := range map[string]string{
		"en-US": "3:00 PM, 6:00 PM, 7:30 PM, 8:00 PM",
		"de-DE": "15:00, 18:00, 19:30, 20:00",
		"fr-FR": "15\u00a0h\u00a000, 18\u00a0h\u00a000, 19\u00a0h\u00a030, 20\u00a0h\u00a000",
	} {
		v := newVisitor(t, manner{Language: tag}, "/?new")
		eval[struct{}](v, `document.querySelector('.chips button:last-child').click()`)
		v.Until(tag, fn("hasNear", "time", want))
	}
}
