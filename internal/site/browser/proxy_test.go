package browser

import (
	"fmt"
	"net/http"
	"testing"

	"turnout/internal/site/locale"
)

// TestAbout: every page links to the operator's imprint, in its language. The browser follows the link, also to a page
// that a proxy adds at the site's own address. Package eventpage has the pages without a script.
func TestAbout(t *testing.T) {
	e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{Language: "de-DE"})
	pass := release(`<footer id="bottom"></footer>`, `<footer id="bottom" data-about="/imprint"></footer>`)
	c.way.Store(way(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/imprint" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>x</title><h1>Ada Lovelace, London</h1>`)
		} else {
			pass(w, r)
		}
	}))
	for _, path := range []string{"/", "/no/such/page", e.public(), e.private()} {
		c.at(v, path)
		v.Click(locale.Of("de").Text("site.about"))
		v.Sees("Ada Lovelace, London")
	}
	v.Open("/")
	v.SeesNot(locale.Of("de").Text("site.about"))
}
