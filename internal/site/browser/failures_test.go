package browser

import (
	"net/http"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// While an RSVP is being sent, a click does nothing, and a name that the visitor types stays.
func TestDoubleClickMakesOneRSVP(t *testing.T) {
	event, v := invited(t)
	v.Write("Your name", "Anna")
	other := v.Tab(event.public())
	other.Holds("Your name", "Anna")
	v.Hold()
	restore := v.Disturb(http.MethodPost, held)
	submit(v, "Anna")
	v.Until("the button to lock", `document.querySelector('.rsvp [type=submit][aria-disabled=true]')`)
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

// A response that arrives after the visitor has left its page does not change the next page.
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
	is(v, fn("savedGuests"), []string{"Anna"})
	v.HasFocus("What are you planning?")
}

// A change of language ends neither a request that is under way nor the time to undo a withdrawal.
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
	v.Offers("Can’t make it after all: Anna")
	v.Idle()
	hasNames(t, event, "Anna")
}

// A page that did not load is loaded when the network is back. If a click has loaded another page meanwhile, nothing is
// loaded.
func TestPageIsLoadedWhenOnlineAgain(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{}, "/")
	v.Offline(true)
	follow(v, event.private())
	v.Sees("Can’t load this page")
	v.Offline(false)
	v.Sees("1 is coming")

	v.Unreachable(true)
	follow(v, announce(t, supper()).public()) // this device does not know the event
	v.Sees("Can’t load this page")
	v.Unreachable(false)
	v.Click("Try again")
	v.Write("Your name", "Anna")
	on[struct{}](v, "markFocused")
	v.Offline(true)
	v.Offline(false)
	v.Idle()
	v.Check("the page that somebody types into is not loaded again", fn("isMarkedFocused"))
}

// Another server's refusal is not taken for the service's. Only the service knows whether a secret is correct.
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

// On AWS a list may be too long for a response (P21). The page says who can give it to the organizer.
func TestListIsTooLong(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{}, "/")
	v.Disturb(http.MethodGet, listTooLong)
	follow(v, event.private())
	v.Sees("The list is too long to show here. Ask the operator of this site for it.")
}

func TestLostAnnouncementIsSentAgain(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(fn("noteKeys"))
	v.Open("/")
	fill(v)
	restore := v.Disturb(http.MethodPost, hollow)
	v.Click("Announce it")
	v.Sees("We don’t know yet whether your event was announced.")
	v.Holds("What are you planning?", "Rooftop supper")
	// A newer draft of a closed tab does not hide the draft.
	on[struct{}](v, "store", "drafts.event", ":2", object{"title": "Brunch"})
	announced := announce(t, supper())
	v.Prepare(later(day))
	for _, path := range []string{"/", "/?again=" + announced.EventToken} {
		v.Open(path)
		v.Sees("We don’t know yet whether your event was announced.")
	}
	v.Click("Try now")
	restore()
	v.Sees("Announced")
	is(v, fn("notedMethods"), []string{"POST"})
	is(v, fn("draftedTitles"), []string{"Brunch"})
	v.Open("/?new")
	v.Holds("What are you planning?", "Brunch")
}

// While an announcement or a move waits for its response, the fields take no text, and the focus stays. A refusal opens
// the fields again.
func TestFormWaitsForItsAnswer(t *testing.T) {
	const title = "What are you planning?"
	refusal := answer{Status: 400, Code: "invalid", Fields: []string{"title"}, Held: true}
	announcing := newVisitor(t, manner{}, "/")
	fill(announcing)
	_, moving := changing(t)
	moving.Pick("Date", "2099-12-12")
	moving.Write("Place", "Park")
	for _, v := range []*visitor{announcing, moving} {
		instead(v, http.MethodPost, refusal)
		v.Focus("Date")
		v.Press(kb.Enter)
		v.Sees("Announcing…")
		unseen(v, fn("holdsAnswers"))
		v.HasFocus("Date")
		is(v, fn("openFields", "#announce"), []string{})
		eval[struct{}](v, `document.querySelector('.chips button').click()`)
		v.Holds("Date", "2099-12-12")
		v.Focus(title)
		v.Press("!")
		v.Holds(title, "Rooftop supper")
		on[struct{}](v, "letAnswersGo")
		v.Sees("Almost there.")
		v.Write(title, "Brunch")
		v.Holds(title, "Brunch")
	}
}

// Each tab has a draft of its own. A page in the back/forward cache leaves its draft to other tabs. On its return, the
// page takes the draft again if no tab holds it.
func TestDraftOfAPageThatWasLeft(t *testing.T) {
	goes := func(v *visitor, how string) {
		on[struct{}](v, "turnPage", how)
		on[struct{}](v, "lockTurns")
	}
	const title = "What are you planning?"
	v := newVisitor(t, manner{}, "/")
	second, third := v.Tab(), v.Tab()
	v.Write(title, "Brunch")
	goes(v, "pagehide")
	goes(v, "pageshow")
	second.Open("/")
	unseen(second, `(await navigator.locks.query()).held.length === 2`)
	second.Holds(title, "")
	goes(v, "pagehide")
	third.Open("/")
	third.Holds(title, "Brunch")
	goes(v, "pageshow")
	v.Write(title, "Supper")
	third.Reload()
	third.Holds(title, "Brunch")
}

// A form shows its draft after some seconds if the browser grants no lock and never responds.
func TestDraftWithoutLocks(t *testing.T) {
	const title = "What are you planning?"
	v := newVisitor(t, manner{}, "/")
	v.Write(title, "Brunch")
	v.Prepare(fn("grantNoLock"))
	v.Reload()
	v.Holds(title, "Brunch")
}

// When a page returns from the back/forward cache, its form notices that another page has announced the event.
func TestFormOfAPageThatWasLeft(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(fn("ignoreOtherTabs")) // this tab gets no news from other tabs
	v.Open("/")
	fill(v)
	v.Hold()
	end := v.Disturb(http.MethodPost, unreached)
	v.Click("Announce it")
	unseen(v, fn("retryOfItem"))
	end()
	v.Tab("/").Sees("Your events")
	on[struct{}](v, "turnPage", "pagehide")
	on[struct{}](v, "turnPage", "pageshow")
	v.Sees("Announced")
}

// An announcement that a page sends before its first frame, as a hidden page may, leads to the organizer's page.
func TestAnnouncementBeforeTheFirstFrame(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	fill(v)
	end := v.Disturb(http.MethodPost, unreached)
	v.Click("Announce it")
	unseen(v, fn("retryOfItem"))
	end()
	v.Prepare(fn("delayFrames"))
	v.Reload()
	v.AllSent()
	on[struct{}](v, "letFramesGo")
	v.Sees("Announced")
}

// If an announcement is gone, as after the visitor deleted the site's data, its form is not sent again.
func TestAnnouncementIsGone(t *testing.T) {
	v := newVisitor(t, manner{}, "/?new")
	fill(v)
	v.Disturb(http.MethodPost, unreached)
	v.Click("Announce it")
	v.Sees("We don’t know yet whether your event was announced.")
	eval[struct{}](v.Tab("/"), `localStorage.clear()`)
	v.Sees("You get a private link that shows who’s coming.")
	v.At("/")
	v.Holds("What are you planning?", "")
}

// Text that the visitor types before the tab has the lock on its draft becomes a draft of its own.
func TestTypingBeforeTheLock(t *testing.T) {
	const title = "What are you planning?"
	v := newVisitor(t, manner{}, "/")
	v.Write(title, "Brunch")
	v.Prepare(fn("delayLocks"))
	v.Reload()
	v.Write(title, "Supper")
	on[struct{}](v, "letLocksGo")
	on[struct{}](v, "lockTurns")
	v.Holds(title, "Supper")
	v.Write("Place", "Roof")
	is(v, fn("draftedTitles"), []string{"Brunch", "Supper"})
}

// Cancelling an event that another device has cancelled succeeds. The first reason stays.
func TestEventWasCancelledElsewhere(t *testing.T) {
	event, v := organizing(t)
	end := cancelUnanswered(v, unreached, "Mine")
	follow(v, "/")
	cancel(t, event, "Too late")
	end()
	comeBack(v)
	v.AllSent()
	follow(v, event.private())
	v.Sees("Too late")
	v.SeesNot("Mine")
}

// The page asks before it sends a name that is already on the list or twice in the form.
func TestSameNameIsConfirmed(t *testing.T) {
	event, v := invited(t)
	v.Write("Your name", "Anna & anna")
	v.Click(countUs)
	v.Sees("anna is already on the list")
	v.Click("Yes, one more")
	v.Sees("You’re both in")
	for _, name := range []string{"Anna", "Anna ", "anna"} {
		bring(v.sitePage, name)
		is(v, fn("text", "dialog .primary"), "No, same person")
		v.Click("No, same person")
		v.NoDialog()
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

	// Another tab makes room in storage. The first tab sees the other tab's entry, and keeps it when storage accepts
	// its own values again.
	other := v.Tab(event.public())
	eval[struct{}](other, `localStorage.removeItem('filling')`)
	come(other, "Otto")
	v.Sees("Anna and Otto are coming")
	v.Click("Rooftop supper")
	v.Click("Bring someone")
	come(v, "Ben")
	other.Reload()
	is(other, fn("withdrawable"), []string{"Anna", "Otto", "Ben"})
}

// An entry that cannot be read completely is shown with its title and its link. Other entries are shown as usual.
func TestDamagedStorage(t *testing.T) {
	event, v := organizing(t)
	on[struct{}](v, "damage")
	v.Open(event.public())
	come(v, "Anna")
	v.Open("/")
	v.Sees("Anna is coming", "Dateless")
	v.SeesNot("NaN")
	v.Click("Rooftop supper")
	v.Sees("1 is coming")
	v.At(event.organize())
}

// The page shows a withdrawal at once, and sends it once the page is hidden. A phone may then suspend the browser, so
// no timer runs, and no lock is granted. After that, nobody can undo the withdrawal. The page says thanks once the
// service has responded.
func TestWithdrawalIsSentOnceThePageIsHidden(t *testing.T) {
	const cannot = "Can’t make it after all: Anna"
	guest := func(name string) func(t *testing.T) (created, *visitor) {
		return func(t *testing.T) (created, *visitor) {
			event, v := invited(t, "Ben")
			submit(v, name)
			v.Offers(cannot)
			return event, v
		}
	}
	for name, c := range map[string]struct {
		open  func(t *testing.T) (created, *visitor)
		click string
		left  []string
		sees  string
	}{
		"a guest":     {guest("Anna"), cannot, []string{"Ben"}, "Thanks for letting them know."},
		"one of both": {guestsOfOneForm, cannot, []string{"Ben", "Otto"}, "You’re in, Otto"},
		"a guest of a moved event": {func(t *testing.T) (created, *visitor) {
			v := newVisitor(t, manner{})
			old, _ := moved(v.sitePage, days(30))
			return old, v
		}, "Can’t make the new date", []string{}, "Thanks for letting them know."},
		"a walk-in": {func(t *testing.T) (created, *visitor) {
			event, v := organizing(t, "Ben")
			on[struct{}](v, "spreadEvents", 1000) // makes no tap count as the second of a double tap
			v.Click("Check in")
			v.Write("Find or add", "Anna")
			v.Click("Add “Anna”")
			v.AllSent()
			return event, v
		}, "Remove Anna", []string{"Ben"}, "0 here · 1 to come"},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := c.open(t)
			v.Idle()
			v.Hold()
			on[struct{}](v, "grantNoLock")
			v.Click(c.click)
			v.Offers("Undo: Anna is coming")
			v.SeesNot("Thanks")
			if !slices.Contains(attendees(t, event), "Anna") {
				t.Error("the withdrawal was sent before the page was hidden")
			}
			end := v.Disturb(http.MethodDelete, held)
			on[struct{}](v, "hide", true)
			on[struct{}](v, "look")
			v.Until("no Undo", `!`+fn("named", "Undo: Anna is coming"))
			v.SeesNot("Thanks")
			counts(v, event, len(c.left))
			hasNames(t, event, c.left...)
			end()
			v.AllSent()
			on[struct{}](v, "hide", false)
			on[struct{}](v, "look")
			v.Sees(c.sees)
		})
	}
}

// guestsOfOneForm signs up Anna and Otto, after Ben.
func guestsOfOneForm(t *testing.T) (created, *visitor) {
	t.Helper()
	event, v := invited(t, "Ben")
	v.Write("Your name", "Anna & Otto")
	v.Click(countUs)
	v.Sees("You’re both in")
	return event, v
}

// The page goes to the browser's back/forward cache with a withdrawal that can be undone, while there is no network.
// After coming back, the page sends the withdrawal, although the browser never grants the lock.
func TestWithdrawalOutlivesTheCache(t *testing.T) {
	event, v := invited(t, "Ben")
	come(v, "Anna")
	v.Idle()
	on[struct{}](v, "grantNoLock")
	v.Click("Can’t make it after all: Anna")
	v.Offers("Undo: Anna is coming")
	v.Unreachable(true)
	on[struct{}](v, "turnPage", "pagehide")
	v.Until("no Undo", `!`+fn("named", "Undo: Anna is coming"))
	v.Unreachable(false)
	on[struct{}](v, "turnPage", "pageshow")
	v.Sees("Thanks for letting them know.", "Are you coming?")
	hasNames(t, event, "Ben")
}

// Home does not count a guest whose withdrawal is under way.
func TestHomeDoesNotCountWhoLeaves(t *testing.T) {
	_, v := invited(t, "Ben")
	come(v, "Anna")
	v.Sees("2 are coming")
	end := v.Disturb(http.MethodDelete, held)
	v.Click("Can’t make it after all: Anna")
	v.Click("Turnout")
	v.Sees("1 is coming", "May still be on the list: Anna")
	end()
}

// Once a withdrawal is being sent, no tab offers Undo, whatever the tab's clock says, because the response may never
// arrive.
func TestUndoIsTooLate(t *testing.T) {
	event, v := invited(t)
	come(v, "Anna")
	other := v.Tab(event.public())
	other.Idle()
	other.Hold()
	eval[struct{}](other, `page.stopClock(Date.now())`)
	end := v.Disturb(http.MethodDelete, held)
	v.Click("Can’t make it after all: Anna")
	counts(other, event, 0)
	other.Until("no Undo", `!`+fn("named", "Undo: Anna is coming"))
	v.Open(event.public()) // this page did not send the withdrawal
	end()
	v.Sees("Are you coming?")
}

// follow goes to another page of the site without loading it.
func follow(v interface{ page() *sitePage }, path string) {
	v.page().Helper()
	on[struct{}](v, "follow", path)
}

// TestAnswerBeforeTheEvent: if the event could not be read, the response to a withdrawal draws the page.
func TestAnswerBeforeTheEvent(t *testing.T) {
	event := announce(t, supper(), "Ben")
	v := newVisitor(t, manner{})
	v.Prepare(fn("instead", http.MethodGet, answer{Status: 503}))
	v.Prepare(fn("instead", http.MethodDelete, answer{Held: true, Real: true}))
	v.Open("/no/such/page")
	on[struct{}](v, "leaveWithdrawal", event.EventToken, signUp(t, event, "Anna"))
	v.Reload()
	follow(v, event.public())
	v.Sees("Try again")
	unseen(v, fn("holdsAnswers"))
	on[struct{}](v, "instead", http.MethodGet, nil)
	on[struct{}](v, "letAnswersGo")
	v.Sees("Are you coming?", "1 is coming")
	is(v, `document.title`, "Rooftop supper · Turnout")
}
