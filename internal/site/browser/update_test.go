package browser

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/event"
	"turnout/internal/site"
)

// wrongs are the wrong responses that a proxy may send in place of a file. Browsers cache the response of forGood.
var wrongs = map[string]way{
	"cut": cut, "hang": hang, "fail": fail,
	"missing": func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) },
	"another page": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", forGood)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Welcome</title>"))
	},
	"a redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) },
	"a part": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", forGood)
		w.Header().Set("Content-Type", site.ContentTypes[path.Ext(r.URL.Path)])
		_, _ = w.Write([]byte("/* "))
	},
}

const forGood = "public, max-age=31536000, immutable"

// TestUpdateWithAWrongFile: one request for a file of a new release gets a wrong response, on a first visit or beside
// the former release's worker. Then "Load the page again" or the next page heals the device, and a waiting RSVP is sent
// once.
func TestUpdateWithAWrongFile(t *testing.T) {
	needBrowser(t)
	for n, name := range slices.Sorted(maps.Keys(wrongs)) {
		wrong := wrongs[name]
		// Files that are alike take turns, because each file costs a second of the machine's time.
		only, sheet := []string{site.Guests, site.Organize}[n%2], []string{site.Style, site.HomeStyle}[n%2]
		sources := []string{site.Script, site.Home, only, sheet, site.Texts("en", site.Home), site.Worker}
		t.Run(name, func(t *testing.T) {
			e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{})
			v.expected = cmp.Or(map[string]string{"a part": "SyntaxError"}[name], "MIME type")
			var names []string
			for i, source := range sources {
				newer := fmt.Sprintf("%016x", i+1)
				renamed := strings.NewReplacer(hash, newer).Replace
				served := renamed(cmp.Or(site.Names()[source], source))
				after := release(hash, newer)
				if i == 0 {
					do(v, chromedp.Navigate(c.url+"/robots.txt")) // the worker is not installed yet
				} else {
					unseen(v, `navigator.serviceWorker.controller`)
				}
				names = append(names, fmt.Sprint("Guest ", i))
				on[struct{}](v, "leaveRSVP", e.Content, event.NewToken().String(), names[i])
				met, once := make(chan struct{}), sync.Once{}
				network, end := context.WithCancel(t.Context())
				c.way.Store(way(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != served {
						after(w, r)
						return
					}
					once.Do(func() { close(met) })
					wrong(w, r.WithContext(network))
				}))
				on[struct{}](v, "goTo", c.url+"/")
				<-met
				end()
				c.way.Store(after)
				c.heal(v, "/")
				v.AllSent()
				unseen(v, fn("installsNothing")) // the install with the wrong file has failed
				c.at(v, "/")
				unseen(v, fn("keepsOneScript", renamed(site.Names()[site.Script])))
				unseen(v, fn("keepsWhatIsServed"))
			}
			hasNames(t, e, names...)
		})
	}
}

// heal opens a path. If the page has not started, heal clicks the link that the page offers.
func (c *connection) heal(v *visitor, path string) {
	v.Helper()
	do(v, chromedp.Navigate(c.url+path))
	for range 3 {
		v.Idle()
		var offered string
		for _, name := range []string{"Load the page again", "Try again"} {
			if eval[bool](v, `Boolean(`+fn("named", name)+`)`) {
				offered = name
			}
		}
		if offered == "" {
			v.Started()
			return
		}
		on[struct{}](v, "finishAnimations")
		eval[struct{}](v, `void (document.body.id = 'before')`)
		v.Click(offered)
		v.Until("another document", `document.body?.id === ''`)
	}
	v.Fatal("the page does not start")
}
