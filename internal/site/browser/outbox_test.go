package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
)

// unseen waits for a condition that the page does not show.
func unseen(v interface{ page() *sitePage }, condition string) {
	v.page().Helper()
	eval[struct{}](v, `page.unseen(async () => `+condition+`)`)
}

// counts waits until the service counts this number of guests.
func counts(v *visitor, e created, guests int) {
	v.Helper()
	unseen(v, fmt.Sprintf(`(await %s).attendeeCount === %d`, fn("readEvent", e.EventToken), guests))
}

// An answer is a response that replaces the service's. The type in testdata/faults.ts says more.
type answer struct {
	Status  int               `json:"status,omitempty"`
	Code    string            `json:"code,omitempty"` // the code of a problem
	Fields  []string          `json:"fields,omitempty"`
	Body    string            `json:"body"`
	Lost    string            `json:"lost,omitempty"` // before or after the service has done its work
	Real    bool              `json:"real,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Held    bool              `json:"held,omitempty"`
	Path    string            `json:"path,omitempty"`
	Skip    int               `json:"skip,omitempty"`
	Times   int               `json:"times,omitempty"`
}

var (
	losing   = answer{Lost: "after"}
	notFound = answer{Status: http.StatusNotFound, Code: "event-not-found"}
)

// instead gives requests with a method another response.
func instead(v interface{ page() *sitePage }, method string, other answer) {
	v.page().Helper()
	on[struct{}](v, "instead", method, other)
}

// Leave pages without loading another, because a browser without a network still reaches its own machine.
func TestOutboxOffline(t *testing.T) {
	event, v := invited(t, "Ben")
	unseen(v, fn("timesLoaded", site.Names()[site.Home]))
	v.tellOffline(true)
	come(v, "Anna")
	v.tellOffline(false)
	v.Idle() // a response that comes later would end offline
	v.Offline(true)
	v.Until("no button that needs the network", fn("isHidden", "#keep-rsvp .online"))
	on[struct{}](v, "holdLong", 15_000)
	v.Click("Can’t make it after all: Anna")
	v.Offers("Undo: Anna is coming")
	on[struct{}](v, "pass", 20_000) // the time to undo the withdrawal
	v.Sees("Anna may still be on the list.")
	v.Offline(false)
	v.Sees("Are you coming?", "1 is coming")
	v.Click("Are you coming?")
	end := submitUnanswered(v, lost, "Otto")
	counts(v, event, 2) // the service has Otto, and its response is lost
	v.Offline(true)
	end()
	v.Sees("No confirmation yet: Otto", "Otto will be signed up once you’re online")
	same(v, "mentions of the network", strings.Count(v.Text(), "offline"), 1)
	v.SeesNot("Try")
	follow(v, "/")
	v.Sees("No confirmation yet: Otto")
	v.Offline(false)
	v.Sees("Otto is coming")
	hasNames(t, event, "Ben", "Otto")
}

// The browser's word that it is offline is only a hint: any response of the service ends it, with what the page hides.
// A request without a response brings it back.
func TestOfflineIsAHint(t *testing.T) {
	const offline = "You’re offline"
	_, v := invited(t, "Ben")
	v.Idle()
	v.tellOffline(true)
	v.Sees(offline)
	v.Until("no calendar", fn("isHidden", ".tools [href*=\".ics\"]"))
	comeBack(v)
	v.Until("the calendar", `!`+fn("isHidden", ".tools [href*=\".ics\"]"))
	v.SeesNot(offline)
	v.Unreachable(true)
	comeBack(v)
	v.Sees(offline)
}

// After a failed attempt of all items, home and the check-in draw a few times, and not once an item.
func TestManyItemsAreDrawnTogether(t *testing.T) {
	needBrowser(t)
	const items = 100
	for name, nth := range map[string]int{"home": 0, "check-in": 1} { // the check-in adds its guests by number
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ben"), newVisitor(t, manner{}, "/")
			v.Prepare(fn("hold"))
			v.Prepare(fn("instead", http.MethodPost, answer{Lost: "before", Held: true}))
			on[struct{}](v, "leaveRSVPs", event.Content, items, nth)
			if name == "home" {
				v.Open("/")
			} else {
				v.Open(event.private())
				v.Click("Check in")
				v.Sees(fmt.Sprint("Guest ", items))
			}
			v.Until("all attempts", fmt.Sprint(fn("answeredInstead"), ` === `, items))
			v.Idle()
			on[struct{}](v, "countDrawings")
			on[struct{}](v, "letAnswersGoOneByOne")
			unseen(v, fmt.Sprint(fn("failedItems"), ` === `, items))
			v.Idle()
			if n := on[int](v, "drawings"); n < 1 || n > items/4 {
				t.Errorf("%d drawings after the failure of %d items", n, items)
			}
		})
	}
}

const noLocks = `delete Navigator.prototype.locks`

// TestManyItemsAreSentInTasksOfTheirOwn: a page with many items begins each request in a task of its own, although the
// browser grants many locks in one task, so that the page stays responsive.
func TestManyItemsAreSentInTasksOfTheirOwn(t *testing.T) {
	needBrowser(t)
	const items = 100
	for name, script := range map[string]string{"locks": ``, "no locks": noLocks} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper()), newVisitor(t, manner{}, "/")
			on[struct{}](v, "leaveRSVPs", event.Content, items)
			v.Prepare(script)
			v.Prepare(fn("instead", http.MethodPost, answer{Held: true}))
			v.Prepare(fn("countRequestsByTask"))
			v.Open("/")
			v.Until("all requests", fmt.Sprint(fn("answeredInstead"), ` === `, items))
			if n := on[int](v, "mostRequestsInATask"); n < 1 || n > items/10 {
				t.Errorf("a task begins %d of %d requests", n, items)
			}
		})
	}
}

// A tab sends an item that another tab could not send, and both tabs show the outcome. This works if a suspended tab
// keeps its locks, and without locks.
func TestOutboxOfTwoTabs(t *testing.T) {
	needBrowser(t)
	for name, script := range map[string]string{"locks are kept": fn("keepLocks"), "no locks": noLocks} {
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

// A tab whose response is late does not bring back a guest who has withdrawn in another tab.
func TestLateTabDoesNotBringBackAGuest(t *testing.T) {
	event, v := invited(t)
	end := submitUnanswered(v, unreached, "Anna")
	other := v.Tab()
	other.Prepare(noLocks)
	endOther := other.Disturb(http.MethodPost, held)
	other.Open(event.public())
	counts(other, event, 1)
	end()
	comeBack(v)
	v.Click("Can’t make it after all: Anna")
	follow(v, "/")
	v.Sees("You get a private link that shows who’s coming.")
	endOther()
	other.Idle()
	other.Sees("Are you coming?")
	hasNames(t, event)
	follow(other, "/")
	other.Sees("You get a private link that shows who’s coming.")
	is(other, fn("countStored", "event."), 0)
}

// If nothing can be stored, the open page sends the items, and says that it has to stay open.
func TestOutboxWithoutStorage(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{})
	v.Prepare(fn("block", "localStorage"))
	v.Open(event.public())
	end := v.Disturb(http.MethodPost, lost)
	submit(v, "Anna")
	v.Sees("while Turnout is open.")
	follow(v, "/")
	v.Sees("No confirmation yet: Anna")
	end()
	comeBack(v)
	v.Sees("Anna is coming")
	follow(v, event.public())
	v.Click("Can’t make it after all: Anna")
	follow(v, "/")
	v.Sees("You get a private link that shows who’s coming.")
	hasNames(t, event)
}

// If storage is full, the result of an item takes the item's place.
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

// Waiting items are sent even if the event is long over by this device's clock, because the service decides. The device
// then drops refused items.
func TestOutboxSendsWhereTheClockIsAhead(t *testing.T) {
	event := announce(t, days(1), "Ben")
	v := newVisitor(t, manner{}, "/")
	v.Prepare(later(30 * day))
	on[struct{}](v, "leaveItems", event.Content, signUp(t, event, "Cleo"), signUp(t, event, "Emil"))
	v.Reload()
	v.AllSent()
	hasNames(t, event, "Ben", "Anna")
	type saved struct{ Title, Name string }
	is(v, fn("savedRSVPs"), []saved{{"Rooftop supper", "Anna"}})
}

// TestSentFromHome: if the responses to an RSVP are lost, the next page sends the RSVP.
func TestSentFromHome(t *testing.T) {
	p := newVisitor(t, manner{Language: "en-US"}).sitePage
	event := announce(t, supper())
	p.Open(event.public())
	instead(p, http.MethodPost, losing)
	submit(p, "Zoë")
	p.Sees("No confirmation yet for Zoë.")
	p.Open("/")
	p.Sees("Zoë is coming")
	hasNames(t, event, "Zoë")
}

// A refusal by the service ends an item. Home and the event's page show the refusal until the visitor dismisses it.
func TestOutboxIsRefused(t *testing.T) {
	event, v := invited(t, "Ben")
	other := v.Tab(event.public())
	other.Hold()
	end := submitUnanswered(v, unreached, "Anna")
	cancel(t, event, "Storm")
	follow(v, "/")
	v.Sees("No confirmation yet: Anna")
	end()
	comeBack(v)
	v.Sees("Anna isn’t signed up.")
	other.Sees("Storm")
	v.Open(event.public())
	v.Sees("Anna isn’t signed up.")
	v.Click("OK")
	v.SeesNoMore("Anna")
	v.Open("/")
	v.SeesNot("Anna")
	hasNames(t, event, "Ben")
}

// If a visitor removes an event from the list, the page says who is taken off the guest list, even while this tab or
// another tab waits for a response. Withdrawals, a cancel and walk-ins are sent. No data about the event stays on the
// device.
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
		"RSVP is forgotten":   {http.MethodPost, held, []string{"Ben", "Cleo"}}, // site data was cleared
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
				v.Sees("not confirmed yet")
			default:
				bring(v.sitePage, "Anna")
				counts(v, event, 3)
				v.Sees("No confirmation yet for Anna.") // shown after four seconds without a response
				v.FocusOn("#waiting-title")
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
				question := eval[string](home, `page.plain(document.querySelector('dialog').innerText)`)
				warned := strings.Contains(question, "Anna may already be on the guest list")
				same(home, "warned", warned, strings.HasPrefix(name, "RSVP"))
				home.Click("Remove")
				home.Sees("You get a private link that shows who’s coming.")
			}
			end()
			if c.kind == held {
				counts(home, event, len(c.want))
			}
			home.Reload()
			home.AllSent()
			home.Sees("You get a private link that shows who’s coming.")
			is(home, fn("countStored", ""), 0)
			hasNames(t, event, c.want...)
			same(home, "cancelled", ask(t, apitest.GetEvent(event.EventToken)).Cancelled, name == "cancel")
		})
	}
}

// Each tab respects a response's Retry-After, unless the visitor clicks "Try now". Only a first response has the
// guest's number.
func TestRetryAfter(t *testing.T) {
	event, v := invited(t)
	wait := map[string]string{"Retry-After": "4294967"}
	instead(v, http.MethodPost, answer{Status: 429, Body: "{}", Headers: wait, Times: 1})
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	v.Reload()
	v.Sees("No confirmation yet for Anna.")
	other := v.Tab(event.public())
	comeBack(v)
	eval[struct{}](other, `dispatchEvent(new Event('online'))`)
	other.Idle()
	hasNames(t, event)
	v.Click("Try now")
	v.Sees("You’re in, Anna")
	v.Idle()
	v.SeesNot("You’re number") // others may have signed up since the first request
	hasNames(t, event, "Anna")
}

// The network may come and go. Each time it is back, an item is sent, but at most once a second.
func TestOnlineSendsOnceASecond(t *testing.T) {
	_, v := invited(t)
	v.Prepare(`page.stopClock(Date.now())`)
	v.Reload()
	instead(v, http.MethodPost, answer{Lost: "before"})
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	for range 10 {
		is(v, fn("returnsOnline", 400), 1)
	}
	on[int](v, "returnsOnline", 1000)
	unseen(v, fn("answeredInstead")+` === 2`)
}

// A page sends its items even if another function of the page fails.
func TestFailingPageSends(t *testing.T) {
	event, v := invited(t)
	on[struct{}](v, "failToFocus")
	instead(v, http.MethodPost, answer{Lost: "after", Times: 1})
	on[struct{}](v, "typeInto", "#name", "Anna")
	v.Click("Count me in")
	v.Sees("You’re in, Anna")
	hasNames(t, event, "Anna")
}

// A guest who closes the page at once is on the list, whether the page was still connecting or waiting for the next
// attempt.
func TestRSVPOutlivesItsPage(t *testing.T) {
	c := connect(t)
	c.Except("^/api/nothing$", hang)
	for name, submits := range map[string]func(v *visitor){
		"while it connects": func(v *visitor) {
			v.Idle()
			// Browsers open at most six connections to a server.
			on[struct{}](v, "requestSix", "/api/nothing")
			submit(v, "Anna")
			unseen(v, fn("requestsUnderWay")+` === 7`)
		},
		"while it waits": func(v *visitor) {
			v.Hold()
			submitUnanswered(v, unreached, "Anna")()
			do(v, chromedp.Navigate("about:blank")) // Chromium may end a closed tab before the tab's last request
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

// A visitor who sees Undo can use it, even if the clock was set back.
func TestUndoAfterTheClockWasSetBack(t *testing.T) {
	event, v := invited(t)
	come(v, "Anna")
	v.Hold()
	v.Click("Can’t make it after all: Anna")
	v.Offers("Undo: Anna is coming")
	eval[struct{}](v, ahead(-day))
	v.Click("Undo: Anna is coming")
	v.Sees("You’re in, Anna")
	v.AllSent()
	hasNames(t, event, "Anna")
}
