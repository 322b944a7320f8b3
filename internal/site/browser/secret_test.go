package browser

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site/locale"
)

// The URL of an organizer's page, which may be copied without harm.
func (c created) organize() string { return c.public() + "#organize" }

// privateLinkIsOpened is a flow for every engine. The secret leaves the URL. No link on a page and no URL in the
// history contains the secret, and the page sends it only to the API.
func privateLinkIsOpened(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Ada")
	see := func(path, text string) {
		p.Helper()
		p.Sees(text)
		p.Started()
		p.At(path)
		is(p, fn("mentions", event.OrganizerToken), []string{})
	}
	p.Open("/")
	p.Open(event.private())
	see(event.organize(), "1 is coming")
	p.Sees("Ada") // the service has accepted the secret
	is(p, fn("pathsRequestedWith", event.OrganizerToken), []string{"/api/events/" + event.EventToken + "/attendees"})
	is(p, `document.referrer`, "")
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
		eval[struct{}](p, `history.`+step.move+`()`)
		see(step.path, step.text)
	}
	p.Open(event.private())
	is(p, fn("savedSecrets"), []string{event.OrganizerToken})
	p.Open("/")
	p.Click("Rooftop supper")
	see(event.organize(), "Ada")
	eval[struct{}](p, `localStorage.clear()`)
	p.Reload()
	p.Click("Cancel the event")
	p.Sees("This can’t be undone.")
	p.Click("Cancel the event")
	p.Sees("Cancelled")
	same(p, "cancelled", ask(p.T, apitest.GetEvent(event.EventToken)).Cancelled, true)
}

// A secret is never removed from the URL if the URL is its only copy.
func TestSecretIsKeptBeforeItLeavesTheAddress(t *testing.T) {
	needBrowser(t)
	const (
		unsaved  = "This browser won’t remember your private link"
		stranger = "00000000-0000-4000-8000-000000000000"

		own, other = "#organizer=SECRET", "#organizer=" + stranger
	)
	saved := func(secret string) string { return fn("saveEvent", "EVENT", secret) }
	full := fn("refuseToStore", "")
	for name, c := range map[string]struct{ prepare, link, path, says, saved string }{
		"saved":          {"", own, "#organize", "Ada", "SECRET"},
		"full":           {full, own, own, unsaved, ""},
		"reads another":  {fn("storeNothing"), own, own, unsaved, ""},
		"blocked":        {fn("block", "localStorage"), own, own, unsaved, ""},
		"full later":     {fn("loseStorage", "turnout.organizer.EVENT"), own, "#organize", "Ada", ""},
		"no details":     {fn("refuseToStore", "turnout.event."), own, "#organize", "Ada", "SECRET"},
		"wrong is saved": {saved(stranger), own, "#organize", "Ada", "SECRET"},
		"refused":        {"", other, other, "Was the link cut off", ""},
		"right is saved": {saved("SECRET"), other, other, "Was the link cut off", "SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
			with := strings.NewReplacer("EVENT", event.EventToken, "SECRET", event.OrganizerToken).Replace
			v.Prepare(with(c.prepare))
			v.Open(event.public() + with(c.link))
			for range 2 { // the second time after a reload
				v.Sees(c.says)
				v.At(event.public() + with(c.path))
				v.Reload()
			}
			same(v, "the saved secrets", strings.Join(on[[]string](v, "savedSecrets"), " "), with(c.saved))
		})
	}
}

// Until the organizer has copied or sent the private link, the announced page asks for this, and later pages say that
// the link is saved only here. A download and an exported list end neither, because nobody knows whether a file
// arrived. An organizer who opens the link or imports an exported list already has a copy.
func TestPrivateLinkIsToBeKeptElsewhere(t *testing.T) {
	const plea, done, only = "Back up your private link", "If this browser forgets the link", "saved here only"
	v := newVisitor(t, manner{}, "/")
	v.Prepare(fn("haveShareSheet", false)) // Chromium on a desktop has no share sheet
	back := func() {
		v.Open("/")
		v.Click("Rooftop supper")
		v.Sees("Nobody yet")
		v.SeesNot(plea, done)
	}
	var list string
	for _, c := range []struct {
		keep   step
		isKept bool
	}{
		{func(v *visitor) { v.Copy("Copy private link") }, true},
		{func(v *visitor) { v.Download("Download both links") }, false},
		{func(v *visitor) {
			on[struct{}](v, "refuseToShare", "AbortError")
			v.Click("Send it to myself")
			v.Idle()
			v.Sees(plea)
			on[struct{}](v, "haveShareSheet", false)
			v.Click("Send it to myself")
			v.Until("the link", fn("shared")+`?.url.includes('#organizer=')`)
		}, true},
		{func(v *visitor) {
			v.Open("/")
			_, list = v.Download("Export the list")
			v.Click("Rooftop supper")
			v.Sees("Nobody yet")
			do(v, chromedp.NavigateBack(), chromedp.NavigateBack())
		}, false},
	} {
		v.Open("/?new")
		fill(v)
		v.Click("Announce it")
		v.Sees(plea)
		back()
		v.Sees(only)
		do(v, chromedp.NavigateBack(), chromedp.NavigateBack())
		v.Sees(plea)
		c.keep(v)
		if c.isKept {
			v.Sees(done)
			v.Reload()
			v.Sees("Nobody yet")
			v.SeesNot(plea, done, only)
			back()
			v.SeesNot(only)
		} else {
			v.Idle()
			v.Sees(plea)
			v.SeesNot(done)
			back()
			v.Sees(only)
		}
		eval[struct{}](v, `localStorage.clear()`)
	}
	v.Open("/")
	load(v, list)
	v.Sees("1 event is on your list now.")
	back()
	v.SeesNot(only)
	v.Open(announce(t, supper(), "Ada").private())
	v.Sees("Ada")
	v.SeesNot(only, plea)
}

// If the browser will forget the private link, the page says so before the invitation, at each width. In each language
// a phone's first screen has all ways to keep the link, and that of the smallest phone the first way. The page asks
// again when it is opened by the private link.
func TestForgottenLinkIsSaidFirst(t *testing.T) {
	v := newVisitor(t, screens[0])
	v.Prepare(fn("refuseToStore", ""))
	v.Prepare(fn("haveShareSheet", true))
	filled(v)
	v.Click("Announce it")
	v.Sees("Announced")
	for _, language := range append(slices.Clone(locale.Languages()), "en") {
		choose(v, language)
		onScreen(v, screens[0], language, "#backup .plain")
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(320, 568)))
		onScreen(v, manner{Width: 320, Height: 568}, language, "#backup .secondary")
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(screens[0].Width, screens[0].Height)))
	}
	for _, m := range append(screens, manner{Width: 320, Height: 568}) {
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(m.Width, m.Height)))
		v.Check("before the invitation", fn("isAbove", "#backup", ".guest-section"))
	}
	v.Copy("Copy private link")
	v.Sees("If this browser forgets the link")
	v.Check("it stays in its place", fn("isAbove", "#backup", ".guest-section"))
	v.Open(announce(t, supper()).private())
	v.Sees("Back up your private link")
	v.Check("before the invitation", fn("isAbove", "#backup", ".guest-section"))
}

// The server's HTML is made for guests. The organizer's browser never paints its form before the organizer's page, not
// even while the script has not loaded.
func TestGuestsPageIsNotPaintedForTheOrganizer(t *testing.T) {
	event, v := organizing(t, "Ada")
	other, off := announce(t, supper()), announce(t, supper())
	cancel(t, off, "Rain")
	for _, c := range []struct {
		path   string
		guests bool
	}{
		{event.public(), true},
		{event.organize(), false},
		{event.private(), false},
		{"/e/" + strings.ToUpper(event.EventToken) + "#organize", false},
		{other.organize(), true},
		{other.private(), false},
		{off.private(), false},
	} {
		v.Block("/assets/*.js")
		do(v, chromedp.Navigate("about:blank"), chromedp.Navigate(base+c.path))
		var got []bool
		for _, part := range []string{"#rsvp, #state", ".about", "h1"} {
			got = append(got, on[bool](v, "isVisible", part))
		}
		same(v, c.path+" shows the form, what follows and the title", got, []bool{c.guests, c.guests, true})
		on[struct{}](v, "finishAnimations")
		v.Offers("Load the page again")
		v.Block()
		v.Click("Load the page again")
		v.Started()
		is(v, `!document.getElementById('dashboard')`, c.guests)
	}
}

// blocksSiteData returns a visitor whose browser blocks site data. The headless shell has no such setting.
func blocksSiteData(t *testing.T) *visitor {
	needBrowser(t)
	path, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("Chromium with its settings is %v: apt-get install chromium", errMissing)
	}
	profile := t.TempDir()
	const settings = `{"profile":{"default_content_setting_values":{"cookies":2}}}`
	if err := os.MkdirAll(filepath.Join(profile, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	browser, stop := allocate(chromedp.ExecPath(path), chromedp.Flag("headless", "new"), chromedp.UserDataDir(profile))
	t.Cleanup(stop)
	return newTab(browser, t, manner{}, nil)
}

// If the browser blocks site data, an organizer can still announce an event. The secret is in the history entry, not in
// the URL.
func TestSiteDataIsBlocked(t *testing.T) {
	v := blocksSiteData(t)
	v.Open("/")
	is(v, fn("forbidden"), []string{"locks", "localStorage", "sessionStorage"})
	fill(v)
	v.Click("Announce it")
	v.Sees("This browser won’t remember your private link")
	v.Reload()
	v.Sees("Announced")
	is(v, `location.hash`, "#organize")
}

// The page reads the RSVP of a guest's own link by its token, at most once a minute. The service confirms the RSVP and
// its name. Any other response except the service's own 404 changes nothing. If storage refuses the RSVP, the URL keeps
// the link. The page adopts the link once, and not again after the guest's withdrawal.
func TestGuestsOwnLink(t *testing.T) {
	event := announce(t, supper(), "Ben")
	link := event.public() + "#name=Ann&rsvp=" + signUp(t, event, "Anna")
	v := newVisitor(t, manner{}, "/")
	restore := v.Disturb(http.MethodGet, absent)
	v.Open(link)
	v.Idle()
	v.Sees("This link is for Ann")
	v.SeesNot("is coming", "You’re in,", "withdrawn")
	restore()
	v.Prepare(later(time.Minute))
	v.Open(event.public())
	v.Sees("You’re in, Anna")
	v.SeesNot("This link is for")
	v.Reload()
	v.Sees("You’re in, Anna")
	v.Idle()
	is(v, fn("loaded", "/rsvps/"), []string{})
	v.Open("/")
	v.Sees("Anna is coming")

	v = newVisitor(t, manner{})
	v.Prepare(fn("refuseToStore", ""))
	v.Open(link)
	v.Sees("You’re in, Anna")
	v.At(link)
	v.Click("Can’t make it after all: Anna")
	counts(v, event, 1)
	v.Sees("Are you coming?")
	v.Pick("Language", "de")
	v.Sees("Kommst du?")
}

// A guest whose RSVP was withdrawn elsewhere is told so until the guest dismisses the message, however many others are
// coming. This holds on the device that signed up, on the event's page and on home, and on a device that has opened the
// link.
func TestWithdrawnElsewhere(t *testing.T) {
	event, v := invited(t, "Ben")
	come(v, "Ann")
	token := on[string](v, "ownToken")
	v.Click("My own link")
	v.Copy("Copy my link")
	other := newVisitor(t, manner{}, event.public()+"#name=Ann&rsvp="+token)
	other.Sees("You’re in, Ann")
	withdraw(t, event, token)
	for _, device := range []*visitor{v, other} {
		device.Prepare(later(time.Minute))
		for range 2 {
			device.Open(event.public())
			device.Sees("taken off elsewhere", "1 is coming")
			device.SeesNot("You’re in,", "This link is for")
		}
		follow(device, "/")
		device.Sees("Your events", "Rooftop supper", "taken off elsewhere", "Ann")
		if device == v {
			device.Click("OK")
			device.SeesNot("Rooftop supper")
			device.Open(event.public())
		} else {
			device.Open(event.public())
			device.Click("OK")
		}
		device.Sees("Are you coming?")
		device.SeesNot("taken off elsewhere", "Ann ")
		is(device, fn("countStored", "rsvp."), 0)
	}
}

// After removing an event from the list, the organizer needs another copy of the link, because the tab's history does
// not keep the secret.
func TestRemovedEventIsNotInTheHistory(t *testing.T) {
	event, v := organizing(t, "Ada")
	v.Sees("Ada")
	follow(v, "/")
	askToRemove(v, "Rooftop supper")
	v.Click("Remove")
	v.NoDialog()
	eval[struct{}](v, `history.back()`)
	v.Sees("Open the private link you kept")
	v.SeesNot("Ada")
	v.Open(event.private())
	v.Sees("Ada")
	v.Reload()
	v.Sees("Ada")
}
