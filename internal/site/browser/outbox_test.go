package browser

import (
	_ "embed"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
)

//go:embed testdata/faults.js
var faults string

// unseen waits for a condition that does not show on the page.
func unseen(v interface{ page() *sitePage }, condition string, args ...any) {
	v.page().Helper()
	eval[struct{}](v, driving+`.unseen(async () => `+condition+`)`, args...)
}

// counts waits until the service has this number of guests.
func counts(v *visitor, e created, guests int) {
	v.Helper()
	unseen(v, `(await (await fetch('/api/events/' + %s)).json()).attendeeCount === %s`, e.EventToken, guests)
}

// instead answers a method with the value of an expression, in which real() sends the request.
func instead(v interface{ page() *sitePage }, method, answer string) {
	v.page().Helper()
	eval[struct{}](v, `void (() => {`+faults+`faults.answer(%s, (real) => `+answer+`); })()`, method)
}

// losing drops the answer after the request was sent, and notFound is the service's where there is no event.
const (
	losing   = `real().then(() => { throw new TypeError('lost'); })`
	notFound = `new Response('{"type":"urn:turnout:problem:event-not-found"}', { status: 404 })`
)

// Pages are left without loading one, because a browser without a network still reaches its own machine.
func TestOutboxOffline(t *testing.T) {
	event, v := invited(t, "Ben")
	unseen(v, `performance.getEntriesByName(location.origin + %s).length`, site.Names()[site.Home])
	call(v, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	come(v, "Anna")
	v.Offline(true)
	v.Until("no button that needs the network", `getComputedStyle(document.querySelector('#keep-rsvp .online')).display === 'none'`)
	v.Click("Can’t make it after all: Anna")
	v.Sees("Anna may still be on the list.") // after the time to undo it
	v.Offline(false)
	v.Sees("Are you coming?", "1 is coming")
	v.Offline(true)
	v.Click("Are you coming?")
	submit(v, "Otto")
	v.Sees("Not sent yet, Otto", "Otto will be signed up once you’re online")
	is(v, shown+`.match(/offline/g).length`, 1)
	v.SeesNot("Try")
	follow(v, "/")
	v.Sees("RSVP not sent yet: Otto")
	v.Offline(false)
	v.Sees("Otto is coming")
	hasNames(t, event, "Ben", "Otto")
}

// A tab sends what another could not, and both show it, with locks that a suspended tab keeps or with none.
func TestOutboxOfTwoTabs(t *testing.T) {
	needBrowser(t)
	for name, script := range map[string]string{"locks are kept": faults + `faults.keepLocks()`, "no locks": `delete Navigator.prototype.locks`} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper()), newVisitor(t, manner{})
			v.Prepare(script)
			v.Open(event.public())
			submitUnanswered(v, lost, "Anna")
			other := v.Tab()
			other.Prepare(script)
			other.Open("/")
			other.Sees("Anna is coming")
			v.Sees("You’re in, Anna")
			hasNames(t, event, "Anna")
		})
	}
}

// A tab whose answer comes late does not bring back a guest who has withdrawn in another.
func TestLateTabDoesNotBringBackAGuest(t *testing.T) {
	event, v := invited(t)
	end := submitUnanswered(v, unreached, "Anna")
	other := v.Tab()
	other.Prepare(`delete Navigator.prototype.locks`)
	endOther := other.Disturb(http.MethodPost, held)
	other.Open(event.public())
	counts(other, event, 1)
	end()
	comeBack(v)
	v.Click("Can’t make it after all: Anna")
	follow(v, "/")
	v.Sees("Your private link shows who’s coming.")
	endOther()
	other.Idle()
	other.Sees("Are you coming?")
	hasNames(t, event)
	follow(other, "/")
	other.Sees("Your private link shows who’s coming.")
	is(other, driving+`.stored('event.').length`, 0)
}

// Storages that do not store anything.
const (
	full    = `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };`
	blocked = `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });`
)

// Where nothing can be stored, the open page sends it and says that it has to stay open.
func TestOutboxWithoutStorage(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{})
	v.Prepare(blocked)
	v.Open(event.public())
	end := v.Disturb(http.MethodPost, lost)
	submit(v, "Anna")
	v.Sees("while Turnout is open.")
	follow(v, "/")
	v.Sees("RSVP not sent yet: Anna")
	end()
	comeBack(v)
	v.Sees("Anna is coming")
	follow(v, event.public())
	v.Click("Can’t make it after all: Anna")
	follow(v, "/")
	v.Sees("Your private link shows who’s coming.")
	hasNames(t, event)
}

// If the storage is full, the result of an item takes its place.
func TestAnswerFitsIntoAFullStorage(t *testing.T) {
	_, v := invited(t)
	end := submitUnanswered(v, unreached, "Anna")
	fullStorage(v)
	end()
	comeBack(v)
	v.Sees("You’re in, Anna")
	v.Reload()
	v.Sees("You’re in, Anna")
}

// Items that wait are sent, also where this clock says that the event is long over: the service
// decides. Refused ones are not kept then.
func TestOutboxSendsWhereTheClockIsAhead(t *testing.T) {
	event := announce(t, days(1), "Ben")
	v := newVisitor(t, manner{}, "/")
	v.Prepare(driving + `.later(30 * 864e5)`)
	eval[struct{}](v, faults+`faults.leaveItems(...%s)`, []any{event.Content, signUp(t, event, "Cleo"), signUp(t, event, "Emil")})
	v.Reload()
	unseen(v, `!`+waiting)
	hasNames(t, event, "Ben", "Anna")
	is(v, driving+`.stored('rsvp.').map(({ title, name }) => title + name)`, []string{"Rooftop supperAnna"})
}

// sentFromHome is a flow for every engine: an RSVP whose answers are lost is sent by the next page.
func sentFromHome(p *sitePage, _ string) {
	event := announce(p.T, supper())
	p.Open(event.public())
	instead(p, http.MethodPost, losing)
	submit(p, "Zoë")
	p.Sees("No confirmation yet for Zoë.")
	p.Open("/")
	p.Sees("Zoë is coming")
	hasNames(p.T, event, "Zoë")
}

// A refusal of the service ends an item. It is shown until it is dismissed, on home and on the page of the event.
func TestOutboxIsRefused(t *testing.T) {
	event, v := invited(t, "Ben")
	other := v.Tab(event.public())
	other.Hold()
	end := submitUnanswered(v, unreached, "Anna")
	cancel(t, event, "Storm")
	follow(v, "/")
	v.Sees("RSVP not sent yet: Anna")
	end()
	comeBack(v)
	v.Sees("Anna isn’t signed up.")
	other.Sees("Storm")
	v.Open(event.public())
	v.Sees("Anna isn’t signed up.")
	v.Click("OK")
	v.Until("nothing left of it", `!`+shown+`.includes('Anna')`)
	v.Open("/")
	v.SeesNot("Anna")
	hasNames(t, event, "Ben")
}

// Who removes an event from the list is told who is taken off the guest list, also while this tab or another waits for the
// answer. A withdrawal, a cancel and a walk-in are sent. Nothing of it stays on the device.
func TestRemovedEventLeavesTheOutbox(t *testing.T) {
	needBrowser(t)
	for name, c := range map[string]struct {
		method string
		kind   disturbance
		want   []string
	}{
		"RSVP":                {http.MethodPost, lost, []string{"Ben", "Cleo"}},
		"RSVP under way":      {http.MethodPost, held, []string{"Ben", "Cleo"}},
		"RSVP of another tab": {http.MethodPost, held, []string{"Ben", "Cleo"}},
		"RSVP is forgotten":   {http.MethodPost, held, []string{"Ben", "Cleo"}}, // as the site's data is cleared
		"withdrawal":          {http.MethodDelete, lost, []string{"Ben"}},
		"cancel":              {http.MethodPatch, lost, []string{"Ben", "Cleo"}},
		"walk-in":             {http.MethodPost, unreached, []string{"Ben", "Cleo", "Anna"}},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := invited(t, "Ben")
			come(v, "Cleo")
			end := v.Disturb(c.method, c.kind)
			switch name {
			case "withdrawal":
				v.Click("Can’t make it after all: Cleo")
			case "cancel":
				follow(v, event.private())
				askToCancel(v)
				v.Click("Cancel the event")
				v.Sees("No confirmation yet")
			case "walk-in":
				follow(v, event.private())
				v.Click("Check in")
				v.Write("Find or add", "Anna")
				v.Click("Add “Anna”")
				v.Sees("not sent yet")
			default:
				bring(v.sitePage, "Anna")
				counts(v, event, 3)
				v.Sees("No confirmation yet for Anna.") // after four seconds, if there is no answer
				v.Until("focus on what goes on", `document.activeElement.id === 'waiting-title'`)
			}
			home := v
			if name == "RSVP of another tab" {
				home = v.Tab("/")
			} else {
				follow(v, "/")
			}
			if name == "RSVP is forgotten" {
				eval[struct{}](v, `localStorage.clear()`)
			} else {
				askToRemove(home, "Rooftop supper")
				is(home, `document.querySelector('dialog').innerText.replace(/[\u2068\u2069]/g, '').includes('Anna may already be on the guest list')`, strings.HasPrefix(name, "RSVP"))
				home.Click("Remove")
				home.Sees("Your private link shows who’s coming.")
			}
			end()
			if c.kind == held {
				counts(home, event, len(c.want))
			}
			home.Reload()
			unseen(home, `!`+waiting)
			home.Sees("Your private link shows who’s coming.")
			is(home, driving+`.stored('').length`, 0)
			hasNames(t, event, c.want...)
			same(home, "cancelled", ask(t, apitest.GetEvent(event.EventToken)).Cancelled, name == "cancel")
		})
	}
}

// An answer that says when to come back is respected by each tab, unless somebody asks. Only a first answer has the number.
func TestRetryAfter(t *testing.T) {
	event, v := invited(t)
	instead(v, http.MethodPost, `(faults.restore(), new Response('{}', { status: 429, headers: { 'Retry-After': '4294967' } }))`)
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	v.Reload()
	v.Sees("No confirmation yet for Anna.")
	other := v.Tab(event.public())
	comeBack(v)
	eval[struct{}](other, `void dispatchEvent(new Event('online'))`)
	other.Idle()
	hasNames(t, event)
	v.Click("Try now")
	v.Sees("You’re in, Anna")
	v.Idle()
	v.SeesNot("You’re number") // others may have come since the first answer
	hasNames(t, event, "Anna")
}

// The network may come and go: each time it is back, an item is sent, but at most once a second.
func TestOnlineSendsOnceASecond(t *testing.T) {
	_, v := invited(t)
	v.Prepare(`{ const start = Date.now(); Date.now = () => start + (window.passed ?? 0); }`)
	v.Reload()
	instead(v, http.MethodPost, `(window.sent = (window.sent ?? 0) + 1, Promise.reject(new TypeError('lost')))`)
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	const comesBack = `(passed = %s, dispatchEvent(new Event('online')), new Promise((done) => setTimeout(() => done(sent), 30)))`
	for range 10 {
		is(v, comesBack, 1, 400)
	}
	eval[int](v, comesBack, 1000)
	unseen(v, `sent === 2`)
}

// A page on which something fails goes on sending.
func TestFailingPageSends(t *testing.T) {
	event, v := invited(t)
	eval[struct{}](v, `void (() => {
		addEventListener('error', (event) => event.preventDefault());
		addEventListener('unhandledrejection', (event) => event.preventDefault());
		HTMLElement.prototype.focus = () => { throw new Error('focus'); };
	})()`)
	instead(v, http.MethodPost, `(faults.restore(), real().then(() => { throw new TypeError('lost'); }))`)
	eval[struct{}](v, `void (document.querySelector('#name').value = 'Anna', document.querySelector('#name').dispatchEvent(new Event('input', { bubbles: true })))`)
	v.Click("Count me in")
	v.Sees("You’re in, Anna")
	hasNames(t, event, "Anna")
}

// A guest who closes the page at once is on the list: while it connects, and while it waits to try again.
func TestRSVPOutlivesItsPage(t *testing.T) {
	c := connect(t)
	c.Except("^/api/nothing$", hang)
	for name, submits := range map[string]func(v *visitor){
		"while it connects": func(v *visitor) {
			v.Idle()
			// Browsers open six connections at most.
			eval[struct{}](v, `void Array.from({ length: 6 }, (_, n) => fetch('/api/nothing?' + n, { credentials: 'omit' }))`)
			submit(v, "Anna")
			unseen(v, `underWay === 7`)
		},
		"while it waits": func(v *visitor) {
			v.Hold()
			submitUnanswered(v, unreached, "Anna")()
			do(v, chromedp.Navigate("about:blank")) // Chromium may end a closed tab before its last request
		},
	} {
		t.Run(name, func(t *testing.T) {
			event, v, other := announce(t, supper()), newVisitor(t, manner{}), newVisitor(t, manner{}, "/")
			c.at(v, event.public())
			submits(v)
			call(v, page.Close, cdp.Empty{})
			counts(other, event, 1)
		})
	}
}
