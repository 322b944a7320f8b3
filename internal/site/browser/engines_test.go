package browser

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// An engine is a browser other than Chromium, which all other tests drive.
type engine interface {
	Page(t *testing.T, base string) *Page
}

var engines = []struct {
	name  string
	next  string // the key from one part of a date to the next, where typing does not go on by itself
	start func() (engine, func(), error)
}{
	{"WebKit", TabKey, func() (engine, func(), error) { return StartWebKit() }},
	{"Firefox", "", func() (engine, func(), error) { return StartFirefox() }},
}

// The flows that matter work in every engine.
func TestEngines(t *testing.T) {
	needBrowser(t)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			browser, stop, err := e.start()
			if Missing(err) && os.Getenv("CI") != "true" {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(stop)
			for _, flow := range flows {
				t.Run(flow.name, func(t *testing.T) { flow.run(browser.Page(t, base), e.next) })
			}
		})
	}
}

var flows = []struct {
	name string
	run  func(p *Page, next string)
}{
	{"announce", func(p *Page, next string) {
		p.Open("/")
		p.Write("What is happening?", "Rooftop supper")
		p.Focus("Date")
		p.Press("12" + next + "12" + next + "2099")
		p.Focus("Time")
		p.Press("07" + next + "30" + next + "PM")
		p.Write("Description", "Bring something warm.\nDirections: https://example.org/roof")
		p.Reload()
		for label, want := range map[string]string{
			"What is happening?": "Rooftop supper", "Date": "2099-12-12", "Time": "19:30", "Time zone": "Europe/Berlin",
			"Description": "Bring something warm.\nDirections: https://example.org/roof",
		} {
			if got := p.Value(label); got != want {
				p.Errorf("after a reload %q is %q, want %q", label, got, want)
			}
		}
		p.Click("Announce it")
		p.Sees("Now spread the word")
		p.Until("the code", `document.querySelector('.share .code').naturalWidth > 0`)
		public, private := p.Value("Link to share"), p.Value("Private organizer link")
		if !strings.HasPrefix(public, base+"/e/") || !strings.HasPrefix(private, public+"#organizer=") || private != base+p.Path() {
			p.Errorf("the links are %s and %s, and the page is at %s", public, private, p.Path())
		}
		p.Click("Copy link")
		p.Sees("Copied")
		p.Click("See the page as your guests do")
		p.Sees("Are you coming?")
		p.Paste("Your name")
		p.Until("what was copied", Find+`.value === %s`, "Your name", public)
		Eval[struct{}](p, `history.back()`)
		p.Sees("Now spread the word")
		Eval[struct{}](p, `history.forward()`)
		p.Sees("Are you coming?")
	}},
	{"RSVP", func(p *Page, _ string) {
		event := announce(p.T, supper())
		p.Open(event.public())
		p.Sees("Saturday, December 12, 2099 at 7:30 PM")
		p.Sees("Nobody yet")
		p.Write("Your name", "Zoë")
		p.Press(Enter)
		p.Sees("You are coming")
		p.Sees("1 is coming")
		p.Write("Their name", "Otto")
		p.Click("Add")
		p.Sees("2 are coming")
		p.Reload()
		p.Sees("You are coming, all 2 of you")
		if got := attendees(p.T, event); !slices.Equal(got, []string{"Zoë", "Otto"}) {
			p.Errorf("the service has %q", got)
		}
	}},
	{"withdraw", func(p *Page, _ string) {
		event := announce(p.T, supper(), "Ben")
		p.Open(event.public())
		p.Write("Your name", "Anna")
		p.Click("Count me in")
		p.Sees("2 are coming")
		p.Click("Cancel from another device")
		p.Click("Copy your private link")
		p.Sees("Copied")
		p.Paste("Their name")
		p.Until("what was copied", Find+`.value.startsWith(%s)`, "Their name", base+event.public()+"#name=Anna&rsvp=")
		link := p.Value("Their name")
		p.Hold()
		p.Click("Cancel for Anna")
		p.Sees("Anna is no longer on the list.")
		p.Click("Undo: Anna is coming")
		p.Until("Anna again", Find, "Cancel for Anna")

		// As another browser, which has only the private link.
		p.Open("/")
		Eval[struct{}](p, `localStorage.clear()`)
		p.Open(strings.TrimPrefix(link, base))
		if got := p.Path(); got != event.public() {
			p.Errorf("the link leads to %s, want the token gone", got)
		}
		p.Click("Cancel for Anna")
		p.Sees("1 is coming")
		p.Reload()
		p.Sees("1 is coming")
		p.SeesNot("Anna")
		if got := attendees(p.T, event); !slices.Equal(got, []string{"Ben"}) {
			p.Errorf("the service has %q", got)
		}
	}},
	{"organize", func(p *Page, _ string) {
		event := announce(p.T, supper(), guests...)
		p.Open(event.private())
		p.Sees("20 are coming")
		p.Sees("Tove")
		Eval[struct{}](p, `fetch('/api/events/' + %s + '/rsvps', {
			method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Cleo"}',
		})`, event.EventToken)
		p.Click("Refresh")
		p.Sees("21 are coming")
		p.Sees("Cleo")
		p.Write("Find a name", "cag")
		p.Until("one name", `document.querySelectorAll('.guests li').length === 1`)
	}},
	{"cancel", func(p *Page, _ string) {
		event := announce(p.T, supper(), "Anna", "Ben")
		p.Open(event.private())
		p.Click("Cancel the event")
		p.Click("Cancel this event …")
		p.Sees("tells your 2 guests that it is off")
		p.Until("the question to be read", `document.activeElement.id === 'question'`)
		p.Write("Reason, for everybody to read", "The roof is wet.\nSee https://example.org/roof")
		p.Press(Escape)
		p.Until("no dialog", `!document.querySelector('dialog')`)
		p.SeesNot("This event is cancelled")
		p.Click("Cancel this event …")
		if got := p.Value("Reason, for everybody to read"); got != "The roof is wet.\nSee https://example.org/roof" {
			p.Errorf("the reason was lost: %q", got)
		}
		p.Click("Cancel the event")
		p.Sees("This event is cancelled")
		p.Open(event.public())
		p.Sees("The roof is wet.\nSee https://example.org/roof")
		p.Until("a link in the reason", Find, "https://example.org/roof")
		p.SeesNot("Are you coming?")
	}},
	{"Arabic", func(p *Page, _ string) {
		p.Size(390, 844)
		event := announce(p.T, supper(), "Anna", "محمد علي")
		p.Open("/")
		p.Pick("Language", "ar")
		p.Sees("من سيحضر؟")
		for _, path := range []string{"/", event.public(), event.private()} {
			p.Open(path)
			if wide := Eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				p.Errorf("%s is %d px too wide", path, wide)
			}
			if Eval[bool](p, `document.querySelector('.mark').getBoundingClientRect().left < document.getElementById('language').getBoundingClientRect().left`) {
				p.Errorf("%s is not mirrored", path)
			}
		}
	}},
}
