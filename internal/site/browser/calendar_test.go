package browser

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// The entry is offered while it helps: to all before the event, after a cancellation to
// guests, whose calendars have it, and to nobody after the event.
func TestWhoIsOfferedTheCalendar(t *testing.T) {
	v := newVisitor(t, manner{})
	for _, c := range []struct {
		event            created
		everybody, guest string
	}{
		{announce(t, supper()), "Add to calendar", "Add to calendar"},
		{announce(t, supper()), "", "Mark it cancelled in your calendar?cancelled=1"}, // no cache has this address from before
		{announce(t, days(-1)), "", ""},
	} {
		rsvp := c.event.public() + "#name=Anna&rsvp=" + signUp(t, c.event, "Anna")
		if strings.Contains(c.guest, "cancelled") {
			cancel(t, c.event, "")
		}
		for _, visit := range [][2]string{{c.event.public(), c.everybody}, {rsvp, c.guest}} {
			v.Open(visit[0])
			is(v, `[...document.querySelectorAll('.calendar summary, a[href*="/event.ics"]')]
				.filter((e) => e.checkVisibility()).map((e) => e.textContent + (e.search ?? '')).join('|')`, visit[1])
		}
	}
}

func TestCalendarFile(t *testing.T) {
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
	v.Sees("Nobody signed up")

	mac := newVisitor(t, manner{})
	call(mac, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (Macintosh)", AcceptLanguage: "en"})
	mac.Open(announce(t, supper()).public())
	mac.Click("Add to calendar")
	mac.Sees("show a cancellation hours later")
	mac.Check("the calendar is subscribed to", `/^webcal:\/\/127\.0\.0\.1:.*\/event\.ics$/.test(`+named+`.href)`, "Subscribe")
}

func TestLinksToCalendarServices(t *testing.T) {
	event, v := invited(t)
	come(v, "Anna")
	const links = `[...document.querySelectorAll('.yours a[href^="https:"]')].map(({ href }) => href)`
	place := supper()["location"].(string)
	is(v, links+`.map((link) => ['text', 'subject', 'dates', 'startdt', 'enddt', 'location']
		.map((name) => new URL(link).searchParams.get(name)).filter(Boolean))`, [][]string{
		{"Rooftop supper", "20991212T183000Z/20991212T203000Z", place},
		{"Rooftop supper", "2099-12-12T18:30:00Z", "2099-12-12T20:30:00Z", place},
	})
	v.Check("each has the public link, and not the private one",
		links+`.every((link) => link.includes(%s) && !link.includes('rsvp'))`, event.EventToken)
}

// A guest's own calendar entry is made on the page: no address of another site has the secret.
func TestCalendarEntryWithThePrivateLink(t *testing.T) {
	event, v := invited(t)
	come(v, "Anna, Ben; 😀")
	v.Click("Add to calendar")
	_, server := v.Download("Calendar file")
	v.Click("Keep my RSVP")
	name, text := v.Download("Calendar entry with my link")
	same(v, "the file", name, "event.ics")
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\r\n") || len(line) > 77 {
			t.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	text, server = strings.ReplaceAll(text, "\r\n ", ""), strings.ReplaceAll(server, "\r\n ", "")
	link := eval[string](v, `location.href + '#' + new URLSearchParams({ name: 'Anna, Ben; 😀', rsvp: Object.keys(localStorage).find((key) => key.startsWith('turnout.rsvp')).split('.')[3] })`)
	says(t, text, "\r\nURL:"+link+"\r\n", "\r\nDESCRIPTION:Whoever has this link can withdraw you. Open it on your other device\\, or keep it.\\n"+link+"\\n\\n")
	text = strings.Replace(strings.Replace(text, "URL:"+link, "URL:"+base+event.public(), 1), "Whoever has this link can withdraw you. Open it on your other device\\, or keep it.\\n"+link+"\\n\\n", "", 1)
	stamp := regexp.MustCompile(`DTSTAMP:.*`)
	same(v, "all else", stamp.ReplaceAllString(text, ""), stamp.ReplaceAllString(server, ""))
	v.Check("no address has the secret", `![...document.querySelectorAll('*')].flatMap((element) => [...element.attributes]).map(({ value }) => value)
		.concat(performance.getEntriesByType('resource').map(({ name }) => name))
		.some((address) => /^[a-z]+:/.test(address) && address.includes(%s))`, strings.Split(link, "rsvp=")[1])
}

func TestPlaceLeadsToAMap(t *testing.T) {
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

func TestSharePanelAfterAnnouncing(t *testing.T) {
	v := newVisitor(t, manner{Width: 360, Height: 640})
	title := "Supper & “soup” on the roof with everybody who has ever been on it, and their friends; 100 %"
	// Chromium shares on phones only.
	v.Prepare(`navigator.share = async ({ title, text, url }) => { window.shared = [title, text, url].join('|'); }`)
	v.Open("/?new")
	fill(v)
	v.Write("What are you planning?", strings.Replace(title, " on ", " \n on\r\n", 1)) // a title is one line
	v.Click("Announce it")
	v.Sees("Now spread the word")
	public := v.Value("Link to share")
	v.Until("the code", `document.querySelector('.share .code').naturalWidth > 0`)
	const links = `[...document.querySelectorAll('.share a')].map((link) => link.href)`
	is(v, links+`.map((link) => link.split('?')[0])`, []string{"https://wa.me/", "https://t.me/share/url", "mailto:"})
	for _, address := range eval[[]string](v, links) {
		link, err := url.Parse(address)
		v.Must(err)
		said := strings.Join([]string{link.Query().Get("subject"), link.Query().Get("text"), link.Query().Get("body"), link.Query().Get("url")}, "\n")
		says(t, said, "You’re invited", title, "Saturday", "(Central European Time)", public)
		if strings.Contains(address, "organizer") || strings.Contains(address, "+") {
			t.Errorf("%s tells the secret, or has signs that mail programs show", address)
		}
	}
	v.Click("Share")
	const facts = "Saturday, 12 December 2099 at 19:30 (Central European Time)\nWeserstraße 12, top floor, Berlin"
	v.Until("what is shared", `window.shared === %s`, title+"|You’re invited\n"+title+"\n"+facts+"|"+public)
	is(v, `document.querySelector('link[rel=canonical]').href`, public) // for the browser's own button
	v.Click("Your private link")
	private := v.Value("Private organizer link")
	_, file := v.Download("Download both links")
	says(t, file, title, public+"\n", private+"\n", "can’t recover it")
	// The private link grants the organizer's rights: it is never beside a way to share.
	v.Check("the private link is not in the panel of the public one", `!(
		document.querySelector('.share, #share').textContent.includes(%[1]s)
		|| document.querySelector('.private .share, .share .private, .share [value=%[1]s]'))`, private)
	is(v, `performance.getEntriesByType('resource').map(({ name }) => name)
		.filter((name) => !name.match(/^(blob|data):/) && new URL(name).origin !== location.origin)`, []string{})
}

// TestLinksHaveTheSitesOrigin: the one that the server has put into the page, else the page's own.
func TestLinksHaveTheSitesOrigin(t *testing.T) {
	v := newVisitor(t, manner{})
	openSources(v)
	is(v, `import('/lib/urls.js').then(({ eventURL }) => eventURL('x').replace(location.origin, 'own'))`, "own/e/x")
	is(v, `import('/lib/urls.js').then(({ eventURL }) => {
		const meta = document.createElement('meta');
		meta.setAttribute('property', 'og:url');
		meta.content = 'https://turnout.example.org/e/y';
		document.head.append(meta);
		return eventURL('x');
	})`, "https://turnout.example.org/e/x")
}
