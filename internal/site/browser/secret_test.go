package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
)

// The address of an organizer's page, which may be copied.
func (c created) organize() string { return c.public() + "#organize" }

var savedSecrets = driving + `.stored('organizer.').map(({ organizerToken }) => organizerToken)`

// privateLinkIsOpened is a flow in each engine: the secret leaves the address, and neither a
// link of a page nor an address that is pushed has it.
func privateLinkIsOpened(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Ada")
	see := func(path, text string) {
		p.Helper()
		p.Sees(text)
		p.Until("the page", started)
		p.At(path)
		is(p, driving+`.mentions(%s)`, []string{}, event.OrganizerToken)
	}
	p.Open("/")
	p.Open(event.private())
	see(event.organize(), "1 is coming")
	p.Reload()
	see(event.organize(), "Ada")
	p.Click("See what your guests see")
	p.Click("You’re organizing this event: guest list and links")
	see(event.organize(), "Ada")
	p.Pick("Language", "de")
	see(event.organize(), "1 kommt")
	p.Pick("Sprache", "en")
	p.Sees("1 is coming")
	p.Open("/")
	see("/", "You’re organizing")
	p.Click("Rooftop supper")
	see(event.organize(), "Ada")
	p.Click("See what your guests see")
	see(event.public(), "Are you coming?")
	for _, step := range []struct{ move, path, text string }{
		{"back", event.organize(), "Ada"}, {"back", "/", "You’re organizing"}, {"forward", event.organize(), "Ada"},
		{"forward", event.public(), "Are you coming?"}, {"back", event.organize(), "Ada"},
	} {
		eval[struct{}](p, `void history.`+step.move+`()`)
		see(step.path, step.text)
	}
	p.Open(event.private())
	same(p, "the saved links", eval[[]string](p, savedSecrets), []string{event.OrganizerToken})
	p.Open("/")
	p.Click("Rooftop supper")
	see(event.organize(), "Ada")
	eval[struct{}](p, `localStorage.clear()`)
	p.Reload()
	p.Click("Cancel the event")
	p.Click("Cancel this event…")
	p.Click("Cancel the event")
	p.Sees("This event is cancelled")
	same(p, "cancelled", ask(p.T, apitest.GetEvent(event.EventToken)).Cancelled, true)
}

// The only copy of a secret is never taken out of the address.
func TestSecretIsKeptBeforeItLeavesTheAddress(t *testing.T) {
	needBrowser(t)
	const (
		unsaved = "This browser doesn’t keep anything"
		list    = `localStorage['turnout.organizer.EVENT'] ??= JSON.stringify({ eventToken: 'EVENT', organizerToken: 'SAVED', title: 'Supper', dateTime: '2099-12-12T19:30:00Z', timezone: 'UTC' });`
		// There is room for the links, but not for the details of events.
		noDetails = `{ const { setItem } = Storage.prototype; Storage.prototype.setItem = function (name, value) {
			if (name.startsWith('turnout.event.')) throw new DOMException('', 'QuotaExceededError');
			setItem.call(this, name, value);
		}; }`
		stranger = "00000000-0000-4000-8000-000000000000"
	)
	for name, c := range map[string]struct{ prepare, link, path, says, saved string }{
		"saved":          {"", "#organizer=SECRET", "#organize", "Ada", "SECRET"},
		"full":           {full, "#organizer=SECRET", "#organizer=SECRET", unsaved, ""},
		"reads another":  {`Storage.prototype.setItem = () => {};`, "#organizer=SECRET", "#organizer=SECRET", unsaved, ""},
		"blocked":        {blocked, "#organizer=SECRET", "#organizer=SECRET", unsaved, ""},
		"full later":     {`if (localStorage['turnout.organizer.EVENT']) { localStorage.clear(); ` + full + ` }`, "#organizer=SECRET", "#organize", "Ada", ""},
		"no details":     {noDetails, "#organizer=SECRET", "#organize", "Ada", "SECRET"},
		"wrong is saved": {strings.ReplaceAll(list, "SAVED", stranger), "#organizer=SECRET", "#organize", "Ada", "SECRET"},
		"refused":        {"", "#organizer=" + stranger, "#organizer=" + stranger, "doesn’t belong to this event", ""},
		"right is saved": {strings.ReplaceAll(list, "SAVED", "SECRET"), "#organizer=" + stranger, "#organizer=" + stranger, "doesn’t belong to this event", "SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
			with := strings.NewReplacer("EVENT", event.EventToken, "SECRET", event.OrganizerToken).Replace
			v.Prepare(with(c.prepare))
			v.Open(event.public() + with(c.link))
			for range 2 { // and once it is loaded again
				v.Sees(c.says)
				v.At(event.public() + with(c.path))
				v.Reload()
			}
			same(v, "the saved secrets", strings.Join(eval[[]string](v, savedSecrets), " "), with(c.saved))
		})
	}
}

// The private link is to be kept elsewhere, too, until it was; once.
func TestPrivateLinkIsToBeKeptElsewhere(t *testing.T) {
	needBrowser(t)
	const plea, done = "Keep your private link somewhere else, too", "If this browser forgets the link"
	for name, keep := range map[string]func(v *visitor){
		"copied":     func(v *visitor) { v.Copy("Copy private link") },
		"downloaded": func(v *visitor) { v.Download("Download both links") },
		"sent": func(v *visitor) {
			eval[struct{}](v, `void (navigator.share = () => Promise.reject(new DOMException('', 'AbortError')))`)
			v.Click("Send it to yourself")
			v.Idle()
			v.SeesNot(done)
			eval[struct{}](v, `void (navigator.share = async ({ url }) => { window.sent = url; })`)
			v.Click("Send it to yourself")
			v.Until("the link", `window.sent?.includes('#organizer=')`)
		},
		"exported": func(v *visitor) {
			follow(v, "/")
			v.Download("Export the list")
			do(v, chromedp.NavigateBack())
			v.Sees("Ada")
		},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
			v.Prepare(`navigator.share ??= () => {};`) // Chromium shares on phones only
			v.Open(event.private())
			v.Reload()
			v.Sees(plea)
			keep(v)
			if name != "exported" {
				v.Sees(done)
			}
			v.Reload()
			v.Sees("Ada")
			v.SeesNot(plea, done)
			v.Open("/")
			askToRemove(v, "Rooftop supper")
			v.Click("Remove")
			v.Sees("are listed here")
			do(v, chromedp.NavigateBack())
			v.Sees(plea)
			v.Click("Your private link")
			v.Click("Remember on this device")
			v.Sees("Saved.")
		})
	}
}

// The page that the server sends is for guests. Where the organizer's is to come, its form is
// never painted: at first, the script does not load.
func TestGuestsPageIsNotPaintedForTheOrganizer(t *testing.T) {
	event, v := organizing(t, "Ada")
	other, off := announce(t, supper()), announce(t, supper())
	cancel(t, off, "")
	for _, c := range []struct {
		path   string
		guests bool
	}{
		{event.public(), true}, {event.organize(), false}, {event.private(), false}, {"/e/" + strings.ToUpper(event.EventToken) + "#organize", false},
		{other.organize(), true}, {other.private(), false}, {off.private(), false},
	} {
		v.Block("/assets/*.js")
		do(v, chromedp.Navigate("about:blank"), chromedp.Navigate(base+c.path))
		got := eval[[]bool](v, `['#rsvp, #state', '.about', 'h1'].map((part) => document.querySelector(part).checkVisibility())`)
		same(v, c.path+" shows the form, what follows and the title", got, []bool{c.guests, c.guests, true})
		eval[chromedp.Void](v, `void document.getAnimations().forEach((animation) => animation.finish())`)
		v.Until("a way on", named, "Load the page again")
		v.Block()
		v.Click("Load the page again")
		v.Until("the page", started)
		is(v, `!document.getElementById('dashboard')`, c.guests)
	}
}
