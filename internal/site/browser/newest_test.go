package browser

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"turnout/internal/httpapi/apitest"
)

// HTML from a cache does not replace this device's newer facts: a cancelled event stays cancelled.
func TestHTMLOfACacheIsAnAnswerOfItsTime(t *testing.T) {
	e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{})
	c.at(v, e.public())
	submit(v, "Anna")
	v.Sees("You’re number 1")
	old := eval[string](v, `(await fetch(location.href, { cache: 'no-store' })).text()`)
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

// On home, no older response replaces a newer one. Returning to the tab does not send a new request at once.
func TestOlderAnswerDoesNotReplaceANewerOne(t *testing.T) {
	e, v := organizing(t, "Ada")
	other := v.Tab()
	v.Open("/")
	v.Sees("1 is coming")
	requests := fn("loaded", "/api/") + `.length` // a poll and a return to the page may each send requests
	unseen(v, requests+` === 1`)
	on[struct{}](v, "look")
	v.Idle()
	is(v, requests, 1)
	for n, deaf := range []bool{false, true} { // whether the page does not hear of the newer copy
		if deaf {
			v.Prepare(fn("ignoreOtherTabs"))
		}
		restore := v.Disturb(http.MethodGet, held)
		v.Open("/")
		unseen(v, fn("requestsUnderWay")) // wait for the held requests
		signUp(t, e, "Ben")
		other.Open(e.public())
		newer := fmt.Sprint(n+2, " are coming")
		other.Sees(newer)
		if !deaf {
			v.Sees(newer)
		}
		restore()
		v.Idle()
		is(v, fn("storedCount"), n+2)
		on[struct{}](v, "look")
		v.Sees(newer)
	}
}

// After two failures in a row, open pages say that the service fails. They also say that the event does not exist or
// that the secret is refused. Polls wait for as long as the service demands.
func TestOpenPagesTellFailures(t *testing.T) {
	_, v := invited(t)
	v.Idle() // a response that is under way would count
	instead(v, http.MethodGet, answer{Status: 503})
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
	wait := map[string]string{"Retry-After": "600"}
	instead(v, http.MethodGet, answer{Status: 503, Body: "{}", Headers: wait})
	for range 3 {
		comeBack(v)
		v.Idle()
	}
	is(v, fn("answeredInstead"), 1)
	eval[struct{}](v, later(-day))
	comeBack(v)
	v.Idle()
	is(v, fn("answeredInstead"), 2) // the clock is before the pause
	_, v = organizing(t, "Ada")
	v.Idle()
	instead(v, http.MethodGet, answer{Status: 403, Code: "invalid-organizer-token", Path: "attendees"})
	comeBack(v)
	v.Sees("This private link isn’t valid")
}

// A failed request is not reported if a later request has succeeded.
func TestLateFailureIsNotTold(t *testing.T) {
	_, v := invited(t)
	v.Idle()
	instead(v, http.MethodGet, answer{Lost: "before", Held: true, Times: 2})
	comeBack(v)
	on[struct{}](v, "letAnswersGo")
	v.Idle()
	comeBack(v)
	come(v, "Anna")
	v.Sees("You’re number 1")
	on[struct{}](v, "letAnswersGo")
	v.Idle()
	v.SeesNot("As of")
}

// A device whose clock is days fast still shows the form and the entries of the list.
func TestDeviceClockIsWrong(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(ahead(10 * day))
	e := announce(t, days(1))
	v.Open(e.public())
	v.Sees("tomorrow")
	come(v, "Anna")
	v.Open("/")
	v.Sees("1 is coming", "tomorrow")
	signUp(t, e, "Ben")
	on[struct{}](v, "moveCopies", time.Hour.Milliseconds())
	v.Open("/")
	v.Sees("2 are coming")
}

// A guest's yes or withdrawal changes the count at once on each page of this device, until the event is read again. If
// a read before the response has counted the guest already, the guest is not counted twice. A submission ends with its
// response, not with the read that follows.
func TestAnswersCountAtOnce(t *testing.T) {
	_, v := invited(t, "Ben")
	v.Hold()
	instead(v, http.MethodPost, losing)
	submit(v, "Anna")
	v.Sees("No confirmation yet for Anna.")
	comeBack(v)
	v.Sees("2 are coming")
	v.Idle()
	on[struct{}](v, "instead", http.MethodPost, nil)
	v.Disturb(http.MethodGet, held)
	v.Click("Try now")
	v.Sees("You’re in, Anna", "2 are coming")
	is(v, fn("storedCount"), 2)
	bring(v.sitePage, "Max")
	v.Sees("3 are coming")
	is(v, fn("storedCount"), 3)
	v.Click("Can’t make it after all: Anna")
	v.Sees("2 are coming")
	follow(v, "/") // leaving the page sends the withdrawal
	v.AllSent()
	is(v, fn("storedCount"), 2)
}

// TestNumberOfAPageThatWasLeft: the guest's number is not announced if the visitor has left the page.
func TestNumberOfAPageThatWasLeft(t *testing.T) {
	_, v := invited(t)
	restore := v.Disturb(http.MethodGet, held)
	submit(v, "Anna")
	v.Sees("You’re in, Anna")
	follow(v, "/")
	v.Sees("Your events")
	restore()
	v.Idle()
	is(v, fn("says", "#announcer", "number"), false)
}

func withdraw(t *testing.T, event created, rsvpToken string) {
	t.Helper()
	ask(t, apitest.CancelRSVP(event.EventToken, rsvpToken))
}

// Phones keep tabs for weeks, and the service sends no messages. So a tab asks the service when the visitor returns.
// Without a response it counts the days anew.
func TestTabLearnsOfTheCancellation(t *testing.T) {
	event, v := organizing(t, "Ben")
	home, organizer := v.Tab("/"), v.Tab()
	home.Sees("1 is coming")
	organizer.Prepare(fn("holdIntervals")) // otherwise a poll would tell all tabs
	organizer.Open(event.private())
	v.Open(event.public())
	v.Write("Your name", "Anna")
	v.Idle()
	v.Unreachable(true)
	on[struct{}](v, "stopClockAt", "2099-12-11T12:00:00Z")
	comeBack(v)
	v.Sees("tomorrow")
	for _, tab := range []*visitor{v, home, organizer} {
		tab.Idle() // no earlier request may tell the tabs
	}
	v.Unreachable(false)
	cancel(t, event, "Rain")
	eval[struct{}](v, later(20*time.Second))
	on[struct{}](v, "turnPage", "pageshow")
	v.Sees("Rain")
	for _, tab := range []*visitor{home, organizer} {
		tab.Sees("ancelled") // all tabs show a saved event's news
	}
}

// A page without input shows each day from its midnight on, in the reader's zone. After a device has slept, the page
// does so on return.
func TestDayBegins(t *testing.T) {
	event := announce(t, supper()) // the event begins on Saturday, 12 December 2099 at 19:30 in Berlin
	for zone, c := range map[string]struct {
		eve  string // local time, five minutes before midnight
		days []string
	}{
		"Europe/Berlin":  {"2099-12-10T22:55:00Z", []string{"in 2 days", "tomorrow", "today"}},
		"Asia/Kathmandu": {"2099-12-10T18:10:00Z", []string{"in 3 days", "in 2 days", "tomorrow"}},
	} {
		v := newVisitor(t, manner{Zone: zone})
		v.Prepare(fn("pretendItIs", c.eve))
		v.Open("/")
		v.SeesNot("Today")
		on[struct{}](v, "comeBack", 300_000)
		v.Sees("Today")

		v.Prepare(fn("holdLong"))
		v.Open(event.private())
		v.Until("the event on the list", `location.hash === '#organize'`)
		for _, path := range []string{event.public(), "/"} {
			v.Open(path)
			v.Sees(c.days[0])
			on[struct{}](v, "pass", 300_000)
			v.Sees(c.days[1])
			on[struct{}](v, "pass", 86_400_000)
			v.Sees(c.days[2])
		}
	}
}

// The device also deletes the copy of a move's target once no entry of the list needs the copy.
func TestStorageForgetsTheNewEvent(t *testing.T) {
	v := newVisitor(t, manner{})
	moved(v.sitePage, days(30))
	v.Sees(stillComing)
	is(v, fn("countStored", "event."), 2)
	v.Open("/")
	askToRemove(v, "Rooftop supper")
	v.Click("Remove")
	v.Sees("You get a private link that shows who’s coming")
	v.Open(announce(t, supper()).public()) // the response says the time
	unseen(v, fn("countStored", "event.")+` === 0`)
}

// people are names that the device stores as ticks, in the draft of a name, and as a walk-in.
var people = []string{"Ariadne", "Ulla", "Zenobia"}

// Stored data about an event is deleted when the visitor removes the event from the list, or when it has expired by
// this device's clock and by the service's clock. Another server's response, a 404 or one clock alone delete nothing. A
// 404 hides the stored data.
func TestStorageForgetsTheEvent(t *testing.T) {
	future := map[string]string{"Date": "Fri, 01 Jan 2100 00:00:00 GMT"}
	// with responds to reads in place of the service. It also leaves a withdrawal, to which a proxy responds.
	with := func(clock time.Duration, other answer) func(v *visitor, event created) {
		return func(v *visitor, event created) {
			on[struct{}](v, "leaveWithdrawal", event.EventToken, event.EventToken)
			v.Prepare(ahead(clock))
			v.Prepare(fn("instead", http.MethodDelete, answer{Status: 204, Headers: future}))
			v.Prepare(fn("instead", http.MethodGet, other))
			v.Open(event.public())
			v.Idle()
			v.AllSent()
		}
	}
	for name, c := range map[string]struct {
		end  func(v *visitor, event created)
		left []string
	}{
		"removed": {func(v *visitor, event created) {
			other := v.Tab() // this tab stays open
			other.Open(event.private())
			v.Open("/")
			askToRemove(v, "Rooftop supper")
			v.Click("Keep it")
			v.NoDialog()
			askToRemove(v, "Rooftop supper")
			v.Click("Remove")
			v.Sees("You get a private link that shows who’s coming")
			comeBack(other)
			other.Idle()
			is(other, fn("countStored", ""), 0)
		}, []string{}},
		"expired": {func(v *visitor, _ created) {
			v.Prepare(later(9 * day))
			v.Open(announce(t, supper()).public()) // the response says the time
			unseen(v, fn("storedOf", people)+`.length === 0`)
		}, []string{}},
		"missing": {func(v *visitor, event created) {
			v.Open("/no/such/page") // this page requests no event
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
		"a gateway's date":    {with(9*day, answer{Status: 502, Headers: future}), people},
		"a portal's date":     {with(9*day, answer{Body: "{}", Headers: future}), people},
		"an empty answer's":   {with(9*day, answer{Lost: "before"}), people},
		"the service's clock": {with(0, answer{Real: true, Headers: future}), people},
		"this clock":          {with(9*day, answer{Real: true}), people},
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
			v.AllSent()
			c.end(v, event)
			is(v, fn("storedOf", people), c.left)
		})
	}
}

// No part of a page moves while the page loads (CLS).
func TestNothingMovesWhileAPageLoads(t *testing.T) {
	alone(t)
	event := announce(t, supper(), guests...)
	few := announce(t, supper(), "Ada")
	cancelled := announce(t, supper(), "Ada", "Ben")
	cancel(t, cancelled, "Rain")
	for _, screen := range []manner{screens[0], {}} {
		v := newVisitor(t, screen)
		v.Prepare(fn("noteShifts"))
		for i, path := range []string{
			"/", event.public(), few.public(), cancelled.public(),
			event.private(), few.private(), cancelled.private(), few.organize(),
			few.public() + "#organizer=00000000-0000-4000-8000-000000000000",
			"/e/00000000-0000-4000-8000-000000000000", "/nothing", "/",
		} {
			if path == "/" && i > 0 {
				mine(v) // home with events
			}
			call(v, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{
					{Latency: 100, DownloadThroughput: 2_000_000 / 8, UploadThroughput: -1},
				},
			})
			v.Open(path)
			v.Idle()
			if got := on[visited](v, "visited", "none"); got.Moved >= 0.02 {
				t.Errorf("%s at %d px: layout shift: %s", path, screen.Width, strings.Join(got.What, "\n"))
			}
		}
	}
}

// No part of a page moves while the page arrives in parts. A text is hidden until the parts that decide its place have
// arrived.
func TestNothingMovesWhileAPageArrives(t *testing.T) {
	alone(t)
	text := strings.Repeat("Bring a dish to share.\n", 5)
	short := announce(t, supper("description", text))
	long := announce(t, supper("description", text, "title", titled(90)["title"].(string)))
	server := connect(t)
	painted := make(chan struct{})
	server.Except("^/e/", func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		release()(answer, r)
		maps.Copy(w.Header(), answer.Header())
		page := answer.Body.String()
		for _, next := range []string{`<dl class="facts">`, `<div class="card"`} {
			part, rest, _ := strings.Cut(page, next)
			_, _ = io.WriteString(w, part)
			w.(http.Flusher).Flush()
			<-painted
			page = next + rest
		}
		_, _ = io.WriteString(w, page)
	})
	for _, c := range []struct {
		screen manner
		event  created
	}{
		{manner{}, short},
		{screens[0], short},
		{manner{Width: 320, Height: 568}, short},
		{manner{Width: 390, Height: 664}, long},
	} {
		v := newVisitor(t, c.screen)
		v.Prepare(fn("noteShifts"))
		on[struct{}](v, "goTo", server.url+c.event.public())
		for _, part := range []string{"h1", ".facts"} {
			v.Until("the part with "+part, fn("isThere", part))
			on[struct{}](v, "painted")
			painted <- struct{}{}
		}
		v.Idle()
		if got := on[visited](v, "visited", "none"); got.Moved >= 0.02 {
			t.Errorf("at %d px: layout shift: %s", c.screen.Width, strings.Join(got.What, "\n"))
		}
	}
}
