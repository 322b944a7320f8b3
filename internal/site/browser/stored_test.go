package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The list of the version before, under one name, stays as it is for its tabs and its shell. Each entry is adopted
// once, also one that an open tab of that version adds; what is removed here is removed there, and does not come back.
func TestListOfTheVersionBefore(t *testing.T) {
	hosted, joined := announce(t, supper()), announce(t, longTitle())
	tokens := []string{hosted.OrganizerToken, signUp(t, joined, "Cleo"), signUp(t, joined, "Emil")}
	entry := func(e created, name, token, guest string) fields {
		return fields{"eventToken": e.EventToken, "title": e.Title, "dateTime": e.DateTime, "timezone": e.Timezone, name: token, "name": guest}
	}
	v := atHome(t)
	list := func(rsvps ...fields) string {
		content, err := json.Marshal(map[string][]fields{"events": {entry(hosted, "organizerToken", tokens[0], "")}, "rsvps": rsvps})
		v.Must(err)
		return string(content)
	}
	cleo, emil := entry(joined, "rsvpToken", tokens[1], "Cleo"), entry(joined, "rsvpToken", tokens[2], "Emil")
	first, all := list(cleo), list(cleo, emil)
	before := v.Tab()
	before.Open("/no/such/page")
	write := func(list string) { eval[struct{}](before, `void (localStorage['turnout.mine'] = %s)`, list) }
	write(first)
	v.Sees("You’re organizing", "Cleo is coming")
	write(all)
	v.Sees("Cleo and Emil are coming")
	is(v, `localStorage['turnout.mine']`, all)
	for _, event := range []created{joined, hosted} {
		v.Click("More for " + event.Title)
		v.Click("Remove " + event.Title)
		v.Click("Remove")
		v.Until("one entry less", `!document.getElementById('entry-' + %s)`, event.EventToken)
	}
	secrets := func() {
		t.Helper()
		for _, token := range tokens {
			is(v, `JSON.stringify(localStorage).includes(%s)`, false, token)
		}
	}
	secrets()
	write(all)
	v.Reload()
	v.Sees("are listed here")
	secrets()
}

// blocksSiteData is a visitor whose browser blocks site data by its setting, which the headless shell
// does not have.
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
	return newTab(browser, &visitor{sitePage: &sitePage{T: t}})
}

// Where the browser blocks site data, home works, and an event can be announced. Its secret is in no address, but in the
// history.
func TestSiteDataIsBlocked(t *testing.T) {
	v := blocksSiteData(t)
	v.Open("/")
	is(v, `(async () => [await navigator.locks.request('x', () => 'granted').catch(() => 'refused'),
		...['localStorage', 'sessionStorage'].map((name) => { try { return window[name].length; } catch { return 'refused'; } })])()`,
		[]string{"refused", "refused", "refused"})
	fill(v)
	v.Click("Announce it")
	v.Sees("This browser doesn’t keep anything")
	v.Reload()
	v.Sees("Now spread the word")
	is(v, `location.hash`, "#organize")
}

// Nothing confirms a private link: neither page says that its guest is coming. Where storage refuses, the address
// keeps it.
func TestGuestsPrivateLink(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{})
	link := event.public() + "#name=Ann&rsvp=00000000-0000-4000-8000-000000000000"
	for _, path := range []string{link, "/"} {
		v.Open(path)
		v.Sees("This link is for Ann")
		v.SeesNot("is coming", "You’re coming")
	}
	v.Open(event.public())
	bring(v.sitePage, "Ben")
	v.Sees("You’re coming", "This link is for Ann")
	v = newVisitor(t, manner{})
	v.Prepare(full)
	v.Open(link)
	v.Sees("This link is for Ann")
	v.At(link)
}

// Where the guest list has become shorter than the names here, one was withdrawn elsewhere: the page says so once the
// service has been asked.
func TestWithdrawnElsewhere(t *testing.T) {
	event, v := invited(t)
	come(v, "Ann")
	come(v, "Ben")
	v.Idle()
	const gone = "A name here is no longer on the guest list"
	tokens := eval[[]string](v, driving+`.stored('rsvp.').map(({ rsvpToken }) => rsvpToken)`)
	withdraw(t, event, tokens[0])
	v.SeesNot(gone)
	comeBack(v)
	v.Sees(gone)
	v.Until("news for the screen reader", `document.getElementById('announcer').textContent.startsWith(%s)`, gone)
	v.Sees("2 of you are coming")
	withdraw(t, event, tokens[1])
	v.Reload()
	v.Sees("You were on the list", gone)
}

// A tab that is still open does not store anything about an event that was removed in another one.
func TestRemovedEventLeavesNothing(t *testing.T) {
	_, v := organizing(t, "Ada")
	other := v.Tab()
	other.Open("/")
	askToRemove(other, "Rooftop supper")
	other.Click("Remove")
	other.Sees("are listed here")
	comeBack(v)
	v.Idle()
	is(v, `Object.keys(localStorage).filter((name) => name.startsWith('turnout.'))`, []string{})
}

// A tick stays where its name is not on the list for a while.
func TestTickStaysWithoutItsName(t *testing.T) {
	_, v := organizing(t, "Ada", "Ben")
	v.Click("Check guests in")
	v.Click("Ben")
	v.Sees("Checked in: 1 of 2")
	instead(v, "GET", `(async () => (await real()).url.includes('attendees') ? new Response('{"attendees":[{"name":"Ada"}]}', { headers: { 'Content-Type': 'application/json' } }) : real())()`)
	comeBack(v)
	v.Sees("Checked in: 0 of 1")
	v.Click("Done")
	v.Click("Check guests in")
	v.Reload()
	v.Click("Check guests in")
	v.Sees("Checked in: 1 of 2")
}
