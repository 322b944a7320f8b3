package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// The entry is offered while it helps: to all before the event, after a cancellation to
// guests, whose calendars have it, and to nobody after the event.
func TestWhoIsOfferedTheCalendar(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for _, c := range []struct {
		event            created
		everybody, guest string
	}{
		{announce(t, supper()), "Add to calendar", "Add to calendar"},
		{announce(t, supper()), "", "Mark it cancelled in your calendar"},
		{announce(t, days(-1)), "", ""},
	} {
		rsvp := c.event.public() + "#name=Anna&rsvp=" + signUp(t, c.event, "Anna")
		if strings.Contains(c.guest, "cancelled") {
			cancel(t, c.event, "")
		}
		for _, visit := range [][2]string{{c.event.public(), c.everybody}, {rsvp, c.guest}} {
			v.Open(visit[0])
			if got := eval[[]string](v, `[...document.querySelectorAll('.calendar summary, a[href*="/event.ics"]')].filter((e) => e.checkVisibility()).map((e) => e.textContent)`); strings.Join(got, "|") != visit[1] {
				t.Errorf("%s offers %q, want %q", visit[0], got, visit[1])
			}
		}
	}
}

func TestCalendarFile(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	v.Click("Add to calendar")
	name, text := v.Download("Calendar file")
	same(v, "the file", name, "event.ics")
	says(t, text, "\r\nSTATUS:CONFIRMED\r\n")
	v.SeesNot("Subscribe")
	come(v, "Anna")
	cancel(t, event, "")
	v.Reload()
	v.Sees("This event is cancelled")
	v.SeesNot("Bring someone")
	_, text = v.Download("Mark it cancelled in your calendar")
	says(t, text, "\r\nSTATUS:CANCELLED\r\n")
	v.Click("Remove Anna")
	v.Sees("Nobody had signed up")

	mac := newVisitor(t, manner{})
	call(mac, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (Macintosh)", AcceptLanguage: "en"})
	mac.Open(announce(t, supper()).public())
	mac.Click("Add to calendar")
	mac.Sees("shows a cancellation some hours later")
	mac.Check("the calendar is subscribed to", `/^webcal:\/\/127\.0\.0\.1:.*\/event\.ics$/.test(`+named+`.href)`, "Subscribe")
}

func TestLinksToCalendarServices(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	come(v, "Anna")
	links := eval[[]string](v, `[...document.querySelectorAll('.yours a[href^="https:"]')].map((link) => link.href)`)
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
			same(v, link.Host+": "+name, link.Query().Get(name), value)
		}
		if !strings.Contains(links[i], event.EventToken) || strings.Contains(links[i], "rsvp") {
			t.Errorf("%s lacks the public link, or holds the private one", links[i])
		}
	}
}

func TestPlaceLeadsToAMap(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	const place = "Weserstra%C3%9Fe%2012%2C%20top%20floor%2C%20Berlin"
	for agent, want := range map[string]string{
		"X11; Linux x86_64":        "https://www.openstreetmap.org/search?query=" + place,
		"Linux; Android 15":        "geo:0,0?q=" + place,
		"iPhone; CPU iPhone OS 18": "https://maps.apple.com/?q=" + place,
	} {
		call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (" + agent + ")", AcceptLanguage: "en"})
		v.Open(event.public())
		v.Until("the way to "+want, `document.querySelector('.spot')?.href === %s`, want)
	}
	v.Open(announce(t, supper("location", "Online: https://meet.example.org/a")).public())
	v.Until("the way there", `document.querySelector('.facts a')?.href === 'https://meet.example.org/a'`)
}
