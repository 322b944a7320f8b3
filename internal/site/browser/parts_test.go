package browser

import (
	"testing"

	"turnout/internal/site"
)

// The code of organizers is loaded once, on their page only. Where it does not load, the page
// says so, and tries again, as with an answer that does not come. A browser does not ask twice
// for a module.
func TestCodeOfOrganizers(t *testing.T) {
	e, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
	code := site.Names()[site.Organize]
	loads := func(want int) {
		t.Helper()
		is(v, `performance.getEntriesByName(location.origin + %s).length`, want, code)
	}
	for _, from := range []string{"/", e.public()} {
		v.Open(from)
		loads(0)
	}
	v.Open(e.private())
	loads(1)
	for _, reach := range []steps{{open(e.private())}, {open("/"), follows(e.private())}} {
		v = newVisitor(t, manner{})
		v.Block(code)
		reach.reach(v)
		v.Sees("Can’t load this page")
		v.Click("Try again")
		v.Sees("Can’t load this page")
		v.Block()
		v.Click("Try again")
		v.Sees("Ada")
		v.Until("the organizer's page", `document.getElementById('dashboard')`)
	}
}
