package browser

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
)

// The page offers a calendar entry while the entry helps. Before the event everybody can add it. After a cancellation,
// guests can cancel the entry in their calendars. After the event nobody gets an entry.
func TestWhoIsOfferedTheCalendar(t *testing.T) {
	v := newVisitor(t, manner{})
	for _, c := range []struct {
		event            created
		everybody, guest string
	}{
		{announce(t, supper()), "Add to calendar", "Add to calendar"},
		{announce(t, days(-1)), "", ""},
		{announce(t, supper()), "", "Cancel it in my calendar?cancelled=1"}, // no cache has an older entry
	} {
		rsvp := c.event.public() + "#name=Anna&rsvp=" + signUp(t, c.event, "Anna")
		if strings.Contains(c.guest, "cancelled") {
			cancel(t, c.event, "")
		}
		for _, visit := range [][2]string{{c.event.public(), c.everybody}, {rsvp, c.guest}} {
			v.Open(visit[0])
			is(v, fn("offeredEntries"), visit[1])
		}
	}
	_, text := v.Download("Cancel it in my calendar")
	says(t, text, "\r\nSTATUS:CANCELLED\r\n")
	v.SeesNot("Bring someone")
	v.Click("Remove Anna")
	v.Sees("Undo")
	v.SeesNot("isn’t coming", "had said yes")
}

// The links to a calendar and to a map open the programs of the visitor's system.
func TestCalendarsAndMapsOfTheSystem(t *testing.T) {
	event, v := invited(t)
	const place = "Weserstra%C3%9Fe%2012%2C%20top%20floor%2C%20Berlin"
	const openStreetMap = "https://www.openstreetmap.org/search?query=" + place
	const apple = "https://maps.apple.com/?q=" + place
	webcal := regexp.MustCompile(`^webcal://127\.0\.0\.1:.*/event\.ics$`)
	for agent, want := range map[string][2]string{
		"X11; Linux x86_64":        {"127.0.0.1 Google, Outlook", openStreetMap},
		"Linux; Android 16":        {"calendar.google.com Calendar file, Outlook", "geo:0,0?q=" + place},
		"iPhone; CPU iPhone OS 18": {"127.0.0.1 Google, Outlook, Subscribe", apple},
		"Macintosh":                {"127.0.0.1 Google, Outlook, Subscribe", apple},
	} {
		call(v, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent:      "Mozilla/5.0 (" + agent + ")",
			AcceptLanguage: "en",
		})
		v.Open(event.public())
		v.Click("Other calendars")
		others := strings.Join(on[[]string](v, "texts", "#calendars a"), ", ")
		same(v, "the calendars", eval[string](v, `document.querySelector('.tools a').hostname`)+" "+others, want[0])
		is(v, `document.querySelector('.spot').href`, want[1])
		if strings.Contains(want[0], "Subscribe") {
			if address := eval[string](v, fn("named", "Subscribe")+`.href`); !webcal.MatchString(address) {
				t.Errorf("the address for a subscription is %s", address)
			}
		}
	}
	v.Open(announce(t, supper("location", "Online: https://meet.example.org/a")).public())
	v.Until("the way there", fn("leadsTo", ".facts a", "https://meet.example.org/a"))
}

// Calendar services get the public link. The page itself builds a guest's own entry, so that the secret is never in
// another site's URL.
func TestCalendarEntryWithThePrivateLink(t *testing.T) {
	event := announce(t, supper("host", "Mara"))
	v := newVisitor(t, manner{}, event.public())
	come(v, "Anna, Ben; 😀")
	place := supper()["location"].(string)
	var entries [][]string
	for _, address := range on[[]string](v, "addresses", `.yours a[href^="https:"]`) {
		link, err := url.Parse(address)
		v.Must(err)
		var entry []string
		for _, name := range []string{"text", "subject", "dates", "startdt", "enddt", "location"} {
			if value := link.Query().Get(name); value != "" {
				entry = append(entry, value)
			}
		}
		entries = append(entries, entry)
		same(v, address+" has the public link", strings.Contains(address, event.EventToken), true)
		text := cmp.Or(link.Query().Get("details"), link.Query().Get("body"))
		same(v, address+" begins with the host", strings.HasPrefix(text, "Mara\n"), true)
	}
	same(v, "the entries", entries, [][]string{
		{"Rooftop supper", "20991212T183000Z/20991212T203000Z", place},
		{"Rooftop supper", "2099-12-12T18:30:00Z", "2099-12-12T20:30:00Z", place},
	})
	name, server := v.Download("Add to calendar")
	same(v, "the file", name, "event.ics")
	says(t, server, "\r\nSTATUS:CONFIRMED\r\n")
	v.Click("My own link")
	name, text := v.Download("Calendar entry with my link")
	same(v, "the file", name, "event.ics")
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\r\n") || len(line) > 77 {
			t.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	text, server = strings.ReplaceAll(text, "\r\n ", ""), strings.ReplaceAll(server, "\r\n ", "")
	link := on[string](v, "ownLink")
	const warning = "Anyone with this link can take you off the list. " +
		"Open it on your other device\\, or keep it safe.\\n"
	says(t, text, "\r\nURL:"+link+"\r\n", "\r\nDESCRIPTION;LANGUAGE=en:"+warning+link+"\\n\\n")
	text = strings.Replace(text, "URL:"+link, "URL:"+base+event.public(), 1)
	text = strings.Replace(text, warning+link+"\\n\\n", "", 1)
	stamp := regexp.MustCompile(`DTSTAMP:.*`)
	same(v, "all else", stamp.ReplaceAllString(text, ""), stamp.ReplaceAllString(server, ""))
	is(v, fn("addressesWith", strings.Split(link, "rsvp=")[1]), []string{})
	v.Block(event.public() + "/event.ics")
	v.Click("Calendar entry with my link")
	v.Sees("No reply. Check your connection.")
	v.Offers("Calendar entry with my link") // the label comes back
}

// The announced page shows the message that guests get, word for word, and sends this message. On a touch screen it
// opens the share sheet, otherwise it offers messengers. If the share sheet refuses, the text is copied; if the
// clipboard refuses, the text is shown.
func TestInvitation(t *testing.T) {
	title := "Supper & “soup” on the roof with everybody who has ever been on it, and their friends; 100 %"
	text := title + "\nSaturday, 12 December 2099 at 19:30 · Weserstraße 12, top floor, Berlin\nAre you coming?"
	for _, finger := range []bool{false, true} {
		v := newVisitor(t, manner{Width: 360, Height: 640})
		v.Prepare(fn("haveShareSheet", finger))
		v.Open("/?new")
		fill(v)
		v.Write("What are you planning?", title)
		v.Click("Announce it")
		v.Sees("Announced")
		public := eval[string](v, `location.href.split('#')[0]`)
		is(v, fn("text", ".said p"), text+"\n"+public)
		v.Until("the card", `document.querySelector('.said img').naturalWidth === 1200`)
		v.Click("QR code")
		v.Until("the code", `document.querySelector('.code').naturalWidth > 0`)
		same(v, "what is copied", v.Copy("Copy the message"), text+"\n"+public)
		if !finger {
			v.SeesNot("Send the invitation")
			var services []string
			for _, address := range on[[]string](v, "addresses", ".guest-section a") {
				services = append(services, strings.Split(address, "?")[0])
				link, err := url.Parse(address)
				v.Must(err)
				var said []string
				for _, name := range []string{"subject", "text", "body", "url"} {
					said = append(said, link.Query().Get(name))
				}
				says(t, strings.ReplaceAll(strings.Join(said, "\n"), "\r", ""), text, public)
				if strings.Contains(address, "organizer") || strings.Contains(address, "+") {
					t.Errorf("%s tells the secret, or has signs that mail programs show", address)
				}
			}
			same(v, "the services", services, []string{"https://wa.me/", "https://t.me/share/url", "mailto:"})
			is(v, fn("loadedFromOtherSites"), []string{})
			continue
		}
		v.SeesNot("WhatsApp")
		v.Check("this is the one way to send", `!document.querySelector('#first')`)
		is(v, `document.querySelector('link[rel=canonical]').href`, public) // for the browser's share button
		v.Click("Send the invitation")
		v.Until("the share sheet", fn("shared"))
		is(v, fn("shared"), map[string]string{"title": title, "text": text, "url": public})
		on[struct{}](v, "noteCopy")
		for _, failure := range []string{"AbortError", "NotAllowedError"} {
			is(v, fn("copiedText")+` ?? ''`, "")
			on[struct{}](v, "refuseToShare", failure)
			v.Click("Send the invitation")
			v.Idle()
		}
		v.Until("what is copied", fn("copiedText"))
		is(v, fn("copiedText"), text+"\n"+public)
		v.Offers("Send the invitation")
		on[struct{}](v, "refuseToCopy") // in-app browsers refuse to copy
		v.Click("Send the invitation")
		v.Offers("Copied")
		v.Offers("Send the invitation")
		eval[struct{}](v, `void (document.execCommand = () => false)`)
		v.Click("Send the invitation")
		v.Sees("Couldn’t copy")
		v.FocusOn("dialog textarea")
		v.Until("the selected text", fn("isSelected", text+"\n"+public))
		v.Axe("", "a refused copy")
		v.Click("OK")
		v.Block("/e/*/card.png")
		v.Prepare(fn("pretendItIs", "2099-12-12T17:00:00Z"))
		v.Reload()
		v.Offers("Check in")
		v.Until("no card", `document.querySelector('.said p') && !document.querySelector('.said img')`)
	}
}

// Right after an announcement, the first guests are listed below the invitation, so that nothing on the page moves.
// After a reload, the guests come first.
func TestFirstGuestsComeFirst(t *testing.T) {
	v := newVisitor(t, screens[0])
	v.Prepare(fn("haveShareSheet", true))
	has := func(want ...string) {
		t.Helper()
		is(v, fn("organizersParts"), want)
	}
	filled(v)
	v.Click("Announce it")
	v.Sees("Announced", "names appear here")
	is(v, fn("text", "h2"), "✓ Announced")
	invites := []string{"Send the invitation", "said", "guests-title", "tally", "hint", "hint", "backup"}
	has(invites...)
	firstGuests("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")(v)
	v.Sees("8 are coming", "Hal, Gus and Finn")
	has(invites...)
	v.Reload()
	v.Sees("8 are coming", "Hal, Gus and Finn", "saved here only")
	v.Check("what was done is no news any more", "!"+fn("isThere", ".moment"))
	has("guests-title", "tally", "hint", "Send the invitation", "said", "private")
	onScreen(v, screens[0], "the first guests", ".guest-section > .large", ".said img")
	v.Click("Show 5 more")
	same(v, "the list", names(v), []string{"Hal", "Gus", "Finn", "Eve", "Dan", "Cleo", "Ben", "Ada"})
}

// A page has one primary button, even if the message is unfolded.
func TestUnfoldedInvitationHasOneMainAction(t *testing.T) {
	event := announce(t, supper(), "Ada")
	for _, c := range []struct {
		finger       bool
		button, main string
	}{
		{false, "Send the invitation", "Copy the message"},
		{true, "Share the link", "Send the invitation"},
	} {
		v := newVisitor(t, screens[0])
		v.Prepare(fn("haveShareSheet", c.finger))
		v.Open(event.private())
		is(v, fn("filledBars"), []string{"Send the invitation"})
		v.Click(c.button)
		is(v, fn("filledBars"), []string{c.main})
	}
}

// The first button offers the most likely act: to invite, to remind, to check in, or to announce the event again. The
// button offers a reminder only on the day before and on the day of the event, by the event's clock.
func TestFirstButtonFollowsThePhase(t *testing.T) {
	// In this zone it is 20:00 now. The visitor's clock shows the afternoon of the next day.
	evening := time.Now().Truncate(day).In(time.FixedZone("", -4*60*60))
	v := newVisitor(t, manner{Zone: "Pacific/Kiritimati"})
	v.Prepare(later(time.Until(evening)))
	for _, c := range []struct {
		hours, guests     int
		first, said, when string
	}{
		{49, 1, "Send the invitation", "", " at 21:00"},
		{34, 1, "Send a reminder", "See you soon!\n", " at 6:00"},
		{8, 1, "Send a reminder", "See you soon!\n", "\nTomorrow at 4:00"},
		{2, 1, "Check in\nSend a reminder", "See you soon!\n", "\nToday at 22:00"},
	} {
		date := evening.Add(time.Duration(c.hours) * time.Hour).Format(time.RFC3339)
		v.Open(announce(t, supper("dateTime", date, "timezone", "America/Guyana"), crowd(c.guests)...).private())
		is(v, `document.querySelector('#first').innerText.trim()`, c.first)
		eval[struct{}](v, `document.querySelector('#send summary').click()`)
		said := eval[string](v, `document.querySelector('#send .said').innerText`)
		asks := strings.Contains(said, "\nAre you coming?\n")
		facts := c.when + " (Guyana Time) · Weserstraße 12, top floor, Berlin\n"
		begins := strings.HasPrefix(said, c.said+"Rooftop supper\n")
		if !begins || asks != (c.said == "") || !strings.Contains(said, facts) {
			t.Errorf("in %d hours the message is %q", c.hours, said)
		}
	}
	// Once the event is over, the next event comes first.
	over := announce(t, supper("dateTime", evening.Add(-13*time.Hour).Format(time.RFC3339)), "Ada")
	v.Open(over.private())
	is(v, `document.querySelector('#first').innerText.trim()`, "Announce it again")
	v.SeesNot("Share the link", "Send a reminder")
	v.Sees("Copy or download the names")
	// Half an hour later, a day of 23 hours begins.
	v.Prepare(fn("pretendItIs", "2083-03-27T23:30:00+01:00"))
	v.Open(announce(t, supper("dateTime", "2083-03-28T19:30:00+02:00"), "Ada").private())
	v.Until("the next day", fn("says", "#send .said", "Tomorrow at "))
	// A device that does not know its own zone cannot tell that the event has the same zone.
	v.Prepare(fn("forgetZone"))
	v.Open(announce(t, supper("timezone", "UTC")).private())
	v.Until("the zone", fn("says", ".said", " (UTC) · "))
}
