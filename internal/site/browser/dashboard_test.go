package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the same zones on every machine

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

var berlin, _ = time.LoadLocation("Europe/Berlin")

// days returns an event that many days from now, also where the clocks change meanwhile.
func days(n int) fields {
	return supper("dateTime", time.Now().In(berlin).AddDate(0, 0, n).Format(time.RFC3339))
}

func names(v *visitor) []string {
	v.Helper()
	return on[[]string](v, "texts", ".guests .user")
}

// comeBack shows the page again, after the 20 seconds in which an answer is not asked for again.
func comeBack(p interface{ page() *sitePage }) {
	on[struct{}](p, "comeBack", 20_000)
}

// While the list is visible it is refreshed at intervals, and not otherwise. Guests who are
// new are marked until the page has been seen with them.
func TestVisibleListIsRefreshed(t *testing.T) {
	event := announce(t, supper(), "Ada")
	v := newVisitor(t, manner{})
	v.Prepare(fn("holdIntervals"))
	v.Open(event.private())
	v.Sees("1 is coming")
	v.SeesNot("new")
	is(v, fn("heldIntervals"), []int{20_000})
	tick := func() int { return on[int](v, "tick") }
	ben := signUp(t, event, "Ben")
	tick()
	v.Sees("2 are coming", "1 new")
	withdraw(t, event, ben)
	signUp(t, event, "Bea") // as many as before
	tick()
	v.Sees("Bea", "1 new")
	on[struct{}](v, "hide", true)
	signUp(t, event, "Cleo")
	same(v, "requests of the hidden page", tick(), 0)
	on[struct{}](v, "hide", false)
	comeBack(v)
	v.Sees("2 new")
	same(v, "the list", names(v), []string{"Cleo", "Bea", "Ada"})
	follow(v, "/")
	v.Sees("Your events")
	is(v, fn("heldIntervals"), []int{60_000}) // the clock of home's form alone
	signUp(t, event, "Dan")
	restore := v.Disturb(http.MethodGet, held)
	follow(v, event.private())
	v.Sees("You’re organizing")
	follow(v, "/") // before the names are there
	restore()
	v.Idle()
	v.Open(event.private())
	v.Sees("1 new")
	v.Reload()
	v.SeesNot("new")

	// Answers that are late are shown at once.
	follow(v, "/")
	restore = v.Disturb(http.MethodGet, held)
	follow(v, event.private())
	v.Sees("As of ")
	restore()
	v.SeesNoMore("As of")
}

// A long list comes in pages, which are followed to the last one. Guests are checked in once all names are there,
// and paper says how many are.
func TestLongListIsFollowed(t *testing.T) {
	v := newVisitor(t, screens[0])
	v.Prepare(fn("paginate"))
	do(v, chromedp.Navigate(base+announce(t, supper(), guests...).private()))
	v.Sees("Loading names: 8 of 20")
	says(t, on[string](v, "onPaper"), "8 of 20")
	for _, so := range []string{"Loading names: 8 of 20", "Loading names: 16 of 20"} {
		v.Sees(so)
		is(v, fn("isEnabled", "Check in"), false)
		on[struct{}](v, "letPageGo")
	}
	v.Sees("20 are coming")
	v.Until("the check-in", fn("isEnabled", "Check in"))
	v.Click("Show 12 more")
	same(v, "names in the list", len(names(v)), len(guests))
}

// Nobody taps for four names.
func TestFewNamesAreNotHidden(t *testing.T) {
	for n, m := range map[int]manner{12: screens[0], 24: {}} { // a desktop has room for more
		v := newVisitor(t, m, announce(t, supper(), crowd(n)...).private())
		v.Sees(fmt.Sprint(n, " are coming"))
		v.Until("all names", fmt.Sprint(`document.querySelectorAll('.guests .user').length === `, n))
		v.SeesNot("Show ")
	}
}

func TestEventIsOver(t *testing.T) {
	event := announce(t, days(-1))
	v := newVisitor(t, manner{}, event.public())
	v.Sees("It’s over", "Nobody signed up")
	v.SeesNot("You’re invited", "Are you coming?", "dashed", "I was there")
	v.Click("Were you there? Add your name")
	v.Write("Your name", "Anna")
	v.Click("I was there")
	v.Sees("1 signed up")
	v.SeesNot("Bring someone", "My own link", "Copy link")
	v.Open(announce(t, days(-8)).private())
	v.Sees("This event is over")
	v.SeesNot("Send the invitation", "Cancel the event")

	// The service decides, not the clock that it says.
	v.Prepare(fn("pretendItIs", "2024-06-12T12:00:00Z")) // the day of the event
	v.Open("/nothing")
	follow(v, announce(t, past()).public())
	submit(v, "Anna")
	v.Sees("This event is over")
	v.SeesNot("Are you coming?")
	v.Reload()
	v.Sees("This event is over")
}

// An event that is announced again replaces a draft only if its author wants that, even a
// draft that was begun while the event was being read.
func TestAnnounceAgain(t *testing.T) {
	event, v := announce(t, supper()), newVisitor(t, manner{}, "/")
	restore := v.Disturb(http.MethodGet, held)
	follow(v, "/?again="+event.EventToken)
	v.Write("What are you planning?", "Brunch")
	restore()
	v.Sees("Replace what you’ve written?")
	v.Click("Keep my draft")
	v.NoDialog()
	v.Holds("What are you planning?", "Brunch")
	v.At("/")
	v.Open("/?again=" + event.EventToken)
	v.Click("Replace it")
	v.FocusOn("#date")
	for label, want := range map[string]string{
		"What are you planning?": "Rooftop supper",
		"Date":                   "",
		"Your name":              "Mara & Jo",
	} {
		v.Holds(label, want)
	}
}

// The device remembers the name of a host, and that there is none.
func TestHostIsRemembered(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	for _, name := range []string{" Mara ", " "} {
		v.Open("/?new")
		fill(v)
		v.Write("Your name", name)
		v.Click("Announce it")
		v.Until("the new event", `location.hash === '#organize'`)
		path := eval[string](v, `location.pathname`)
		host := on[struct{ Host string }](v, "readEvent", strings.TrimPrefix(path, "/e/")).Host
		same(v, "the host", host, map[string]string{" Mara ": " Mara "}[name])
		v.Open(path)
		kicker := map[bool]string{true: "Mara  · "}[host != ""] + "You’re invited"
		v.Until("the line above the title", fn("hasText", ".kicker", kicker))
		v.Open("/?new")
		v.Holds("Your name", host)
	}
}

// Home lists the events that this device has saved, with their current state; the form is one step away.
func TestHomeListsSavedEvents(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	v.Sees("You get a private link that shows who’s coming.")
	event := announce(t, supper(), "Ben")
	v.Open(event.private())
	v.Open(event.public())
	come(v, "Anna")
	old := announce(t, past())
	v.Open(old.private())
	v.Until("the link on the list", `location.hash === '#organize'`)
	v.Open("/")
	v.SeesNot("You get a private link that shows who’s coming.")
	v.Sees("You’re organizing · Anna is coming", "2 are coming")
	is(v, `document.querySelectorAll('.entries li').length`, 2)
	v.SeesNot("Garden party")
	v.Click("1 past event")
	v.Sees("Garden party")
	v.Click("Announce an event")
	v.Write("What are you planning?", "Brunch")
	do(v, chromedp.NavigateBack())
	v.Sees("2 are coming")
	cancel(t, event, "Rain")
	other := v.Tab(announce(t, supper("title", "Brunch")).public())
	restore := v.Disturb(http.MethodGet, held)
	v.Reload()
	come(other, "Otto") // the list changes while the service is asked
	v.Sees("Otto is coming")
	v.Sees("As of ") // the answers are late
	restore()
	v.Sees("Cancelled", "You’re on the list · Anna")
	is(v, fn("entriesWith", ".tally"), []bool{false, true, false})
}

// TestTodayOnHome: an event has one action on its day. The door is the second entry of the organizer's page.
func TestTodayOnHome(t *testing.T) {
	at := time.Now().UTC()
	soon := supper("title", "Brunch", "dateTime", at.Add(time.Hour).Format(time.RFC3339))
	noon := fmt.Sprintf("Etc/GMT%+d", at.Hour()-12)
	own, other := announce(t, days(0), "Ada"), announce(t, soon, "Ben")
	v := newVisitor(t, manner{Width: 390, Height: 844, Zone: noon})
	online := supper("location", "https://example.org/call", "dateTime", soon["dateTime"].(string))
	for _, event := range []created{announce(t, online), announce(t, days(1))} {
		v.Open(event.public())
		come(v, "Anna")
	}
	v.Open(own.private())
	v.Open(other.public())
	come(v, "Anna")
	follow(v, "/")
	v.Sees("1 is coming", "2 are coming", "Weserstraße 12")
	type card struct {
		Title, Action string
		Own           int // strokes
	}
	is(v, fn("cardsOfToday"), []card{
		{"Rooftop supper", "Check in", 0},
		{"Rooftop supper", "", 1},
		{"Brunch", "Directions", 1},
	})
	way := on[[]string](v, "addresses", ".leading a.primary")[0]
	same(v, way+" is the way there", strings.HasPrefix(way, "https://www.openstreetmap.org/search?query=Weser"), true)
	v.Offline(true)
	v.Until("no door without its names", fn("isHidden", ".leading button.primary"))
	v.Offline(false)
	v.Click("Check in")
	v.Sees("0 here · 1 to come")
	v.Check("the focus is on the heading", `document.activeElement.id === 'here'`)
	do(v, chromedp.NavigateBack())
	v.Sees("For the door")
	v.At(own.public() + "#organize")
	v.Offline(true)
	v.Until("no poster without its code", fn("isHidden", ".ways .online"))
	v.Offline(false)
	do(v, chromedp.NavigateBack())
	v.Sees("Your events")
	v.At("/")
}

// On a phone a bar leads back to the form while there is one, and does not cover the end of the page.
func TestBarLeadsToTheForm(t *testing.T) {
	v := newVisitor(t, screens[0])
	event := announce(t, supper("description", strings.Repeat("Line\n\n", 60)))
	v.Open("/")
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}) // with motion
	follow(v, event.public())
	v.Click("more")
	const scroll = `scrollTo(0, 2000)`
	eval[struct{}](v, scroll)
	v.Until("the bar", `document.querySelector('#bar')`)
	v.Check("the end of the text is above the bar", fn("endIsAboveBar"))
	eval[struct{}](v, `document.querySelector('#bar button').click()`)
	v.FocusOn("#name")
	v.Until("no bar", `!document.querySelector('#bar')`)
	eval[struct{}](v, scroll)
	v.Until("the bar again", `document.querySelector('#bar')`)
	cancel(t, event, "Rain")
	comeBack(v)
	v.Until("the state", `document.querySelector('#state')`)
	v.Until("neither form nor bar", `!document.querySelector('#rsvp, #bar')`)
}

// rows are the guests at the door, as they are read.
func rows(p *sitePage) []string {
	p.Helper()
	return on[[]string](p, "rows")
}

// rowsStay is a flow: at the door a row keeps its guest. Who arrives meanwhile waits, and
// who withdraws stays, until the list is taken anew.
func rowsStay(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Dan", "Ben")
	cleo := signUp(p.T, event, "Cleo")
	p.Open(event.private())
	p.Click("Check in")
	expect := func(want ...string) {
		p.Helper()
		same(p, "the rows", rows(p), want)
	}
	eval[struct{}](p, `document.querySelectorAll('.guests input')[1].focus()`)
	p.HasFocus("Cleo")
	signUp(p.T, event, "Aaron")
	comeBack(p)
	p.Sees("1 new – show")
	expect("Ben", "Cleo", "Dan")
	p.Press(" ")
	p.Sees("1 here", "Cleo is here")
	is(p, `document.querySelector('.guests :checked').closest('li').innerText.trim()`, "Cleo")
	withdraw(p.T, event, cleo)
	comeBack(p)
	p.Sees("no longer coming")
	expect("Ben", "Cleo no longer coming", "Dan")
	p.Sees("0 here")
	p.Click("1 new – show")
	p.Until("the list of now", fn("rows")+`[0] === 'Aaron'`)
	expect("Aaron", "Ben", "Dan")
	p.Check("the focus is on the heading", `document.activeElement.id === 'here'`)
	p.Reload()
	p.Sees("0 here · 3 to come")
	signUp(p.T, event, "Cleo")
	comeBack(p)
	p.Click("1 new – show")
	p.Sees("1 here · 3 to come") // the tick has stayed
	eval[struct{}](p, `history.back()`)
	p.Sees("Print check-in sheet")
}

// A draw makes no row that was there before: not after a poll, nor when a search ends. Lists of thousands depend on
// it.
func TestRowsAreKept(t *testing.T) {
	event, v := organizing(t, guests[:19]...)
	v.Check("a short list has no search", `!document.querySelector('#search')`)
	for _, search := range []string{"Find a name", "Find or add"} {
		signUp(t, event, "Zoe of "+search)
		comeBack(v)
		v.Sees("1 new")
		on[struct{}](v, "countNewNames")
		comeBack(v)
		v.Idle()
		v.Write(search, "Zoe")
		v.Until("one name", `document.querySelectorAll('.guests bdi').length <= 1`)
		v.Write(search, "")
		v.Until("the names", `document.querySelectorAll('.guests bdi').length > 1`)
		is(v, fn("newNames"), 0)
		v.Open(event.private())
		v.Click("Check in")
	}
}

// The check-in has the screen of a phone for itself: seven rows, each for a finger, with the bar in view, and the list
// is afterwards as it was before.
func TestCheckInIsWithinReach(t *testing.T) {
	v := newVisitor(t, screens[1], announce(t, days(0), guests...).private())
	v.Holds("Order", "arrival")
	v.Click("Check in")
	is(v, `document.querySelector('.door path').getBBox().width`, 0)
	onScreen := 0
	for _, row := range on[[]box](v, "boxes", ".guests li") {
		if row.Height < 56 {
			t.Errorf("a row is %.0f px high", row.Height)
		}
		if row.Bottom <= float64(screens[1].Height) {
			onScreen++
		}
	}
	if onScreen < 7 {
		t.Errorf("%d rows are on the screen", onScreen)
	}
	for _, width := range []int64{320, 390} {
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(width, 319)))
		for _, language := range locale.Languages() {
			choose(v, language)
			for _, so := range []string{"before", "after"} {
				if height := on[box](v, "boxOf", "#door").Height; height > 112 {
					t.Errorf("in %s, at %d px, %s a tick, the bar is %.0f px high", language, width, so, height)
				}
				eval[struct{}](v, `document.querySelector('.guests input').click()`)
				v.Until("who it was", `document.getElementById('undo')`)
			}
		}

	}
	choose(v, "en")
	for height, want := range map[int64]bool{screens[1].Height: true, 319: false} {
		v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(screens[1].Width, height)))
		eval[struct{}](v, `scrollTo(0, document.documentElement.scrollHeight)`)
		for _, id := range []string{"here", "done", "search"} {
			v.Until(id+" in view, or not", fmt.Sprint(fn("boxOf", "#"+id), `.top >= 0 === `, want))
		}
	}
	v.Click("Close")
	v.Until("the list as before", fn("hasText", ".guests .user", "Tove"))
	v.Pick("Order", "name")
	v.Until("the first of the alphabet", fn("hasText", ".guests .user", "Ada"))
	number := eval[string](v, `getComputedStyle(document.querySelector('.guests li'), '::before').content`)
	if strings.ContainsAny(number, "0123456789") {
		t.Errorf("in the order of names there is a number: %s", number)
	}
}

// ticking is a flow: a tick leaves the rows, the search and the focus in it, and selects its text. A second tap on the
// row does nothing at once, nor does any after Add; later it takes the tick back, visibly. A name behaves as its
// circle.
func ticking(p *sitePage, _ string) {
	const search, circle, add = "Find or add", ".guests input", "#add button"
	p.Open(announce(p.T, supper(), "Ada", "Anton", "Ben").private())
	p.Click("Check in")
	tap := func(target string, times ...int) {
		p.Helper()
		var at []float64
		for len(at) == 0 {
			at = on[[]float64](p, "meetFirst", target)
		}
		on[bool](p, "letGo")
		for _, passed := range times { // under the finger, whatever is there by then
			on[struct{}](p, "stampEvents", passed)
			p.do(func(ctx context.Context) error { return p.driver.Click(ctx, at[0], at[1]) })
		}
	}
	expect := func(here, last string, want ...string) {
		p.Helper()
		p.Sees(here, last)
		is(p, fn("texts", ".guests .user"), want)
		p.Holds(search, "an")
		p.HasFocus(search)
		is(p, fn("selectedIn", search), "an")
	}
	p.Write(search, "an")
	p.Until("one row", `document.querySelectorAll('.guests input').length === 1`)
	tap(circle, 1000, 1400)
	expect("1 here", "Anton is here", "Anton")
	tap(circle, 2000)
	expect("0 here", "Anton isn’t here yet", "Anton")
	p.Click("Undo")
	expect("1 here", "Anton is here", "Anton")
	tap(add, 3000, 3100)
	tap(circle, 3400)
	expect("2 here", "an is here", "Anton", "an")
	p.Press("be")
	p.Holds(search, "be")
	tap(".guests .user", 5000)
	p.Sees("3 here", "Ben is here")
	p.HasFocus(search)
	on[struct{}](p, "stampEvents", 9000)
	eval[struct{}](p, `document.querySelector('.guests input').focus()`)
	p.Press(" ")
	p.Sees("2 here")
	p.HasFocus("Ben")
	p.Click("Undo")
	p.HasFocus("Ben")
}

// The door is a history entry: Back, Forward and Done move between it and the page. A reload opens it again while the
// event accepts RSVPs, also without a network, and another language keeps it open. Its names are stored until it is
// left.
func TestDoorIsAHistoryEntry(t *testing.T) {
	event, c := announce(t, supper(), "Ada", "Ben"), connect(t)
	const stored, list = `JSON.stringify({ ...sessionStorage }).includes('Ada')`, "Print check-in sheet"
	door := func(v *visitor, so string) {
		t.Helper()
		v.Sees(so)
		same(v, "the rows", rows(v.sitePage), []string{"Ada", "Ben"})
	}
	v := newVisitor(t, manner{})
	c.install(v, "/")
	c.at(v, event.private())
	v.Click("Check in")
	v.Click("Ben")
	door(v, "1 here")
	is(v, stored, true)
	do(v, chromedp.NavigateBack())
	v.Sees(list)
	is(v, stored, false)
	do(v, chromedp.NavigateForward())
	door(v, "1 here · 1 to come")
	choose(v, "de")
	door(v, "1 da · 1 erwartet")
	choose(v, "en")
	c.way.Store(way(cut))
	v.Reload()
	door(v, "1 here · 1 to come")
	v.Sees("As of ")
	c.way.Store(release())
	v.Click("Close")
	v.Sees(list)
	is(v, stored, false)
	do(v, chromedp.NavigateBack())
	v.Sees("Your events")
	do(v, chromedp.NavigateForward(), chromedp.NavigateForward())
	door(v, "1 here · 1 to come")
	cancel(t, event, "Rain")
	v.Reload()
	v.Sees("Cancelled")
	is(v, stored, false)

	v = newVisitor(t, manner{})
	v.Prepare(fn("block", "sessionStorage"))
	v.Open(announce(t, supper(), "Ada", "Ben").private())
	v.Click("Check in")
	door(v, "0 here · 2 to come")
	v.Click("Close")
	v.Sees(list)
}

// A walk-in is added at the door, ticked, and withdrawn there. What is unsent is said on home and on the organizer's
// page; once it is answered, nothing but the door tells of it: neither home, nor the pages of guests, nor the exported
// list.
func TestWalkIn(t *testing.T) {
	event, v := organizing(t, "Zoe", "Ben")
	v.Click("Check in")
	unseen(v, fn("timesLoaded", site.Names()[site.Home]))
	v.Unreachable(true)
	v.Write("Find or add", "Zoe")
	is(v, `page.plain(document.querySelector('.guests > :last-child').innerText).trim()`, "Add “Zoe”")
	v.Check("somebody matches", `!document.querySelector('#add .primary')`)
	v.Click("Add “Zoe”")
	v.Sees("1 here", "Zoe is here")
	v.Write("Find or add", "")
	same(v, "the rows", rows(v.sitePage), []string{"Ben", "Zoe", "Zoe 2 of 2 not sent yet Remove"})
	v.Click("Close")
	v.Sees("No confirmation yet for Zoe.")
	follow(v, "/")
	v.Sees("RSVP not sent yet: Zoe")
	follow(v, event.public())
	v.Sees("Are you coming?")
	v.SeesNot("Zoe")
	v.Unreachable(false)
	v.Open(event.private())
	v.Sees("3 are coming")
	v.Idle()
	v.SeesNot("No confirmation")
	v.Reload()
	v.Click("Check in")
	v.Sees("1 here · 2 to come")
	same(v, "the rows", rows(v.sitePage), []string{"Ben", "Zoe 1 of 2", "Zoe 2 of 2 Remove"})
	type added struct {
		EventToken, Name string
		Nth              int
	}
	is(v, fn("savedRSVPs"), []added{{event.EventToken, "Zoe", 2}})
	v.Open("/")
	v.Sees("3 are coming")
	v.SeesNot("Zoe")
	_, list := v.Download("Export the list")
	if strings.Contains(list, "Zoe") {
		t.Errorf("the exported list has a walk-in: %s", list)
	}
	v.Open(event.public())
	v.Sees("Are you coming?")
	v.SeesNot("Zoe")
	v.Open(event.private())
	v.Click("Check in")
	instead(v, http.MethodPost, answer{Status: 409, Code: "event-expired", Times: 1})
	v.Write("Find or add", "Ulla")
	v.Check("nobody matches", `document.querySelector('#add .primary')`)
	v.Click("Add “Ulla”")
	v.Sees("This event is over", "1 here · 2 to come")
	v.Write("Find or add", "Ella")
	v.Click("Add “Ella”")
	unseen(v, fn("countStored", "rsvp.")+` === 2`)
	v.Click("Close")
	v.Sees("Ulla isn’t signed up.")
	follow(v, "/")
	v.Sees("Ulla isn’t signed up.")
	move(t, event, announce(t, days(30)), "")
	v.Open(event.public())
	v.Sees("There’s a new date.")
	v.SeesNot("Ella", "Ulla")
}

// Without an answer, walk-ins are in the order in which they were added, after a reload too.
func TestWalkInsKeepTheirOrder(t *testing.T) {
	_, v := organizing(t, "Ben")
	v.Click("Check in")
	v.Unreachable(true)
	for _, name := range []string{"Dora", "Abe", "Cleo", "Emil"} {
		v.Write("Find or add", name)
		v.Click("Add “" + name + "”")
		v.Sees(name + " is here")
	}
	v.Write("Find or add", "")
	same(v, "the rows", names(v), []string{"Ben", "Dora", "Abe", "Cleo", "Emil"})
	v.Unreachable(false)
	restore := v.Disturb(http.MethodPost, held)
	v.Reload()
	v.Sees("4 here")
	same(v, "the rows", names(v), []string{"Ben", "Dora", "Abe", "Cleo", "Emil"})
	restore()
}

// Enter in the door's search ticks the first match who is not here, who is marked until then, once per text, and adds
// nobody by itself. Those who are here come last, from the next text on; who arrived last is said until an act after
// the time to undo it. A name that is too long is said at the field, as on guests' pages, and is not sent.
func TestEnterAtTheDoor(t *testing.T) {
	const search = "Find or add"
	marked := fn("text", ".guests .marked .user") + ` ?? ''`
	event, v := organizing(t, "Ann", "Anton", "Ben")
	v.Click("Check in")
	is(v, `document.getElementById('search').placeholder`, search)
	is(v, `document.getElementById('search').enterKeyHint`, "done")
	is(v, marked, "")
	held := func() { on[struct{}](v, "pressEnter", object{"repeat": true}) }
	for _, row := range []struct {
		text, next, said string
		rows             []string
	}{
		{"an", "Ann", "Ann is here", []string{"Ann", "Anton"}},
		{"a", "Anton", "Anton is here", []string{"Anton", "Ann"}},
		{"nn", "", "All here already", []string{"Ann"}},
	} {
		expect := func(next string) {
			t.Helper()
			is(v, marked, next)
			same(v, "the rows", names(v), row.rows)
			v.HasFocus(search)
		}
		v.Write(search, row.text)
		held()
		on[struct{}](v, "pressEnter", object{"keyCode": 229}) // ends a composition, in Safari's order of events
		expect(row.next)
		v.Press(kb.Enter)
		v.Sees(row.said)
		v.Press(kb.Enter)
		held()
		expect("")
	}
	v.Write(search, "b")
	is(v, marked, "Ben")
	v.Sees("2 here", "Anton is here", "Undo")
	eval[struct{}](v, later(20*time.Second))
	v.Write(search, "be")
	v.Sees("2 here · 1 to come")
	v.SeesNot("is here", "Undo")
	v.Write(search, "zed")
	v.Press(kb.Enter)
	v.HasFocus("Add “zed”")
	v.Focus(search)
	signUp(t, event, "Aaron")
	comeBack(v)
	v.Sees("1 new – show", "2 here · 2 to come")
	v.Holds(search, "zed")
	long := strings.Repeat("z", 101)
	v.Write(search, long)
	v.Click("Add “" + long + "”")
	v.Sees("1 character too many.", "2 here · 2 to come")
	is(v, fn("outboxIsEmpty"), true)
	hasNames(t, event, "Ann", "Anton", "Ben", "Aaron")
}

// A walk-in is withdrawn as a guest is: it can be undone until the door is closed. The undo of an Add does not wait.
func TestWalkInIsWithdrawnAsAGuestIs(t *testing.T) {
	event, v := organizing(t, "Ben")
	on[struct{}](v, "spreadEvents", 1000) // no tap is the second one of a double tap
	add := func(name string) {
		v.Click("Check in")
		v.Write("Find or add", name)
		v.Click("Add “" + name + "”")
	}
	add("Zoe")
	counts(v, event, 2)
	v.AllSent()
	v.Hold()
	v.Click("Remove Zoe")
	v.Sees("0 here · 1 to come")
	v.Click("Undo: Zoe is coming")
	v.Offers("Remove Zoe")
	v.Click("Remove Zoe")
	v.Idle()
	hasNames(t, event, "Ben", "Zoe")
	v.Click("Close")
	counts(v, event, 1)
	add("Ella")
	counts(v, event, 2)
	v.Click("Undo")
	counts(v, event, 1)
}
