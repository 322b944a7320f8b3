package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// days returns an event that many days from now.
func days(n int) fields {
	event := supper()
	event["dateTime"] = time.Now().AddDate(0, 0, n).UTC().Format(time.RFC3339)
	return event
}

func names(v *visitor) []string {
	v.Helper()
	return eval[[]string](v, `[...document.querySelectorAll('.guests .user')].map((name) => name.textContent)`)
}

// comeBack dispatches the event of a page that is visible again.
func comeBack(p interface{ page() *sitePage }) {
	eval[struct{}](p, `void document.dispatchEvent(new Event('visibilitychange'))`)
}

func TestNewGuestsAreMarked(t *testing.T) {
	t.Parallel()
	event, v := organizing(t, "Ada", "Ben")
	v.SeesNot("new")
	signUp(t, event, "Cleo")
	comeBack(v)
	v.Sees("3 are coming")
	v.Sees("1 new")
	signUp(t, event, "Dan")
	comeBack(v)
	v.Sees("2 new")
	if got := names(v); !slices.Equal(got, []string{"Dan", "Cleo", "Ben", "Ada"}) {
		t.Errorf("the list is %v", got)
	}
	signUp(t, event, "Eve")
	v.Reload()
	v.Sees("1 new")
	v.Reload()
	v.SeesNot("new")
}

// While the list is visible it is refreshed at intervals, and not otherwise.
func TestVisibleListIsRefreshed(t *testing.T) {
	t.Parallel()
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
	if got := eval[[]int](v, `[...timers.values()].map(({ wait }) => wait)`); !slices.Equal(got, []int{20_000}) {
		t.Fatalf("intervals of %v ms", got)
	}
	tick := func() {
		eval[struct{}](v, `void (() => { window.asked = 0; for (const { work } of timers.values()) work(); })()`)
	}
	signUp(t, event, "Ben")
	tick()
	v.Sees("2 are coming")
	v.Sees("1 new")
	eval[struct{}](v, `hide(true)`)
	signUp(t, event, "Cleo")
	tick()
	if asked := eval[int](v, `asked`); asked > 0 {
		t.Errorf("the hidden page asks %d times", asked)
	}
	eval[struct{}](v, `hide(false)`)
	comeBack(v)
	v.Sees("3 are coming")
	follow(v, "/")
	v.Sees("Who’s coming?")
	if left := eval[int](v, `timers.size`); left > 0 {
		t.Errorf("the next page has %d timers", left)
	}
}

// A long list comes in pages, which are followed to the last one.
func TestLongListIsFollowed(t *testing.T) {
	t.Parallel()
	event := announce(t, supper(), guests...)
	upstream, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{}, 10)
	forward := httputil.NewSingleHostReverseProxy(upstream)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/events/"+event.EventToken+"/attendees" {
			forward.ServeHTTP(w, r)
			return
		}
		first, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
		if first > 0 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		page := []fields{}
		for _, name := range guests[first:min(first+8, len(guests))] {
			page = append(page, fields{"name": name})
		}
		if first+8 < len(guests) {
			w.Header().Set("Link", fmt.Sprintf(`<?organizerToken=%s&cursor=%d>; rel="next"`, event.OrganizerToken, first+8))
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(fields{"attendees": page})
	}))
	t.Cleanup(proxy.Close)
	v := visitorAt(t, proxy.URL, manner{})
	do(v, chromedp.Navigate(proxy.URL+event.private()))
	v.Sees("Loading names: 8 of 20")
	release <- struct{}{}
	v.Sees("Loading names: 16 of 20")
	release <- struct{}{}
	v.Sees("20 are coming")
	v.Click("Show 12 more")
	if got := len(names(v)); got != len(guests) {
		t.Errorf("the list has %d names", got)
	}
}

// What can be undone for a while is sent when the page is left.
func TestWithdrawalIsSentWithThePage(t *testing.T) {
	t.Parallel()
	_, v := invited(t)
	come(v, "Anna")
	v.Click("Can’t make it: Anna")
	follow(v, "/")
	v.Until("Anna to be gone", `!`+shown+`.includes('Anna is coming')`)
}

func TestEventIsOver(t *testing.T) {
	t.Parallel()
	event := announce(t, days(-1))
	v := newVisitor(t, manner{})
	v.Open(event.public())
	v.Sees("It’s over")
	v.Sees("Were you there?")
	v.SeesNot("You’re invited")
	v.SeesNot("Are you coming?")
	v.Write("Your name", "Anna")
	v.Click("I was there")
	v.Sees("1 had signed up")

	v.Open(announce(t, days(-8)).private())
	v.Sees("This event is over")
	v.SeesNot("Share the link")
	v.SeesNot("Cancel the event")
}

func TestAnnounceAgain(t *testing.T) {
	t.Parallel()
	_, v := organizing(t)
	v.Click("Announce it again")
	v.Until("focus on the date", `document.activeElement.id === 'date'`)
	for label, want := range map[string]string{"What are you planning?": "Rooftop supper", "Date": "", "Time": "19:30", "Place": "Weserstraße 12, top floor, Berlin"} {
		if got := v.Value(label); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
}

// The home page of a device with saved events lists them first, with their current state.
func TestHomeListsSavedEvents(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Open("/")
	v.Sees("How it works")
	event := announce(t, supper(), "Ben")
	v.Open(event.private())
	keep(v)
	v.Open(event.public())
	come(v, "Anna")
	old := announce(t, past())
	v.Open(old.private())
	keep(v)
	v.Open("/")
	v.SeesNot("How it works")
	v.Sees("You’re organizing · Anna is coming")
	v.Sees("2 are coming")
	if got := eval[int](v, `document.querySelectorAll('.entries li').length`); got != 2 {
		t.Errorf("two events take %d rows", got)
	}
	v.SeesNot("Garden party")
	v.Click("1 past event")
	v.Sees("Garden party")
	cancel(t, event, "Rain")
	v.Reload()
	v.Sees("Cancelled")
}

// On a phone a bar leads back to the form, and does not cover the end of the page.
func TestBarLeadsToTheForm(t *testing.T) {
	t.Parallel()
	event := supper()
	event["description"] = strings.Repeat("Line\n\n", 60)
	v := newVisitor(t, screens[0])
	v.Open(announce(t, event).public())
	eval[struct{}](v, `void scrollTo(0, 2000)`)
	v.Until("the bar", `document.querySelector('#bar')`)
	if ends := eval[[]float64](v, `(scrollTo(0, 1e6), ['footer p', '#bar'].map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }, i) => (i ? top : bottom)))`); ends[0] > ends[1] {
		t.Errorf("the text ends at %.0f px, the bar begins at %.0f px", ends[0], ends[1])
	}
	v.Click("Count me in")
	v.Until("the focus on the name", `document.activeElement.id === 'name'`)
	v.Until("no bar", `!document.querySelector('#bar')`)
}

func TestBackRestoresTheScrollPosition(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, screens[1])
	v.Open("/")
	eval[struct{}](v, `new Promise((done) => { addEventListener('scrollend', () => setTimeout(done), { once: true }); scrollTo(0, 500); }).then(() => {})`)
	follow(v, "/nothing")
	v.Sees("There’s no page at this address.")
	do(v, chromedp.NavigateBack())
	v.Sees("Announce it")
	if got := eval[float64](v, `scrollY`); got != 500 {
		t.Errorf("back is at %.0f px", got)
	}
}
