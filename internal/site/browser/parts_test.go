package browser

import (
	"testing"

	"turnout/internal/site"
)

// TestGuestsDoNotLoadTheCodeOfOrganizers, who load it once.
func TestGuestsDoNotLoadTheCodeOfOrganizers(t *testing.T) {
	t.Parallel()
	e, v := announce(t, supper()), newVisitor(t, manner{})
	for _, visit := range []struct {
		path  string
		loads int
	}{{"/", 0}, {e.public(), 0}, {e.private(), 1}} {
		v.Open(visit.path)
		loads := eval[int](v, `performance.getEntriesByName(location.origin + %s).length`, site.Names()[site.Organize])
		if loads != visit.loads {
			t.Errorf("%s loads the code of organizers %d times, want %d", visit.path, loads, visit.loads)
		}
	}
}

// TestCodeOfOrganizersDoesNotLoad: the page says so, and tries again, as with an answer
// that does not come. A browser does not ask twice for a module.
func TestCodeOfOrganizersDoesNotLoad(t *testing.T) {
	t.Parallel()
	for name, reach := range map[string]func(v *visitor, e created){
		"by its link": func(v *visitor, e created) { v.Open(e.private()) },
		"from another page": func(v *visitor, e created) {
			v.Open("/")
			follow(v, e.private())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
			v.Block(site.Names()[site.Organize])
			reach(v, e)
			v.Sees("Can’t load this page")
			v.Click("Try again")
			v.Sees("Can’t load this page")
			v.Block()
			v.Click("Try again")
			v.Sees("Ada")
			v.Until("the organizer's page", `document.getElementById('dashboard')`)
		})
	}
}
