package browser

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/emersion/go-ical"
)

// A wall clock that is turned back shows 02:30 twice; to a calendar that time in
// its zone is the first one.
func TestCalendarHasTheSecondOfTwoTimesInUTC(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for _, c := range []struct{ dateTime, start, end string }{
		{"2083-10-31T02:30:00+02:00", "20831031T003000Z", "20831031T023000Z"},
		{"2083-10-31T02:30:00+01:00", "20831031T013000Z", "20831031T033000Z"},
		{"2083-10-31T01:30:00+02:00", "20831030T233000Z", "20831031T013000Z"}, // ends in the second
		{"2083-10-31T12:00:00+01:00", "20831031T110000Z", "20831031T130000Z"},
	} {
		body := supper()
		body["dateTime"] = c.dateTime
		v.Open(announce(t, body).public())
		_, found, text := entry(v)
		start, err := found.DateTimeStart(time.UTC)
		v.Must(err)
		end, err := found.DateTimeEnd(time.UTC)
		v.Must(err)
		second := strings.HasSuffix(found.Props.Get(ical.PropDateTimeStart).Value, "Z")
		if c.dateTime == "2083-10-31T02:30:00+01:00" && !second {
			t.Errorf("the second 02:30 is not in UTC:\n%s", text)
		}
		if c.dateTime == "2083-10-31T12:00:00+01:00" && second {
			t.Errorf("noon is not in its zone:\n%s", text)
		}
		// Go may choose either of two equal times.
		if c.dateTime != "2083-10-31T02:30:00+02:00" {
			if got := start.UTC().Format("20060102T150405Z"); got != c.start {
				t.Errorf("%s starts at %s, want %s", c.dateTime, got, c.start)
			}
			if got := end.UTC().Format("20060102T150405Z"); got != c.end {
				t.Errorf("%s ends at %s, want %s", c.dateTime, got, c.end)
			}
		}
	}
}

func TestCalendarReminds(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	_, found, text := entry(v)
	if len(found.Children) != 1 || found.Children[0].Name != ical.CompAlarm || found.Children[0].Props.Get(ical.PropTrigger).Value != "-PT1H" {
		t.Errorf("no reminder:\n%s", text)
	}
	cancel(t, event, "")
	v.Open(event.public())
	// The page may come from the browser's cache, before it asks the service.
	v.Sees("This event is cancelled")
	if _, found, text := entry(v); len(found.Children) != 0 {
		t.Errorf("a reminder of what is cancelled:\n%s", text)
	}
}

func TestLinksToCalendarServices(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	come(v, "Anna")
	links := eval[[]string](v, `[...document.querySelectorAll('.yours a')].map((link) => link.href)`)
	if len(links) != 2 {
		t.Fatalf("the links are %q", links)
	}
	for i, want := range []map[string]string{
		{"text": "Rooftop supper", "dates": "20991212T183000Z/20991212T203000Z", "location": supper()["location"].(string)},
		{"subject": "Rooftop supper", "startdt": "2099-12-12T18:30:00Z", "enddt": "2099-12-12T20:30:00Z", "location": supper()["location"].(string)},
	} {
		link, err := url.Parse(links[i])
		v.Must(err)
		for name, value := range want {
			if got := link.Query().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", link.Host, name, got, value)
			}
		}
		if !strings.Contains(links[i], event.EventToken) || strings.Contains(links[i], "rsvp") {
			t.Errorf("%s lacks the public link, or holds the private one", links[i])
		}
	}
	// The guest's private link is in the file.
	if _, found, text := entry(v); !strings.Contains(property(v, found, ical.PropDescription), event.public()+"#name=Anna&rsvp=") {
		t.Errorf("the entry lacks the guest's link:\n%s", text)
	}
}

func TestPlaceLeadsToAMap(t *testing.T) {
	t.Parallel()
	event := announce(t, supper())
	for agent, want := range map[string]string{
		"X11; Linux x86_64":        "https://www.openstreetmap.org/search?query=",
		"Linux; Android 15":        "geo:0,0?q=",
		"iPhone; CPU iPhone OS 18": "https://maps.apple.com/?q=",
	} {
		v := newVisitor(t, manner{})
		call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (" + agent + ")", AcceptLanguage: "en"})
		v.Open(event.public())
		v.Until("the place", `document.querySelector('.spot')`)
		if got := eval[string](v, `document.querySelector('.spot').href`); got != want+"Weserstra%C3%9Fe%2012%2C%20top%20floor%2C%20Berlin" {
			t.Errorf("%s: the place leads to %s", agent, got)
		}
	}
	body := supper()
	body["location"] = "Online: https://meet.example.org/a"
	v := newVisitor(t, manner{})
	v.Open(announce(t, body).public())
	v.Until("the place", `document.querySelector('.facts a')`)
	if got := eval[string](v, `document.querySelector('.facts a').href`); got != "https://meet.example.org/a" {
		t.Errorf("the place leads to %s", got)
	}
}
