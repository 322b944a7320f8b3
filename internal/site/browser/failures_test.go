package browser

import (
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A click while an RSVP is sent does nothing, and a name that is typed meanwhile stays.
func TestDoubleClickMakesOneRSVP(t *testing.T) {
	event, v := invited(t)
	v.Write("Your name", "Anna")
	other := v.Tab(event.public())
	other.Holds("Your name", "Anna")
	v.Hold()
	restore := v.Disturb(http.MethodPost, held)
	submit(v, "Anna")
	v.Until("the button to lock", `document.querySelector('.rsvp [type=submit]').getAttribute('aria-disabled') === 'true'`)
	v.Click("Sending…")
	v.Click("Sending…")
	v.Press("\r")
	v.Write("Your name", "Otto")
	restore()
	v.Sees("You’re number 1")
	hasNames(t, event, "Anna")
	v.Holds("Their name", "Otto")
	other.Holds("Their name", "Otto")
	v.Click("Add")
	v.Sees("You’re both in")
}

// An answer that arrives after its page was left does not change the next page.
func TestLateAnswerDoesNotChangeTheNextPage(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, manner{}, "/")
	restore := v.Disturb(http.MethodGet, held)
	for _, path := range []string{event.public(), event.private()} {
		follow(v, path)
		v.Sees("One moment")
		follow(v, "/")
		v.Sees("Who’s coming?")
	}
	restore()
	v.Idle()
	is(v, `document.title`, "Turnout – who’s coming?")

	v.Open(event.public())
	restore = v.Disturb(http.MethodPost, held)
	submit(v, "Anna")
	v.Sees("Sending…")
	follow(v, "/?new")
	v.Write("What are you planning?", "Brunch")
	restore()
	v.Idle()
	is(v, driving+`.stored('rsvp.').map(({ name }) => name)`, []string{"Anna"})
	v.HasFocus("What are you planning?")
}

// Another language ends neither a request that is under way nor the time to undo a withdrawal.
func TestLanguageChangesMeanwhile(t *testing.T) {
	event, v := invited(t)
	v.Hold()
	restore := v.Disturb(http.MethodPost, held)
	submit(v, "Anna")
	v.Sees("Sending…")
	v.Pick("Language", "de")
	v.Sees("Wird gesendet\u00a0…")
	restore()
	v.Sees("Du bist dabei")
	v.Click("Doch nicht dabei: Anna")
	v.Pick("Sprache", "en")
	v.Click("Undo: Anna is coming")
	v.Until("Anna again", named, "Can’t make it after all: Anna")
	v.Idle()
	hasNames(t, event, "Anna")
}

// A page that did not load is loaded when the network is back, and one that a click has loaded is not.
func TestPageIsLoadedWhenOnlineAgain(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{}, "/")
	v.Offline(true)
	follow(v, event.private())
	v.Sees("Can’t load this page")
	v.Offline(false)
	v.Sees("1 is coming")

	v.Unreachable(true)
	follow(v, announce(t, supper()).public()) // of which this device knows nothing
	v.Sees("Can’t load this page")
	v.Unreachable(false)
	v.Click("Try again")
	v.Write("Your name", "Anna")
	eval[struct{}](v, `void (document.querySelector('#name').same = true)`)
	v.Offline(true)
	v.Offline(false)
	v.Idle()
	v.Check("the page that somebody types into is not loaded again", `document.activeElement.same`)
}

// A refusal of another server is not taken for the service's, which knows whether the secret is the event's.
func TestAnswerOfAnotherServer(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{}, "/")
	restore := v.Disturb(http.MethodGet, forbidden)
	follow(v, event.private())
	v.Sees("Something went wrong (403).")
	restore()
	v.Click("Try again")
	v.Sees("Nobody yet")
	v.Open(event.public() + "#organizer=cut-o")
	v.Sees("Was the link cut off")
	v.Click("Open the event page")
	v.Sees("Are you coming?")
}

func TestLostAnnouncementIsSentAgain(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(noting)
	v.Open("/")
	fill(v)
	restore := v.Disturb(http.MethodPost, hollow)
	v.Click("Announce it")
	v.Sees("We don’t know yet whether your event was announced.")
	v.Holds("What are you planning?", "Rooftop supper")
	// A later draft of a tab that is closed does not hide it.
	eval[struct{}](v, `void (localStorage['turnout.drafts.event:2'] = '{"title":"Brunch"}')`)
	announced := announce(t, supper())
	v.Prepare(driving + `.later(864e5)`) // a day later
	for _, path := range []string{"/", "/?again=" + announced.EventToken} {
		v.Open(path)
		v.Sees("We don’t know yet whether your event was announced.")
	}
	v.Click("Try now")
	restore()
	v.Sees("Announced")
	is(v, `Object.keys(localStorage).filter((name) => name.startsWith('key POST')).length`, 1)
	is(v, driving+`.stored('drafts.event').map(({ title }) => title)`, []string{"Brunch"})
	v.Open("/?new")
	v.Holds("What are you planning?", "Brunch")
}

// While an announcement or a move waits for its answer, its fields take nothing, and the focus stays. A refusal opens them again.
func TestFormWaitsForItsAnswer(t *testing.T) {
	const title = "What are you planning?"
	const refusal = `new Promise((done) => { window.refuse = () => done(new Response(
		'{"type":"urn:turnout:problem:invalid","fieldErrors":[{"field":"title","message":""}]}', { status: 400 })); })`
	announcing := newVisitor(t, manner{}, "/")
	fill(announcing)
	_, moving := changing(t, ``)
	moving.Pick("Date", "2099-12-12")
	moving.Write("Place", "Park")
	for _, v := range []*visitor{announcing, moving} {
		instead(v, http.MethodPost, refusal)
		v.Focus("Date")
		v.Press(kb.Enter)
		v.Sees("Announcing…")
		unseen(v, `window.refuse`)
		v.HasFocus("Date")
		is(v, `[...document.querySelectorAll('#announce :is(input, textarea, select, .chips button)')]
			.filter((field) => !field.readOnly && field.ariaDisabled !== 'true').map(({ outerHTML }) => outerHTML)`, []string{})
		eval[struct{}](v, `document.querySelector('.chips button').click()`)
		v.Holds("Date", "2099-12-12")
		v.Focus(title)
		v.Press("!")
		v.Holds(title, "Rooftop supper")
		eval[struct{}](v, `refuse()`)
		v.Sees("Almost there.")
		v.Write(title, "Brunch")
		v.Holds(title, "Brunch")
	}
}

// Each tab has a draft of its own. A page that the browser keeps for a way back leaves its draft to other tabs, and takes it again if it is free.
func TestDraftOfAPageThatWasLeft(t *testing.T) {
	goes := func(v *visitor, how string) {
		eval[struct{}](v, `(dispatchEvent(new PageTransitionEvent(%s, { persisted: true })), navigator.locks.request('turn', () => ({})))`, how)
	}
	const title = "What are you planning?"
	v := newVisitor(t, manner{}, "/")
	second, third := v.Tab(), v.Tab()
	v.Write(title, "Brunch")
	goes(v, "pagehide")
	goes(v, "pageshow")
	second.Open("/")
	unseen(second, `navigator.locks.query().then(({ held }) => held.length === 2)`)
	second.Holds(title, "")
	goes(v, "pagehide")
	third.Open("/")
	third.Holds(title, "Brunch")
	goes(v, "pageshow")
	v.Write(title, "Supper")
	third.Reload()
	third.Holds(title, "Brunch")
}

// The form of such a page finds out on its return that another page has announced its event.
func TestFormOfAPageThatWasLeft(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(`addEventListener('storage', (event) => event.stopImmediatePropagation())`) // it gets none
	v.Open("/")
	fill(v)
	v.Hold()
	end := v.Disturb(http.MethodPost, unreached)
	v.Click("Announce it")
	unseen(v, driving+`.stored('outbox.')[0].retry`)
	end()
	v.Tab("/").Sees("Your events")
	eval[struct{}](v, `void ['pagehide', 'pageshow'].forEach((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })))`)
	v.Sees("Announced")
}

// The form of an announcement that is gone, as after site data was deleted, is not sent again.
func TestAnnouncementIsGone(t *testing.T) {
	v := newVisitor(t, manner{}, "/?new")
	fill(v)
	v.Disturb(http.MethodPost, unreached)
	v.Click("Announce it")
	v.Sees("We don’t know yet whether your event was announced.")
	eval[struct{}](v.Tab("/"), `localStorage.clear()`)
	v.Sees("Your private link shows who’s coming.")
	v.At("/")
	v.Holds("What are you planning?", "")
}

// Text that is typed before the draft's lock has answered is a draft of its own.
func TestTypingBeforeTheLock(t *testing.T) {
	const title = "What are you planning?"
	v := newVisitor(t, manner{}, "/")
	v.Write(title, "Brunch")
	v.Prepare(`{
		const { request } = LockManager.prototype, open = new Promise((done) => { window.unlock = done; });
		LockManager.prototype.request = async function (...args) { await open; return request.apply(this, args); };
	}`)
	v.Reload()
	v.Write(title, "Supper")
	eval[struct{}](v, `(unlock(), navigator.locks.request('turn', () => ({})))`)
	v.Holds(title, "Supper")
	v.Write("Place", "Roof")
	is(v, driving+`.stored('drafts.event').map(({ title }) => title).sort()`, []string{"Brunch", "Supper"})
}

// Cancelling an event that was cancelled elsewhere succeeds, with the first reason.
func TestEventWasCancelledElsewhere(t *testing.T) {
	event, v := organizing(t)
	end := cancelUnanswered(v, unreached, "Mine")
	follow(v, "/")
	cancel(t, event, "Too late")
	end()
	comeBack(v)
	unseen(v, `!`+waiting)
	follow(v, event.private())
	v.Sees("Too late")
	v.SeesNot("Mine")
}

// Equal names are asked about, also within one yes.
func TestSameNameIsConfirmed(t *testing.T) {
	event, v := invited(t)
	v.Write("Your name", "Anna & anna")
	v.Click(countUs)
	v.Sees("anna is already on the list")
	v.Click("Yes, one more")
	v.Sees("You’re both in")
	for _, name := range []string{"Anna", "Anna ", "anna"} {
		bring(v.sitePage, name)
		is(v, `document.querySelector('dialog .primary').textContent`, "No, same person")
		v.Click("No, same person")
		v.Until("no dialog", `!document.querySelector('dialog')`)
	}
	v.Click("Add")
	v.Click("Yes, one more")
	v.Sees("3 of you are coming")
	same(v, "the names", slices.Sorted(slices.Values(attendees(t, event))), []string{"Anna", "anna", "anna"})
}

func TestFullStorage(t *testing.T) {
	event, v := invited(t)
	fullStorage(v)
	come(v, "Anna")
	v.Sees("This browser will forget this")
	_, list := v.Download("Export the list")
	says(t, list, `"Anna"`)
	follow(v, "/")
	v.Sees("will forget this list")

	// Another tab makes room. Its entry is seen, and stays when the first tab can store again.
	other := v.Tab(event.public())
	eval[struct{}](other, `void delete localStorage.filling`)
	come(other, "Otto")
	v.Sees("Anna and Otto are coming")
	v.Click("Rooftop supper")
	v.Click("Bring someone")
	come(v, "Ben")
	other.Reload()
	is(other, withdrawable, []string{"Anna", "Otto", "Ben"})
}

// An entry that cannot be shown as it is has its title and its link, and the others are shown.
func TestDamagedStorage(t *testing.T) {
	event, v := organizing(t)
	eval[struct{}](v, faults+`faults.damage()`)
	v.Open(event.public())
	come(v, "Anna")
	v.Open("/")
	v.Sees("Anna is coming", "Dateless")
	v.SeesNot("NaN")
	v.Click("Rooftop supper")
	v.Sees("1 is coming")
	v.At(event.organize())
}

// A withdrawal shows at once, and is sent when its page is left: it cannot be undone after coming back.
func TestWithdrawalThatWasSentIsNotUndone(t *testing.T) {
	event, v := invited(t, "Ben")
	come(v, "Anna")
	v.Sees("2 are coming")
	v.Hold()
	v.Click("Can’t make it after all: Anna")
	v.Until("a way back", named, "Undo: Anna is coming")
	is(v, `[document.querySelector('.who p').firstChild.data, document.querySelector('#panel h2').textContent]`, []string{"1 is coming", "\u2068Anna\u2069 isn’t coming"})
	is(v, `document.querySelectorAll('.who path').length`, 1) // none for a guest who is leaving
	hasNames(t, event, "Ben", "Anna")
	// The browser's cache of pages is between leaving and coming back.
	eval[struct{}](v, `void dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
	counts(v, event, 1)
	eval[struct{}](v, `void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
	v.Sees("Thanks for letting them know.", "Are you coming?")
	v.Sees("1 is coming")
	hasNames(t, event, "Ben")
}

// Home, too, does not count a guest whose withdrawal is on its way.
func TestHomeDoesNotCountWhoLeaves(t *testing.T) {
	_, v := invited(t, "Ben")
	come(v, "Anna")
	v.Sees("2 are coming")
	end := v.Disturb(http.MethodDelete, held)
	v.Click("Can’t make it after all: Anna")
	v.Click("Turnout")
	v.Sees("1 is coming", "Not taken off the list yet: Anna")
	end()
}

// Undo in another tab does nothing once the withdrawal is being sent: its answer may never arrive.
func TestUndoIsTooLate(t *testing.T) {
	event, v := invited(t)
	come(v, "Anna")
	other := v.Tab(event.public())
	other.Idle()
	other.Hold()
	eval[struct{}](other, `void ((now) => { Date.now = () => now; })(Date.now())`)
	end := v.Disturb(http.MethodDelete, held)
	v.Click("Can’t make it after all: Anna")
	counts(other, event, 0)
	eval[struct{}](other, `void `+driving+`.later(20_000)`)
	other.Click("Undo: Anna is coming")
	v.Open(event.public()) // where nobody waits for the answer
	end()
	v.Sees("Are you coming?")
}

// follow goes to another page of the site without a reload.
func follow(v interface{ page() *sitePage }, path string) {
	v.page().Helper()
	eval[struct{}](v, `void (() => {
		const link = document.createElement('a');
		link.href = %s;
		document.body.append(link);
		link.click();
		link.remove();
	})()`, path)
}

// TestAnswerBeforeTheEvent: the answer to a withdrawal, sent while the event could not be read, draws the page.
func TestAnswerBeforeTheEvent(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{})
	v.Prepare(faults + `
		window.isDown = true;
		faults.answer('GET', (real) => (window.isDown ? new Response('{}', { status: 503 }) : real()));
		faults.answer('DELETE', (real) => new Promise((done) => { window.release = () => done(real()); }));`)
	v.Open("/no/such/page")
	eval[struct{}](v, `void ((eventToken, id) => localStorage.setItem('turnout.outbox.' + id,
		JSON.stringify({ kind: 'withdraw', eventToken, id, name: 'Anna', title: 'Rooftop supper', dateTime: '2099-12-12T19:30:00+01:00', timezone: 'Europe/Berlin' })))(%s, %s)`, event.EventToken, signUp(t, event, "Anna"))
	v.Reload()
	follow(v, event.public())
	v.Sees("Try again")
	unseen(v, `window.release`)
	eval[struct{}](v, `void (window.isDown = false, window.release())`)
	v.Sees("Are you coming?", "1 is coming")
	is(v, `document.title`, "Rooftop supper · Turnout")
}
