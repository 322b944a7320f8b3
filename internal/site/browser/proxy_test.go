package browser

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/site/locale"
)

// TestAbout: every page links to the operator's imprint, in the page's language. The browser follows the link, even to
// a page that a proxy adds under the site's own host. Package eventpage tests the pages without a script.
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

// TestPageOfAProxy: the site's worker leaves a page that a proxy adds to the proxy, even if the proxy fails.
func TestPageOfAProxy(t *testing.T) {
	c, v := connect(t), newVisitor(t, manner{})
	c.install(v, "/")
	c.Except("^/imprint$", fail)
	v.expected = "503"
	do(v, chromedp.Navigate(c.url+"/imprint"))
	v.Sees("Down for work.")
}

// TestLogin: if a proxy demands a login for an announcement, the page says so at once, and the organizer announces with
// the same draft after the login. A guest's RSVP is sent after the login.
func TestLogin(t *testing.T) {
	e := announce(t, supper())
	for name, login := range map[string]way{
		"status": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Who are you?", http.StatusUnauthorized) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.example/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, v := connect(t), newVisitor(t, manner{})
			c.at(v, "/")
			fill(v)
			c.Except("^/api/events", login)
			v.Click("Announce it")
			v.Sees("Load the page again and log in.")
			c.way.Store(release())
			v.Reload()
			v.Click("Announce it")
			v.Sees("Nobody yet")

			c.at(v, e.public())
			c.Except("^/api/events", login)
			submit(v, "Ada")
			v.Sees("No confirmation yet for Ada")
			c.way.Store(release())
			v.Reload()
			v.Sees("You’re in, ")
		})
	}
}
