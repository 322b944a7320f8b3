package browser

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/network"

	"turnout/internal/httpapi/apitest"
)

// busy is the service's answer where it asks to wait for ten minutes.
const busy = `new Response('{}', { status: 503, headers: { 'Retry-After': '600' } })`

// look is a look at the page, which draws it.
const look = `void document.dispatchEvent(new Event('visibilitychange'))`

// asks counts the requests to the API, which each poll and each look at the page may make.
const asks = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')).length`

// HTML of a cache does not replace newer facts of this device: a cancelled event stays cancelled.
func TestHTMLOfACacheIsAnAnswerOfItsTime(t *testing.T) {
	e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{})
	c.at(v, e.public())
	submit(v, "Anna")
	v.Sees("You’re number 1")
	old := eval[string](v, `fetch(location.href, { cache: 'no-store' }).then((answer) => answer.text())`)
	cancel(t, e, "Storm")
	comeBack(v)
	v.Sees("Storm")
	c.Except("^/(e|api)/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != e.public() {
			fail(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, old)
	})
	for _, path := range []string{e.public(), "/"} {
		c.at(v, path)
		v.Sees("As of ", "ancelled")
		v.SeesNot("You’re invited")
	}
}

// On home no older answer replaces a newer one, and a look at the tab does not ask again at once.
func TestOlderAnswerDoesNotReplaceANewerOne(t *testing.T) {
	e, v := organizing(t, "Ada")
	other := v.Tab()
	v.Open("/")
	v.Sees("1 is coming")
	unseen(v, asks+` === 1`)
	eval[struct{}](v, look)
	v.Idle()
	is(v, asks, 1)
	for n, deaf := range []bool{false, true} { // whether the page has not yet heard of the newer copy
		if deaf {
			v.Prepare(`addEventListener('storage', (event) => event.stopImmediatePropagation())`)
		}
		restore := v.Disturb(http.MethodGet, held)
		v.Open("/")
		unseen(v, `window.underWay`) // for what is held
		signUp(t, e, "Ben")
		other.Open(e.public())
		newer := fmt.Sprint(n+2, " are coming")
		other.Sees(newer)
		if !deaf {
			v.Sees(newer)
		}
		restore()
		v.Idle()
		is(v, driving+`.stored('event.')[0].event.attendeeCount`, n+2)
		eval[struct{}](v, look)
		v.Sees(newer)
	}
}

// Open pages say that the service fails, after two failures in a row, and that it has no such event
// or refuses the secret. Their polls wait as long as the service says.
func TestOpenPagesTellFailures(t *testing.T) {
	_, v := invited(t)
	v.Idle() // an answer that is under way would count
	instead(v, http.MethodGet, `new Response('', { status: 503 })`)
	comeBack(v)
	v.Idle()
	v.SeesNot("As of ")
	comeBack(v)
	v.Sees("As of ", "The service is busy")
	instead(v, http.MethodGet, notFound)
	comeBack(v)
	v.Sees("No event here")

	_, v = organizing(t, "Ada")
	v.Idle()
	instead(v, http.MethodGet, `(window.asked = (window.asked ?? 0) + 1, `+busy+`)`)
	for range 3 {
		comeBack(v)
		v.Idle()
	}
	is(v, `asked`, 1)
	eval[struct{}](v, driving+`.later(-864e5)`)
	comeBack(v)
	v.Idle()
	is(v, `asked`, 2) // the clock is before the pause
	_, v = organizing(t, "Ada")
	v.Idle()
	instead(v, http.MethodGet, `real().then((answer) => (answer.url.includes('attendees')
		? new Response('{"type":"urn:turnout:problem:invalid-organizer-token"}', { status: 403 }) : answer))`)
	comeBack(v)
	v.Sees("This private link isn’t valid")
}

// A request that fails once a later one was answered says nothing.
func TestLateFailureIsNotTold(t *testing.T) {
	_, v := invited(t)
	v.Idle()
	instead(v, http.MethodGet, `(window.asked = (window.asked ?? 0) + 1) > 2 ? real() : new Promise((_, fail) => { window.drop = fail; })`)
	comeBack(v)
	eval[struct{}](v, `void drop()`)
	v.Idle()
	comeBack(v)
	come(v, "Anna")
	v.Sees("You’re number 1")
	eval[struct{}](v, `void drop()`)
	v.Idle()
	v.SeesNot("As of")
}

// A device's clock that is days ahead hides neither the form nor the entries of the list.
func TestDeviceClockIsWrong(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(`{ const { now } = Date; Date.now = () => now() + 10 * 864e5; }`)
	e := announce(t, days(1))
	v.Open(e.public())
	v.Sees("tomorrow")
	come(v, "Anna")
	v.Open("/")
	v.Sees("1 is coming", "tomorrow")
	signUp(t, e, "Ben")
	eval[struct{}](v, `void Object.keys(localStorage).filter((name) => name.startsWith('turnout.event.')).forEach((name) => {
		const copy = JSON.parse(localStorage[name]);
		copy.value.at += 36e5;
		localStorage[name] = JSON.stringify(copy);
	})`)
	v.Open("/")
	v.Sees("2 are coming")
}

// An answer to a guest counts at once, on each page of this device, until the event is read again; but not twice, where a
// read before it has counted the guest. A submission ends with its answer, not with the refresh after it.
func TestAnswersCountAtOnce(t *testing.T) {
	_, v := invited(t, "Ben")
	v.Hold()
	instead(v, http.MethodPost, losing)
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	comeBack(v)
	v.Sees("2 are coming")
	v.Idle()
	eval[struct{}](v, `faults.restore()`)
	v.Disturb(http.MethodGet, held)
	v.Click("Try now")
	v.Sees("You’re in, Anna", "2 are coming")
	kept := driving + `.stored('event.')[0].event.attendeeCount`
	is(v, kept, 2)
	bring(v.sitePage, "Max")
	v.Sees("3 are coming")
	is(v, kept, 3)
	v.Click("Can’t make it after all: Anna")
	v.Sees("2 are coming")
	follow(v, "/") // which sends the withdrawal
	unseen(v, `!`+waiting)
	is(v, kept, 2)
}

// TestNumberOfAPageThatWasLeft is not announced.
func TestNumberOfAPageThatWasLeft(t *testing.T) {
	_, v := invited(t)
	restore := v.Disturb(http.MethodGet, held)
	submit(v, "Anna")
	v.Sees("You’re in, Anna")
	follow(v, "/")
	v.Sees("Your events")
	restore()
	v.Idle()
	is(v, `document.getElementById('announcer').textContent.includes('number')`, false)
}

func withdraw(t *testing.T, event created, rsvpToken string) {
	t.Helper()
	ask(t, apitest.CancelRSVP(event.EventToken, rsvpToken))
}

// Phones keep tabs for weeks, and nobody gets a message: a tab that is looked at again
// asks the service, and without an answer the days are counted anew.
func TestTabLearnsOfTheCancellation(t *testing.T) {
	event, v := organizing(t, "Ben")
	home, organizer := v.Tab("/"), v.Tab()
	home.Sees("1 is coming")
	organizer.Prepare(faults + `faults.holdTimers()`) // which would tell all tabs
	organizer.Open(event.private())
	v.Open(event.public())
	v.Write("Your name", "Anna")
	v.Idle()
	v.Unreachable(true)
	eval[struct{}](v, `void (Date.now = () => Date.parse('2099-12-11T12:00:00Z'))`)
	comeBack(v)
	v.Sees("tomorrow")
	for _, tab := range []*visitor{v, home, organizer} {
		tab.Idle() // none is yet to hear of it by an earlier request
	}
	v.Unreachable(false)
	cancel(t, event, "Rain")
	eval[struct{}](v, `void [`+driving+`.later(20_000), dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))]`)
	v.Sees("Rain")
	for _, tab := range []*visitor{home, organizer} {
		tab.Sees("ancelled") // what one tab learns of a saved event, all show
	}
}

// The copy of an event that another one has moved to goes, too, once nothing on the list needs it.
func TestStorageForgetsTheNewEvent(t *testing.T) {
	copies := driving + `.stored('event.').length`
	v := newVisitor(t, manner{})
	moved(v.sitePage, days(30))
	v.Sees(stillComing)
	is(v, copies, 2)
	v.Open("/")
	askToRemove(v, "Rooftop supper")
	v.Click("Remove")
	v.Sees("Your private link shows who’s coming")
	v.Open(announce(t, supper()).public()) // which is asked for the time
	unseen(v, copies+` === 0`)
}

// people are in ticks, in the draft of a name, and added at the door.
var people = []string{"Ariadne", "Ulla", "Zenobia"}

// Stored data about an event goes when its reader removes it from the list, or once it has expired by this device's clock and by
// the service's. What another server answers, a 404 and one clock alone delete nothing; a 404 hides what is stored.
func TestStorageForgetsTheEvent(t *testing.T) {
	const stored = `JSON.stringify({ ...localStorage, ...sessionStorage })`
	const ahead, future = `{ const { now } = Date; Date.now = () => now() + 9 * 864e5; }`, `headers: { Date: 'Fri, 01 Jan 2100 00:00:00 GMT' }`
	// with answers GETs, beside a withdrawal that a proxy answers.
	with := func(script, answer string) func(v *visitor, event created) {
		return func(v *visitor, event created) {
			eval[struct{}](v, `void localStorage.setItem('turnout.outbox.' + %s, JSON.stringify({
				kind: 'withdraw', eventToken: %s, name: 'Cleo', title: 'Supper', dateTime: '', timezone: '' }))`, event.EventToken, event.EventToken)
			v.Prepare(faults + script + `
				faults.answer('DELETE', () => new Response(null, { status: 204, ` + future + ` }));
				faults.answer('GET', (real) => ` + answer + `)`)
			v.Open(event.public())
			v.Idle()
			unseen(v, `!`+waiting)
		}
	}
	for name, c := range map[string]struct {
		end  func(v *visitor, event created)
		left []string
	}{
		"removed": {func(v *visitor, event created) {
			other := v.Tab() // which stays open
			other.Open(event.private())
			v.Open("/")
			askToRemove(v, "Rooftop supper")
			v.Click("Keep it")
			v.Until("no dialog", `!document.querySelector('dialog')`)
			askToRemove(v, "Rooftop supper")
			v.Click("Remove")
			v.Sees("Your private link shows who’s coming")
			comeBack(other)
			other.Idle()
			is(other, driving+`.stored('').length`, 0)
		}, []string{}},
		"expired": {func(v *visitor, _ created) {
			v.Prepare(driving + `.later(9 * 864e5)`)
			v.Open(announce(t, supper()).public()) // which is asked for the time
			unseen(v, `!`+stored+`.includes('Zenobia')`)
		}, []string{}},
		"missing": {func(v *visitor, event created) {
			v.Open("/no/such/page") // which asks for no event
			instead(v, http.MethodGet, notFound)
			for _, path := range []string{event.public(), "/", event.private()} {
				follow(v, path)
				v.Sees("No event here")
				v.SeesNot("2 are coming", "As of", "Zenobia")
			}
			v.Open(event.public())
			v.Sees("2 are coming")
			v.Holds("Your name", "Ariadne")
		}, people},
		"a gateway's date":    {with(ahead, `new Response('', { status: 502, `+future+` })`), people},
		"a portal's date":     {with(ahead, `new Response('{}', { `+future+` })`), people},
		"an empty answer's":   {with(ahead, `Promise.reject(new TypeError())`), people},
		"the service's clock": {with(``, `real().then(async (answer) => new Response(await answer.text(), { `+future+` }))`), people},
		"this clock":          {with(ahead, `real()`), people},
	} {
		t.Run(name, func(t *testing.T) {
			event := announce(t, days(1), "Zenobia")
			v := newVisitor(t, manner{}, event.public())
			v.Write("Your name", "Ariadne")
			v.Open(event.private())
			v.Click("Check in")
			v.Click("Zenobia")
			v.Write("Find or add", "Ulla")
			v.Click("Add “Ulla”")
			v.Sees("2 here")
			unseen(v, `!`+waiting)
			c.end(v, event)
			is(v, `[...new Set(`+stored+`.match(/Zenobia|Ulla|Ariadne/g))].sort()`, c.left)
		})
	}
}

// Nothing moves while a page loads (CLS).
func TestNothingMovesWhileAPageLoads(t *testing.T) {
	alone(t)
	event := announce(t, supper(), guests...)
	few := announce(t, supper(), "Ada")
	cancelled := announce(t, supper(), "Ada", "Ben")
	cancel(t, cancelled, "Rain")
	for _, screen := range []manner{screens[0], {}} {
		v := newVisitor(t, screen)
		v.Prepare(watch)
		for i, path := range []string{
			"/", event.public(), few.public(), cancelled.public(), event.private(), few.private(), cancelled.private(), few.organize(),
			few.public() + "#organizer=00000000-0000-4000-8000-000000000000", "/e/00000000-0000-4000-8000-000000000000", "/nothing", "/",
		} {
			if path == "/" && i > 0 {
				mine(v) // the home page with events
			}
			call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{{Latency: 100, DownloadThroughput: 2_000_000 / 8, UploadThroughput: -1}},
			})
			v.Open(path)
			v.Idle()
			if moved := eval[float64](v, `visit.moved`); moved >= 0.02 {
				t.Errorf("%s at %d px: layout shift %.3f: %s", path, screen.Width, moved, eval[string](v, `visit.what.join('\n')`))
			}
		}
	}
}
