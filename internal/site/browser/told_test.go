package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/network"

	"turnout/internal/httpapi/apitest"
)

func withdraw(t *testing.T, event created, rsvpToken string) {
	t.Helper()
	ask(t, apitest.CancelRSVP(event.EventToken, rsvpToken))
}

// Phones keep tabs for weeks, and nobody gets a message: a tab that is looked at again
// asks the service, and without an answer the days are counted anew.
func TestTabLearnsOfTheCancellation(t *testing.T) {
	event, v := organizing(t, "Ben")
	home, organizer := v.Tab(), v.Tab()
	home.Open("/")
	home.Sees("1 is coming")
	organizer.Open(event.private())
	v.Open(event.public())
	v.Write("Your name", "Anna")
	v.Unreachable(true)
	eval[struct{}](v, `void (Date.now = () => Date.parse('2099-12-11T12:00:00Z'))`)
	comeBack(v)
	v.Sees("tomorrow")
	v.Unreachable(false)
	cancel(t, event, "Rain")
	for _, tab := range []*visitor{v, home, organizer} {
		tab.SeesNot("ancelled")
	}
	eval[struct{}](v, `void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
	v.Sees("Rain")
	for _, tab := range []*visitor{home, organizer} {
		tab.Sees("ancelled") // what one tab learns of a saved event, all show
	}
}

// What was stored about an event goes with it: when it is removed from the list, when
// the service does not have it any more, and when it has expired.
func TestStorageForgetsTheEvent(t *testing.T) {
	const stored = `JSON.stringify({ ...localStorage })`
	for name, end := range map[string]func(v *visitor, event created){
		"removed": func(v *visitor, _ created) {
			v.Open("/")
			askToRemove(v, "Rooftop supper")
			v.Click("Keep it")
			v.Until("no dialog", `!document.querySelector('dialog')`)
			askToRemove(v, "Rooftop supper")
			v.Click("Remove")
			v.Sees("are listed here")
		},
		"missing": func(v *visitor, event created) {
			v.Open("/no/such/page") // which asks for no event
			instead(v, http.MethodGet, notFound)
			follow(v, event.public())
			v.Sees("No event here")
			follow(v, "/")
			v.Sees("Your events")
			follow(v, event.private())
			v.Sees("No event here")
		},
		"expired": func(v *visitor, _ created) {
			v.Prepare(driving + `.later(9 * 864e5)`)
			v.Open(announce(t, supper()).public()) // which is asked for the time
			unseen(v, `!`+stored+`.includes('Zenobia')`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			event := announce(t, days(1), "Zenobia")
			v := newVisitor(t, manner{})
			v.Open(event.public())
			v.Write("Your name", "Ariadne")
			v.Open(event.private())
			v.Click("Check guests in")
			v.Click("Zenobia")
			v.Sees("Checked in: 1 of 1")
			says(t, eval[string](v, stored), "Zenobia", "Ariadne")
			end(v, event)
			is(v, stored+`.match(/Zenobia|Ariadne/g) ?? []`, []string{})
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

// TestHomeIsSmall: all that home loads in English, compressed as everywhere, with its font.
func TestHomeIsSmall(t *testing.T) {
	const least, most = 30_000, 60_000
	v := newVisitor(t, screens[0])
	v.Open("/")
	v.Until("the fonts", `document.fonts.status === 'loaded'`)
	sum := eval[int](v, `performance.getEntries().reduce((sum, { encodedBodySize }) => sum + (encodedBodySize ?? 0), 0)`)
	if sum > most {
		t.Errorf("home takes %d bytes, and may take %d: make it smaller, or raise the limit and say why", sum, most)
	}
	if sum < least {
		t.Errorf("home takes %d bytes, less than %d: something was not loaded", sum, least)
	}
}
