package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site/locale"
)

// The most important flows work in every engine: in Chromium and Firefox on a desktop, and in WebKit on a phone. Each
// flow opens a page without stored data, in American English and in Berlin.
func TestEngines(t *testing.T) {
	needBrowser(t)
	t.Run("Chromium", func(t *testing.T) {
		needBrowser(t)
		runFlows(t, "", func(t *testing.T) *sitePage { return newVisitor(t, manner{Language: "en-US"}).sitePage })
	})
	t.Run("WebKit", func(t *testing.T) {
		needBrowser(t)
		runFlows(t, kb.Tab, startWebKit(t).Page)
	})
	t.Run("Firefox", func(t *testing.T) {
		needBrowser(t)
		runFlows(t, "", startFirefox(t).Page)
	})
}

// runFlows runs all flows. next is the key that moves between the parts of a date, for an engine in which typing does
// not move on.
func runFlows(t *testing.T, next string, open func(t *testing.T) *sitePage) {
	for _, flow := range flows {
		t.Run(flow.name, func(t *testing.T) { flow.run(open(t), next) })
	}
}

var flows = []struct {
	name string
	run  func(p *sitePage, next string)
}{
	{"announce", func(p *sitePage, next string) {
		p.Open("/")
		p.Write("What are you planning?", "Rooftop supper")
		p.Focus("Date")
		p.Press("12" + next + "12" + next + "2099")
		p.Focus("Time")
		p.Press("07" + next + "30" + next + "PM")
		p.Write("Description", "Bring something warm.\nDirections: https://example.org/roof")
		p.Reload()
		p.Click(zoneLine(p))
		for label, want := range map[string]string{
			"What are you planning?": "Rooftop supper",
			"Date":                   "2099-12-12",
			"Time":                   "19:30",
			"Time zone":              "Europe/Berlin",
			"Description":            "Bring something warm.\nDirections: https://example.org/roof",
		} {
			p.Holds(label, want)
		}
		p.Click("Announce it")
		p.Sees("Announced")
		p.Until("the card", `document.querySelector('.said img')?.naturalWidth > 0`)
		p.Click("QR code")
		p.Until("the code", `document.querySelector('.code').naturalWidth > 0`)
		private, invitation := p.Copy("Copy private link"), p.Copy("Copy the message")
		public := invitation[strings.LastIndex(invitation, "\n")+1:]
		isPublic, isPrivate := strings.HasPrefix(public, base+"/e/"), strings.HasPrefix(private, public+"#organizer=")
		if !isPublic || !isPrivate || base+p.Path() != public+"#organize" {
			p.Errorf("the links are %s and %s, and the page is at %s", public, private, p.Path())
		}
		p.Sees("Copied")
		eval[struct{}](p, `scrollTo(0, 50)`)
		unseen(p, `history.state.scroll === 50`)
		follow(p, "/")
		p.Sees("Your events")
		eval[struct{}](p, `history.back()`)
		p.Sees("Announced")
		p.Until("the place of before", `scrollY === 50`)
		p.Click("See what your guests see")
		p.Sees("Are you coming?")
		eval[struct{}](p, `history.back()`)
		p.Sees("Announced")
		eval[struct{}](p, `history.forward()`)
		p.Sees("Are you coming?")
	}},
	{"errors", errorsNameTheirLine},
	{"drawings", drawsOnce},
	{"offline", savedOffline},
	{"RSVP", func(p *sitePage, _ string) {
		event := announce(p.T, supper())
		p.Open(event.public())
		p.Sees("Saturday, December 12, 2099 at 7:30\u00a0PM", "Be the first")
		p.Write("Your name", " Zoë ")
		p.Press(kb.Enter)
		p.Sees("You’re number 1", "1 is coming")
		is(p, fn("countStored", "drafts."), 0)
		p.Until("the calendar's file", fn("named", "Add to calendar")+`.pathname === location.pathname + '/event.ics'`)
		bring(p, "Otto")
		p.Sees("2 are coming")
		p.Reload()
		p.Sees("You’re both in")
		hasNames(p.T, event, "Zoë", "Otto")
	}},
	{"the script fails", scriptFails},
	{"another policy", stylesAreForbidden},
	{"withdraw", func(p *sitePage, _ string) {
		event := announce(p.T, supper(), "Ben")
		p.Open(event.public())
		submit(p, "Anna")
		p.Sees("2 are coming")
		p.Click("My own link")
		link := p.Copy("Copy my link")
		p.Hold()
		p.Click("Can’t make it after all: Anna")
		p.Sees("Anna comes off the list in a few seconds.")
		p.Click("Undo: Anna is coming")
		p.Offers("Can’t make it after all: Anna")

		// Open the link in a browser that has no data of the site.
		p.Open("/")
		eval[struct{}](p, `localStorage.clear()`)
		p.Open(strings.TrimPrefix(link, base))
		p.At(event.public()) // the URL no longer has the token
		p.Click("Can’t make it after all: Anna")
		p.Reload() // a reload ends the time to undo the withdrawal
		p.Sees("1 is coming")
		p.SeesNot("Anna")
		p.AllSent()
		hasNames(p.T, event, "Ben")
	}},
	{"left with a withdrawal", func(p *sitePage, _ string) {
		event := announce(p.T, supper(), "Ben")
		p.Open(event.public())
		submit(p, "Anna")
		p.Click("Can’t make it after all: Anna")
		p.Offers("Undo: Anna is coming")
		on[struct{}](p, "goTo", "/robots.txt")
		p.Until("the other page", `location.pathname === '/robots.txt'`)
		unseen(p, fmt.Sprintf(`(await %s).attendeeCount === 1`, fn("readEvent", event.EventToken)))
		p.do(p.driver.Back)
		p.Until("the page", `location.pathname !== '/robots.txt'`)
		p.Sees("Are you coming?", "1 is coming")
		p.AllSent()
		p.SeesNoMore("Sending…")
		p.SeesNot("Anna")
	}},
	{"check in", rowsStay},
	{"ticking", ticking},
	{"private link", privateLinkIsOpened},
	{"change", changes},
	{"cancel", func(p *sitePage, _ string) {
		event := announce(p.T, supper(), "Anna", "Ben")
		p.Open(event.private())
		p.Click("Cancel the event")
		p.Sees("Your guests (2) will see this")
		p.FocusOn("#question") // screen readers then read the question
		p.Write("Reason (public)", "The roof is wet.\nSee https://example.org/roof")
		p.Press(kb.Escape)
		p.NoDialog()
		p.SeesNot("Cancelled")
		p.Click("Cancel the event")
		p.Holds("Reason (public)", "The roof is wet.\nSee https://example.org/roof")
		p.Click("Cancel the event")
		p.Sees("Cancelled")
		p.Open(event.public())
		p.Sees("The roof is wet.\nSee https://example.org/roof")
		p.Offers("https://example.org/roof")
		p.SeesNot("Are you coming?")
	}},
	{"Arabic", func(p *sitePage, _ string) {
		event := announce(p.T, supper(), "Anna", "محمد علي")
		p.Open("/")
		p.Pick("Language", "ar")
		p.Sees("من سيحضر؟")
		const direction = `getComputedStyle(document.getElementById('title')).direction`
		is(p, direction, "rtl") // an empty field has the language's direction
		p.Write(locale.Of("ar").Text("form.title"), "Supper")
		is(p, direction, "ltr")
		for _, path := range []string{"/", event.public(), event.private()} {
			p.Open(path)
			p.Check(path+" is not too wide", `document.documentElement.scrollWidth <= innerWidth`)
			for _, pair := range [][2]string{{".mark", "#language"}, {".facts .icon", ".facts dd"}} {
				first, second := on[[]box](p, "boxes", pair[0]), on[[]box](p, "boxes", pair[1])
				if len(first) > 0 && first[0].Left < second[0].Left {
					p.Errorf("%s is not mirrored: %s", path, pair)
				}
			}
		}
	}},
}
