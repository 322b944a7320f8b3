package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// days returns an event that many days from now.
func days(n int) fields {
	return supper("dateTime", time.Now().AddDate(0, 0, n).UTC().Format(time.RFC3339))
}

func names(v *visitor) []string {
	v.Helper()
	return eval[[]string](v, `[...document.querySelectorAll('.guests .user')].map((name) => name.textContent)`)
}

// comeBack dispatches the event of a page that is visible again, after the 20 seconds in which an
// answer is not asked for again.
func comeBack(p interface{ page() *sitePage }) {
	eval[struct{}](p, `void [`+driving+`.later(20_000), document.dispatchEvent(new Event('visibilitychange'))]`)
}

// While the list is visible it is refreshed at intervals, and not otherwise. Guests who are
// new are marked until the page has been seen with them.
func TestVisibleListIsRefreshed(t *testing.T) {
	event := announce(t, supper(), "Ada")
	v := newVisitor(t, manner{})
	v.Prepare(`
		window.timers = new Map();
		window.setInterval = (work, wait) => { timers.set(timers.size + 1, { work, wait }); return timers.size; };
		window.clearInterval = (id) => timers.delete(id);
		window.asked = 0;
		const real = fetch;
		window.fetch = (...request) => { asked += 1; return real(...request); };
		window.hide = (is) => Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
	`)
	v.Open(event.private())
	v.Sees("1 is coming")
	v.SeesNot("new")
	is(v, `[...timers.values()].map(({ wait }) => wait)`, []int{20_000})
	tick := func() int {
		return eval[int](v, `(() => { window.asked = 0; for (const { work } of timers.values()) work(); return asked; })()`)
	}
	ben := signUp(t, event, "Ben")
	tick()
	v.Sees("2 are coming", "1 new")
	withdraw(t, event, ben)
	signUp(t, event, "Bea") // as many as before
	tick()
	v.Sees("Bea", "1 new")
	eval[struct{}](v, `hide(true)`)
	signUp(t, event, "Cleo")
	same(v, "requests of the hidden page", tick(), 0)
	eval[struct{}](v, `hide(false)`)
	comeBack(v)
	v.Sees("2 new")
	same(v, "the list", names(v), []string{"Cleo", "Bea", "Ada"})
	follow(v, "/")
	v.Sees("Your events")
	is(v, `timers.size`, 0)
	signUp(t, event, "Dan")
	v.Open(event.private())
	v.Sees("1 new")
	v.Reload()
	v.SeesNot("new")

	// Answers that are late are shown at once.
	follow(v, "/")
	restore, release := v.Disturb(http.MethodGet, held)
	follow(v, event.private())
	v.Sees("As of ")
	close(release)
	v.Until("the answers alone", `!`+shown+`.includes('As of')`)
	restore()
}

// A long list comes in pages, which are followed to the last one. Guests are checked in once all names are there.
func TestLongListIsFollowed(t *testing.T) {
	v := newVisitor(t, manner{})
	v.Prepare(`{ // pages of eight names, which wait to be released
		const real = fetch;
		window.fetch = async (address, ...rest) => {
			const { pathname, searchParams } = new URL(address, location);
			const first = Number(searchParams.get('cursor'));
			if (!pathname.endsWith('/attendees')) return real(address, ...rest);
			if (first) await new Promise((done) => { window.release = done; });
			searchParams.delete('cursor');
			const { attendees } = await (await real(pathname + '?' + searchParams, ...rest)).json();
			const headers = first + 8 < attendees.length ? { Link: '<?' + searchParams + '&cursor=' + (first + 8) + '>; rel="next"' } : {};
			return new Response(JSON.stringify({ attendees: attendees.slice(first, first + 8) }), { headers });
		};
	}`)
	do(v, chromedp.Navigate(base+announce(t, days(0), guests...).private()))
	for _, so := range []string{"Loading names: 8 of 20", "Loading names: 16 of 20"} {
		v.Sees(so)
		v.SeesNot("Check guests in")
		eval[struct{}](v, `void release()`)
	}
	v.Sees("20 are coming")
	v.Sees("Check guests in")
	v.Click("Show 12 more")
	same(v, "names in the list", len(names(v)), len(guests))
}

func TestEventIsOver(t *testing.T) {
	event := announce(t, days(-1))
	v := newVisitor(t, manner{})
	v.Open(event.public())
	v.Sees("It’s over", "Were you there?")
	v.SeesNot("You’re invited", "Are you coming?")
	v.Write("Your name", "Anna")
	v.Click("I was there")
	v.Sees("1 had signed up")

	v.Open(announce(t, days(-8)).private())
	v.Sees("This event is over")
	v.SeesNot("Share the link", "Cancel the event")

	// The service decides, not the clock that it says.
	v.Prepare(driving + `.later(Date.parse('2024-06-12T12:00:00Z') - Date.now())`) // the day of the event
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
	event, v := announce(t, supper()), atHome(t)
	_, release := v.Disturb(http.MethodGet, held)
	follow(v, "/?again="+event.EventToken)
	v.Write("What are you planning?", "Brunch")
	close(release)
	v.Sees("Replace what you’ve written?")
	v.Click("Keep my draft")
	v.Until("no dialog", `!document.querySelector('dialog')`)
	v.Holds("What are you planning?", "Brunch")
	v.At("/")
	v.Open("/?again=" + event.EventToken)
	v.Click("Replace it")
	v.Until("focus on the date", `document.activeElement.id === 'date'`)
	for label, want := range map[string]string{"What are you planning?": "Rooftop supper", "Date": "", "Time": "19:30", "Place": "Weserstraße 12, top floor, Berlin"} {
		v.Holds(label, want)
	}
}

// The home page of a device with saved events lists them, with their current state; the
// form is one step away.
func TestHomeListsSavedEvents(t *testing.T) {
	v := atHome(t)
	v.Sees("How it works")
	event := announce(t, supper(), "Ben")
	v.Open(event.private())
	v.Open(event.public())
	come(v, "Anna")
	old := announce(t, past())
	v.Open(old.private())
	v.Open("/")
	v.SeesNot("How it works")
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
	other := v.Tab()
	other.Open(announce(t, supper("title", "Brunch")).public())
	_, release := v.Disturb(http.MethodGet, held)
	v.Reload()
	come(other, "Otto") // the list changes while the service is asked
	v.Sees("Otto is coming")
	v.Sees("As of ") // the answers are late
	close(release)
	v.Sees("Cancelled", "You were on the list · Anna")
}

// On a phone a bar leads back to the form, as long as there is one, and does not cover the end
// of the page.
func TestBarLeadsToTheForm(t *testing.T) {
	v := newVisitor(t, screens[0])
	event := announce(t, supper("description", strings.Repeat("Line\n\n", 60)))
	v.Open("/")
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}) // with motion
	follow(v, event.public())
	v.Sees("Are you coming?")
	const scroll = `void scrollTo(0, 2000)`
	eval[struct{}](v, scroll)
	v.Until("the bar", `document.querySelector('#bar')`)
	v.Check("the end of the text is above the bar", `(scrollTo(0, 1e6),
		document.querySelector('footer p').getBoundingClientRect().bottom <= document.querySelector('#bar').getBoundingClientRect().top)`)
	eval[struct{}](v, `document.querySelector('#bar button').click()`)
	v.Until("the focus on the name", `document.activeElement.id === 'name'`)
	v.Until("no bar", `!document.querySelector('#bar')`)
	eval[struct{}](v, scroll)
	v.Until("the bar again", `document.querySelector('#bar')`)
	cancel(t, event, "")
	comeBack(v)
	v.Until("neither form nor bar", `document.querySelector('#state') && !document.querySelector('#rsvp, #bar')`)
}
