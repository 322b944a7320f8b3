package browser

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"turnout/internal/site"
)

// The entry is offered while it helps: to all before the event, after a cancellation to
// guests, whose calendars have it, and to nobody after the event.
func TestWhoIsOfferedTheCalendar(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]created{"coming": announce(t, supper()), "cancelled": announce(t, supper()), "over": announce(t, days(-1))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rsvp := event.public() + "#name=Anna&rsvp=" + signUp(t, event, "Anna")
			if name == "cancelled" {
				cancel(t, event, "")
			}
			for path, want := range map[string]string{event.public(): map[string]string{"coming": "Add to calendar"}[name], rsvp: map[string]string{
				"coming": "Add to calendar", "cancelled": "Mark it cancelled in your calendar",
			}[name]} {
				v := newVisitor(t, manner{})
				v.Open(path)
				if got := eval[[]string](v, `[...document.querySelectorAll('.calendar summary, a[href*="/event.ics"]')].filter((e) => e.checkVisibility()).map((e) => e.textContent)`); strings.Join(got, "|") != want {
					t.Errorf("%s offers %q, want %q", path, got, want)
				}
			}
		})
	}
}

func TestCalendarFile(t *testing.T) {
	t.Parallel()
	event, v := invited(t)
	v.Click("Add to calendar")
	name, text := v.Download("Calendar file")
	if name != "event.ics" || !strings.Contains(text, "\r\nSTATUS:CONFIRMED\r\n") {
		t.Errorf("%s is\n%s", name, text)
	}
	v.SeesNot("Subscribe")
	come(v, "Anna")
	cancel(t, event, "")
	v.Reload()
	v.Sees("This event is cancelled")
	if _, text := v.Download("Mark it cancelled in your calendar"); !strings.Contains(text, "\r\nSTATUS:CANCELLED\r\n") {
		t.Errorf("it is\n%s", text)
	}

	mac := newVisitor(t, manner{})
	call(mac, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (Macintosh)", AcceptLanguage: "en"})
	mac.Open(announce(t, supper()).public())
	mac.Click("Add to calendar")
	mac.Sees("shows a cancellation some hours later")
	if got := eval[string](mac, named+`.href`, "Subscribe"); !strings.HasPrefix(got, "webcal://127.0.0.1:") || !strings.HasSuffix(got, "/event.ics") {
		t.Errorf("the calendar is at %s", got)
	}
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
			if got := link.Query().Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", link.Host, name, got, value)
			}
		}
		if !strings.Contains(links[i], event.EventToken) || strings.Contains(links[i], "rsvp") {
			t.Errorf("%s lacks the public link, or holds the private one", links[i])
		}
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
	v := newVisitor(t, manner{})
	v.Open(announce(t, supper("location", "Online: https://meet.example.org/a")).public())
	v.Until("the place", `document.querySelector('.facts a')`)
	if got := eval[string](v, `document.querySelector('.facts a').href`); got != "https://meet.example.org/a" {
		t.Errorf("the place leads to %s", got)
	}
}

// The ways into a calendar are in one row or below each other: none is left alone.
func TestWaysIntoACalendarAreAligned(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, screens[1])
	v.Open(announce(t, supper()).public())
	come(v, "Anna")
	for _, language := range site.Languages() {
		choose(v, language)
		v.Until("the ways", `document.querySelector('.calendar a')`)
		tops := eval[[]int](v, `(document.querySelector('.calendar').open = true, [...document.querySelectorAll('.calendar a')].map((way) => Math.round(way.getBoundingClientRect().top)))`)
		if rows := len(slices.Compact(slices.Clone(tops))); rows != 1 && rows != len(tops) {
			t.Errorf("%s: the ways are at %v px", language, tops)
		}
	}
}
