package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // all machines have the same zones

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

var berlin, _ = time.LoadLocation("Europe/Berlin")

// days returns an event that many days from now, at the same time of day even if the clocks change before it.
func days(n int) fields {
	return supper("dateTime", time.Now().In(berlin).AddDate(0, 0, n).Format(time.RFC3339))
}

func names(v *visitor) []string {
	v.Helper()
	return on[[]string](v, "texts", ".guests .user")
}

// comeBack returns to the page after 20 seconds, when the page reads the event again.
func comeBack(p interface{ page() *sitePage }) {
	on[struct{}](p, "comeBack", 20_000)
}

// A visible list is read again at intervals. A hidden list is not. New guests stay marked until the organizer has seen
// the page with them.
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
	signUp(t, event, "Bea") // one guest has left and one has come, so the number is the same
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
	is(v, fn("heldIntervals"), []int{})
	signUp(t, event, "Dan")
	restore := v.Disturb(http.MethodGet, held)
	follow(v, event.private())
	v.Sees("You’re organizing")
	follow(v, "/") // leave the page before the names arrive
	restore()
	v.Idle()
	v.Open(event.private())
	v.Sees("1 new")
	v.Reload()
	v.SeesNot("new")

	// Late responses are shown at once.
	follow(v, "/")
	restore = v.Disturb(http.MethodGet, held)
	follow(v, event.private())
	v.Sees("As of ")
	restore()
	v.SeesNoMore("As of")
}

// The list does not hide as few as four names behind a tap.
func TestFewNamesAreNotHidden(t *testing.T) {
	for n, m := range map[int]manner{12: screens[0], 24: {}} { // a desktop shows more names
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

	// The service decides whether the event is over, whatever the device's clock says.
	v.Prepare(fn("pretendItIs", "2024-06-12T12:00:00Z")) // the day of the event by the device's clock
	v.Open("/nothing")
	follow(v, announce(t, past()).public())
	submit(v, "Anna")
	v.Sees("This event is over")
	v.SeesNot("Are you coming?")
	v.Reload()
	v.Sees("This event is over")
}

// TestOrganizerActsWhileTheServiceAccepts: an event without an end counts as over after twelve hours, but a long party
// goes on. Its organizer checks in, prints, moves and cancels until the service refuses RSVPs.
func TestOrganizerActsWhileTheServiceAccepts(t *testing.T) {
	long := supper("dateTime", time.Now().Add(-12*time.Hour+time.Minute).Format(time.RFC3339))
	event := announce(t, long, "Ada", "Ben")
	v := newVisitor(t, manner{}, event.private())
	v.Click("Check in")
	v.Click("Ada")
	v.Sees("1 here")
	v.Prepare(later(2 * time.Minute))
	v.Reload()
	v.Sees("1 here")
	v.Click("Ben")
	v.Click("Close")
	v.Sees("It’s over", "Announce it again", "Print check-in sheet", "Move it to another date or place")
	v.Click("Check in")
	v.Sees("2 here")
	v.Click("Close")
	askToCancel(v)
	v.Click("Cancel the event")
	v.Sees("Cancelled")
	v.FocusOn("h1")
}

// Announcing an event again replaces a draft only if the organizer agrees. This includes a draft that was begun while
// the event was being read.
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

// The device remembers the host's name. It also remembers that the organizer left the name empty.
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
		kicker := map[bool]string{true: "Mara \u00a0· "}[host != ""] + "You’re invited"
		v.Until("the line above the title", fn("hasText", ".kicker", kicker))
		v.Open("/?new")
		v.Holds("Your name", host)
	}
}

// Home draws hundreds of cards in several tasks, the first screen first. Back finds the place where the visitor left.
func TestHomeDrawsCardsInParts(t *testing.T) {
	const others, part = 90, 20
	event, v := announce(t, supper()), newVisitor(t, manner{Width: 390, Height: 844}, "/")
	on[struct{}](v, "storeMany", others)
	on[struct{}](v, "saveRSVP", event.EventToken, signUp(t, event, "Anna"), "Anna")
	v.Prepare(fn("instead", http.MethodDelete, answer{Lost: "before"}))
	v.Prepare(fn("countCards"))
	v.Open("/")
	v.Until("all cards", fmt.Sprint(`document.querySelectorAll('.entry').length === `, others+1))
	before := 0
	for _, cards := range on[[]int](v, "cards") {
		if cards > before+part {
			t.Errorf("a drawing adds %d cards", cards-before)
		}
		before = cards
	}
	// Responses may change cards above the place, and the browser then moves the place by a few lines.
	eval[struct{}](v, `scrollTo(0, 5000)`)
	unseen(v, `Math.abs(history.state?.scroll - 5000) < 500`)
	follow(v, event.public())
	v.Sees("You’re in, Anna")
	eval[struct{}](v, `history.back()`)
	v.Sees("Your events")
	unseen(v, `Math.abs(scrollY - 5000) < 1000`)
}

// On a large screen, too, Back finds the place where the visitor left.
func TestBackOnALargeScreen(t *testing.T) {
	event, v := announce(t, supper(), "Ada"), newVisitor(t, manner{Width: 2560, Height: 1600}, "/")
	on[struct{}](v, "storeMany", 60, false)
	v.Open("/")
	v.Until("all cards", `document.querySelectorAll('.entry').length === 60`)
	eval[struct{}](v, `scrollTo(0, 300)`)
	unseen(v, `history.state?.scroll === 300`)
	follow(v, event.public())
	v.Sees("1 is coming")
	eval[struct{}](v, `history.back()`)
	v.Sees("Your events")
	is(v, `scrollY`, 300)
}

// TestChangedCardsAreDrawnInParts: if all cards change at once, home draws them in parts, as it does at first. The
// changed cards have a few more elements.
func TestChangedCardsAreDrawnInParts(t *testing.T) {
	const events = 100
	v := newVisitor(t, manner{}, "/")
	on[struct{}](v, "storeMany", events)
	v.Prepare(fn("hold"))
	v.Prepare(fn("instead", http.MethodGet, answer{Lost: "before"}))
	v.Prepare(fn("instead", http.MethodDelete, answer{Lost: "before", Held: true}))
	v.Prepare(fn("countElements"))
	v.Prepare(fn("noteDrawings"))
	v.Open("/")
	unseen(v, fmt.Sprint(fn("answersHeld"), ` === `, events))
	v.Idle()
	first := on[int](v, "takeMostInADrawing")
	on[struct{}](v, "letAnswersGo")
	v.Until("the failure on all cards", fmt.Sprint(`page.shown().split('1 is coming').length > `, events))
	if later := on[int](v, "takeMostInADrawing"); later > 2*first {
		t.Errorf("a drawing has %d elements, and had %d at most before", later, first)
	}
}

// TestManyEventsDoNotDelayTheFirstPaint: before its first frame, home draws ten cards at most, even if home draws
// several times. Before that frame, home begins no request.
func TestManyEventsDoNotDelayTheFirstPaint(t *testing.T) {
	const events = 100
	const requests = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')).length`
	v := newVisitor(t, manner{}, "/")
	on[struct{}](v, "storeMany", events, false)
	v.Prepare(fn("delayFrames"))
	v.Open("/")
	on[struct{}](v, "lockTurns") // home draws again when it has the lock of its draft
	v.Idle()
	cards, asked := len(on[[]box](v, "boxes", ".entry")), eval[int](v, requests)
	if cards == 0 || cards > 10 || asked > 0 {
		t.Errorf("home's first frame shows %d of %d cards, after %d requests: draw the rest later, and ask later",
			cards, events, asked)
	}
	all := fmt.Sprint(`document.querySelectorAll('.entry').length === `, events)
	v.Until("all cards", `(`+fn("letFramesGo")+`, `+all+`)`)
	v.Until("the requests", requests)
}

// TestHomeGrowsWithItsEvents: home with ten times as many events needs at most twelve times as many calls of storage,
// and draws at most twelve times as many elements. Home draws its cards in parts, which must not begin anew.
func TestHomeGrowsWithItsEvents(t *testing.T) {
	const few = 20
	work := func(events int) map[string]int {
		v := newVisitor(t, manner{}, "/")
		on[struct{}](v, "storeMany", events, false)
		v.Prepare(fn("hold"))
		v.Prepare(fn("instead", http.MethodGet, answer{Held: true}))
		v.Prepare(fn("countStorage"))
		v.Prepare(fn("countElements"))
		v.Prepare(fn("countFormatters"))
		v.Open("/")
		v.Until("all cards", fmt.Sprint(`document.querySelectorAll('.entry').length === `, events))
		if made := on[int](v, "formattersMade"); made == 0 || made >= events {
			t.Errorf("%d formatters for %d events: keep them, and look up the zone once a drawing", made, events)
		}
		return map[string]int{"calls of storage": on[int](v, "callsOfStorage"), "elements": on[int](v, "elementsDrawn")}
	}
	before := work(few)
	for what, n := range work(10 * few) {
		if n > 12*before[what] || before[what] == 0 {
			t.Errorf("%d %s with %d events, %d with ten times as many", before[what], what, few, n)
		}
	}
}

// TestAnswerAmongManyGuests: a guest's yes draws as many elements among ten times as many guests of this device, and
// needs at most twelve times as many calls of storage.
func TestAnswerAmongManyGuests(t *testing.T) {
	const few = 30
	work := func(guests int) (elements, calls int) {
		event, v := announce(t, supper()), newVisitor(t, manner{}, "/")
		on[struct{}](v, "saveRSVPs", event.EventToken, guests)
		v.Prepare(fn("hold"))
		v.Prepare(fn("countStorage"))
		v.Prepare(fn("countElements"))
		v.Open(event.public())
		v.Click("Bring someone")
		v.Write("Their name", "Max")
		v.Idle()
		elements, calls = on[int](v, "elementsDrawn"), on[int](v, "callsOfStorage")
		v.Click("Add")
		v.Offers("Can’t make it after all: Max")
		v.Idle()
		return on[int](v, "elementsDrawn") - elements, on[int](v, "callsOfStorage") - calls
	}
	elements, calls := work(few)
	manyElements, manyCalls := work(10 * few)
	if elements == 0 || manyElements > elements+10 {
		t.Errorf("%d elements among %d guests, %d among ten times as many", elements, few, manyElements)
	}
	if calls == 0 || manyCalls > 12*calls {
		t.Errorf("%d calls of storage among %d guests, %d among ten times as many", calls, few, manyCalls)
	}
}

// TestHomeStopsOnceItIsLeft: no further part of home, and so no footer of home, is drawn on the page after home.
func TestHomeStopsOnceItIsLeft(t *testing.T) {
	v := newVisitor(t, manner{}, "/")
	on[struct{}](v, "storeMany", 200, false)
	v.Prepare(`const leave = () => document.querySelector('.entry a').click()
		document.addEventListener('drawn', leave, {capture: true, once: true})`)
	v.Open("/")
	v.Sees("No event here")
	on[struct{}](v, "painted")
	is(v, `Boolean(document.querySelector('#take-along'))`, false)
}

// Home lists the events that this device has saved, with their current states. One click opens the form.
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
	come(other, "Otto") // the list changes while a request is under way
	v.Sees("Otto is coming")
	v.Sees("As of ") // the response is late
	restore()
	v.Sees("Cancelled", "You’re on the list · Anna")
	is(v, fn("entriesWith", ".tally"), []bool{false, true, false})
}

// TestTodayOnHome: an event has one button on its day. The button opens the check-in as the history entry after the
// organizer's page.
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
		Own           int // number of strokes in the guest's colour
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

// On a phone a bar leads back to the form while the form is out of view. The bar does not cover the end of the page.
func TestBarLeadsToTheForm(t *testing.T) {
	v := newVisitor(t, screens[0])
	event := announce(t, supper("description", strings.Repeat("Line\n\n", 60)))
	v.Open("/")
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}) // allow animations
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

// rows returns the guests of the check-in as a screen reader reads them.
func rows(p *sitePage) []string {
	p.Helper()
	return on[[]string](p, "rows")
}

// rowsStay is a flow for every engine. During the check-in, each row keeps its guest. A new guest waits, and a guest
// who has withdrawn stays in the rows, until the organizer updates the list.
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

// A drawing does not make a row again if the row exists, neither after a poll nor at the end of a search. Otherwise
// lists of thousands would be slow.
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

// On home a date that fits is on one line, and the first card is no wider than its text needs.
func TestCardsOnHome(t *testing.T) {
	v := newVisitor(t, screens[0], announce(t, supper(), "Ada").private())
	v.Sees("Ada")
	follow(v, "/")
	v.Until("the card", fn("isThere", ".entry > p"))
	is(v, fn("linesOfDate"), 1)
	v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(1440, 900)))
	if width := on[box](v, "boxOf", ".leading").Width; width > 700 {
		t.Errorf("the card is %.0f px wide", width)
	}
}

// The way to the form stays beside the title of the list, even with a long German title on a small phone.
func TestPlusIsBesideTheTitle(t *testing.T) {
	v := newVisitor(t, manner{Language: "de-DE", Width: 320, Height: 568}, announce(t, supper(), "Ada").private())
	v.Sees("Ada")
	v.Open("/")
	v.Until("the plus beside the title", fn("isLeftOf", "#saved-title", ".titled a"))
}

// On a laptop the check-in takes keys as soon as it opens. On a phone the keyboard stays closed.
func TestCheckInTakesKeys(t *testing.T) {
	event, v := organizing(t, append(crowd(60), "Anna Müller")...)
	v.Prepare(fn("haveShareSheet", false))
	v.Reload()
	v.Click("Check in")
	v.Press("na mül")
	v.Holds("Find or add", "na mül")
	v.Until("the guest", fn("texts", ".guests .user")+`.join() === 'Anna Müller'`)
	is(v, `scrollY`, 0)
	phone := newVisitor(t, screens[0])
	phone.Prepare(fn("haveShareSheet", true))
	phone.Open(event.private())
	phone.Click("Check in")
	phone.FocusOn("#here")
}

// The numbers of guests are aligned, and so are the names. Even a long name leaves room after its number.
func TestNumbersAreAligned(t *testing.T) {
	event := announce(t, supper(), "Ada")
	for _, length := range []int{9, 103, 10_003} {
		var attendees []fields
		for _, name := range append(crowd(length-2), longestName, "Ben") {
			attendees = append(attendees, fields{"name": name})
		}
		list, err := json.Marshal(fields{"attendees": attendees})
		v := newVisitor(t, screens[0])
		v.Must(err)
		v.Prepare(fn("instead", http.MethodGet, answer{Path: "/attendees", Status: http.StatusOK, Body: string(list)}))
		v.Open(event.private())
		v.Sees("Ben")
		edges := map[float64]bool{}
		for _, name := range on[[]box](v, "boxes", ".guests .user") {
			edges[name.Left] = true
		}
		same(v, fmt.Sprint("edges of the names of ", length), len(edges), 1)
		if room := on[float64](v, "roomAfterNumbers"); room < 4 {
			t.Errorf("of %d guests a number is %.0f px before its name", length, room)
		}
	}
}

// A desktop offers messengers before the message and the poster. Buttons beside each other have one width.
func TestWaysOfADesktop(t *testing.T) {
	event := announce(t, supper(), "Ada")
	v := newVisitor(t, manner{}, event.private())
	v.Prepare(fn("haveShareSheet", false))
	v.Reload()
	v.Click("Send the invitation")
	v.Check("messengers come first", fn("isAbove", ".messengers", ".said"))
	v.Check("the poster comes last", fn("isAbove", ".said", ".ways:has(> .online)"))
	for _, page := range []struct{ path, buttons string }{
		{"", ".messengers a"}, {"", ".ways:has(> .online) > *"}, {event.public(), ".tools > .secondary"},
	} {
		if page.path != "" {
			v.Open(page.path)
		}
		for _, width := range []int64{320, 390, 1280} {
			v.Must(chromedp.Do(v.Context, chromedp.EmulateViewport(width, 844)))
			widths := map[float64]map[float64]bool{} // by row
			for _, button := range on[[]box](v, "boxes", page.buttons) {
				if widths[button.Top] == nil {
					widths[button.Top] = map[float64]bool{}
				}
				widths[button.Top][math.Round(button.Width)] = true
			}
			for _, of := range widths {
				same(v, fmt.Sprint("widths in a row of ", page.buttons, " at ", width), len(of), 1)
			}
		}
	}
}

// The check-in fills a phone's screen with seven rows. Each row is large enough for a finger, and the bar stays in
// view. Afterwards the list is as it was before.
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

// ticking is a flow for every engine. A tick changes neither the rows nor the search nor the focus, and selects the
// text of the search. A second quick tap on the row does nothing, and neither does a quick tap after Add. A later tap
// removes the tick visibly. A tap on the name does the same as a tap on the circle.
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
		for _, passed := range times { // tap the same place, whatever is there by then
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

// The check-in is a history entry. Back, Forward and Done move between this entry and the page. While the event accepts
// RSVPs, a reload opens the check-in again, even without a network. A change of language keeps it open. The names are
// stored until the organizer leaves the check-in.
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

// The organizer adds, ticks and withdraws a walk-in during the check-in. Home and the organizer's page report an unsent
// walk-in. After the response only the check-in shows the walk-in: home, guests' pages and the exported list do not.
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
	same(v, "the rows", rows(v.sitePage), []string{"Ben", "Zoe", "Zoe 2 of 2 not confirmed yet Remove"})
	v.Click("Close")
	v.Sees("No confirmation yet for Zoe.")
	follow(v, "/")
	v.Sees("No confirmation yet: Zoe")
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

// Walk-ins without a response stay in the order in which they were added, even after a reload.
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
	restore := v.Disturb(http.MethodPost, held) // before the service can be reached again
	v.Unreachable(false)
	v.Reload()
	v.Sees("4 here")
	same(v, "the rows", names(v), []string{"Ben", "Dora", "Abe", "Cleo", "Emil"})
	restore()
}

// Enter in the search of the check-in ticks the first match who has not arrived. Until then this match is marked. Each
// text ticks one guest, and Enter alone adds nobody. From the next text on, guests who have arrived come last. The page
// shows the latest arrival until an act after the time for Undo. A name that is too long is not sent, and its field
// shows the error, as on guests' pages.
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
		on[struct{}](v, "pressEnter", object{"keyCode": 229}) // Safari ends a composition with this event
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
	long := tooLong("name", 1)
	v.Write(search, long)
	v.Click("Add “" + long + "”")
	v.Sees("1 character too many.", "2 here · 2 to come")
	is(v, fn("outboxIsEmpty"), true)
	hasNames(t, event, "Ann", "Anton", "Ben", "Aaron")
}

// A walk-in is withdrawn as a guest is: the organizer can undo the withdrawal until the check-in is closed. The undo of
// an Add is sent at once.
func TestWalkInIsWithdrawnAsAGuestIs(t *testing.T) {
	event, v := organizing(t, "Ben")
	on[struct{}](v, "spreadEvents", 1000) // makes no tap count as the second of a double tap
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
