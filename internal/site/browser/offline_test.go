package browser

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

// A connection is a proxy between a visitor and the server. It has a host name of its own, because the site installs no
// service worker at the names of this machine. Browsers trust *.localhost as they trust HTTPS.
type connection struct {
	url string
	way atomic.Value
}

// A way responds to a request, or lets the request fail.
type way func(w http.ResponseWriter, r *http.Request)

func connect(t *testing.T) *connection {
	t.Helper()
	needBrowser(t)
	c := &connection{}
	c.way.Store(release())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(t.Context())
		c.way.Load().(way)(w, r)
	}))
	t.Cleanup(server.Close)
	c.url = strings.Replace(server.URL, "127.0.0.1", "turnout.localhost", 1)
	return c
}

// Except handles requests with other if their path matches a pattern, and passes all other requests on.
func (c *connection) Except(pattern string, other way) {
	pass, matches := release(), regexp.MustCompile(pattern).MatchString
	c.way.Store(way(func(w http.ResponseWriter, r *http.Request) {
		if matches(r.URL.Path) {
			other(w, r)
		} else {
			pass(w, r)
		}
	}))
}

// cut closes a connection without a response, hang never responds, and fail responds with a proxy's error.
func cut(http.ResponseWriter, *http.Request)      { panic(http.ErrAbortHandler) }
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
func fail(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "Down for work.", http.StatusServiceUnavailable)
}

// release passes requests on. In responses it replaces the first text of each pair with the second.
func release(pairs ...string) way {
	target, err := url.Parse(base)
	if err != nil {
		panic(err)
	}
	var back []string
	for i := 0; i < len(pairs); i += 2 {
		back = append(back, pairs[i+1], pairs[i])
	}
	there, here := strings.NewReplacer(back...), strings.NewReplacer(append(pairs, digestsIn(pairs)...)...)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.URL.Path = there.Replace(r.In.URL.Path)
			for _, header := range []string{"Accept-Encoding", "If-None-Match"} {
				r.Out.Header.Del(header)
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if strings.HasPrefix(r.Header.Get("Content-Type"), "font/") {
				return nil
			}
			// Browsers may keep an event page for a minute. Act as if this minute had passed.
			r.Header.Set("Cache-Control", strings.Replace(r.Header.Get("Cache-Control"), "max-age=60", "max-age=0", 1))
			content, err := io.ReadAll(r.Body)
			content = []byte(here.Replace(string(content)))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(content)), int64(len(content))
			r.Header.Del("Content-Length")
			return err
		},
	}
	return proxy.ServeHTTP
}

// digestsIn returns pairs of digests, in the worker's form. Each pair has a file's digest, and its digest after pairs
// have changed the file.
func digestsIn(pairs []string) (digests []string) {
	files, err := bundle.Files(site.Config{})
	if err != nil {
		panic(err)
	}
	here := strings.NewReplacer(pairs...)
	for _, file := range files {
		if content := here.Replace(string(file.Content)); content != string(file.Content) {
			digests = append(digests, bundle.Digest(file.Content), bundle.Digest([]byte(content)))
		}
	}
	return digests
}

// hash is in the names of this release's bundles and texts, and next is the same for another release.
var hash, next = regexp.MustCompile(`[0-9a-f]{16}`).FindString(site.Names()[site.Script]), "0123456789abcdef"

// at opens a path through the connection.
func (c *connection) at(v interface{ page() *sitePage }, path string) {
	p := v.page()
	p.Helper()
	p.do(func(ctx context.Context) error { return p.driver.Navigate(ctx, c.url+path) })
	p.Started()
}

// install opens a path, and waits until the service worker has cached its files and controls the page.
func (c *connection) install(v interface{ page() *sitePage }, path string) {
	v.page().Helper()
	c.at(v, path)
	unseen(v, `navigator.serviceWorker.controller`)
}

// TestWorkerKeepsTheRelease: the worker keeps the files of a release. It keeps no response of the API, no event page
// and no URL with a query.
func TestWorkerKeepsTheRelease(t *testing.T) {
	e, c := announce(t, supper()), connect(t)
	v := newVisitor(t, manner{Language: "uk-UA"})
	v.Prepare(fn("storeText", "turnout.language", `"ja"`)) // the language was chosen before the worker was installed
	c.install(v, "/")
	unseen(v, fn("keeps", site.Names()[site.Texts("ja", site.Home)]))
	for _, path := range []string{"/robots.txt", site.Names()[site.Texts("pl", site.Home)] + "?x"} {
		on[struct{}](v, "fetchFile", path)
	}
	for _, path := range []string{"/?new", e.public(), e.private(), "/no/such/page", "/"} {
		c.at(v, path)
	}
	names, want := site.Names(), []string{"/"}
	for _, source := range slices.Concat([]string{site.Script}, site.Pages, site.Sheets) {
		want = append(want, names[source])
	}
	for _, page := range site.Pages {
		want = append(want, names[site.Texts("en", page)], names[site.Texts("ja", page)])
	}
	slices.Sort(want)
	isFont := func(path string) bool { return strings.HasPrefix(path, "/assets/onest-") }
	unseen(v, fn("keeps", names["/fonts/onest-latin.woff2"]))
	same(v, "what else is kept", slices.DeleteFunc(on[[]string](v, "kept"), isFont), want)
	v = newVisitor(t, manner{}) // browsers refuse the worker without a console message
	v.Prepare(fn("refuseWorkers"))
	c.at(v, "/")
	v.Until("the attempt", fn("refusedWorker"))
}

// TestWorkerShowsThePageWithoutAnAnswer: the worker shows the cached page if no response comes, if the response is
// late, or if the server fails or refuses the visitor because of too many requests.
func TestWorkerShowsThePageWithoutAnAnswer(t *testing.T) {
	c, v := connect(t), newVisitor(t, manner{})
	c.install(v, "/")
	throttle := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, throttled.body, http.StatusTooManyRequests)
	}
	for name, way := range map[string]way{"cut": cut, "hang": hang, "fail": fail, "throttle": throttle} {
		c.way.Store(way)
		c.at(v, "/?new&"+name) // requests for one URL wait for each other
		unseen(v, `document.getElementById('announce')`)
		unseen(v, `document.fonts.check('1em Onest')`)
	}
	c.way.Store(way(cut))
	if err := chromedp.Do(v.Context, chromedp.Navigate(c.url+"/robots.txt")); err == nil {
		t.Error("a file that is not kept is answered")
	}
}

// savedOffline is a flow for every engine. Without a response, saved events are shown with their last known details and
// the time of these details. Names of guests are not stored, so they are not shown. Once there is a response, the page
// shows it.
func savedOffline(p *sitePage, _ string) {
	e, other, c := announce(p.T, days(3), "Ada"), announce(p.T, supper()), connect(p.T)
	c.install(p, e.private()) // WebKit needs the install to end before the page is left
	p.Sees("Ada")
	c.at(p, e.public())
	submit(p, "Anna")
	p.Sees("You’re number 2")
	signUp(p.T, e, "Cleo")
	copies := eval[string](p, `JSON.stringify(`+fn("storedUnder", "event.")+`)`)
	says(p.T, copies, "Rooftop supper")
	if strings.Contains(copies, "Ada") {
		p.Errorf("a copy has a name: %s", copies)
	}
	for path, text := range map[string]string{
		"/":          "You’re organizing",
		e.public():   "You’re in, ",
		e.organize(): "guest list shows once",
	} {
		c.way.Store(release())
		c.at(p, "/no/such/page")
		c.way.Store(way(fail))
		follow(p, path)
		for _, text := range []string{"As of ", "2 are coming", text} {
			p.Sees(text)
		}
		p.SeesNot("Ada", "Cleo")
		if eval[bool](p, `Boolean(navigator.serviceWorker)`) {
			c.way.Store(way(cut))
			p.Reload()
			p.Sees("As of ")
		}
	}
	follow(p, e.public())
	p.Sees("As of ")
	p.Idle() // wait until the page's own request has failed
	c.way.Store(release())
	p.Click("Try again")
	p.Sees("3 are coming")
	p.SeesNot("As of")
	follow(p, e.public()+"#organize")
	p.Sees("Cleo")
	follow(p, other.public())
	p.Sees("Be the first")
	c.at(p, "/")
	c.way.Store(way(cut))
	for _, path := range []string{other.public(), e.public() + "#organizer=00000000-0000-4000-8000-000000000000"} {
		follow(p, "/")
		p.Sees("Your events")
		follow(p, path)
		p.Sees("Can’t load this page") // this device has no copy for this visitor
	}
	c.way.Store(way(hang))
	eval[struct{}](p, later(20*time.Second))
	follow(p, e.public())
	p.Sees("As of ")
}

// TestAsOf: details of today have the time, older details have the day. Expired events are deleted once a response says
// the time.
func TestAsOf(t *testing.T) {
	e, other, c, v := announce(t, days(3)), announce(t, supper()), connect(t), newVisitor(t, manner{Zone: "UTC"})
	c.install(v, e.private())
	unseen(v, fn("countStored", "event."))
	c.way.Store(way(cut))
	for n, want := range []string{
		`As of \d+:\d\d ·`,
		`As of \w+, \d+ \w+ \d{4}, \d+:\d\d ·`,
		`Can’t load this page`,
	} {
		if n > 0 {
			v.Prepare(later(6 * day))
		}
		if n == 2 {
			c.way.Store(release())
			c.at(v, other.public())
			unseen(v, fn("countStored", "event.")+` === 0`)
			c.way.Store(way(cut))
		}
		c.at(v, e.public())
		v.Until(want, fn("matches", want))
	}
}

// TestOldHTMLDoesNotSetTheClock: without the service, HTML from the browser's cache says no more than that it is not
// earlier. The event of this page is tomorrow, by the device's clock.
func TestOldHTMLDoesNotSetTheClock(t *testing.T) {
	e, c, v := announce(t, days(3)), connect(t), newVisitor(t, manner{})
	c.Except("^/api/", cut)
	v.Prepare(later(2 * day))
	c.at(v, e.public())
	v.Sees("As of ", "tomorrow")
}

// TestWorkerWaitsForItsRelease: between two uploads the server's page belongs to another release than the worker's
// file, and the worker is not installed. A later visit installs the worker.
func TestWorkerWaitsForItsRelease(t *testing.T) {
	c, v, after := connect(t), newVisitor(t, manner{}), release(hash, next)
	c.Except("^"+site.Worker+"$|"+next, after)
	v.Prepare(fn("noteInstall"))
	c.at(v, "/")
	unseen(v, fn("installState")+` === 'redundant'`)
	c.way.Store(after)
	c.install(v, "/")
}

// TestReleaseKeepsThePagesLanguage: when a new worker takes over a page, the page keeps its language, even if another
// tab has chosen a different one.
func TestReleaseKeepsThePagesLanguage(t *testing.T) {
	c, v := connect(t), newVisitor(t, manner{Language: "en-US"})
	c.install(v, "/")
	on[struct{}](v, "noteClaim")
	other := v.Tab()
	c.at(other, "/")
	other.Pick("Language", "fr")
	other.Until("the choice", `document.documentElement.lang === 'fr'`)
	c.way.Store(release(hash, next))
	c.at(other, "/")
	unseen(v, fn("isClaimed"))
	v.Idle()
	is(v, `document.documentElement.lang`, "en")
}

// TestReleaseAfterTheWorker: a release replaces the former release's worker with all its cached files. A release
// without a service worker unregisters the old worker.
func TestReleaseAfterTheWorker(t *testing.T) {
	needBrowser(t)
	without := release(
		hash, next, "navigator.serviceWorker.register", "navigator.noWorker.register", "/missing.js", site.Worker,
	)
	for name, after := range map[string]struct {
		release   way
		condition string // condition that holds at the end
	}{
		"with one":    {release(hash, next), `!(await ` + fn("keeps", hash) + `)`},
		"without one": {without, fn("isWithoutWorker")},
	} {
		t.Run(name, func(t *testing.T) {
			c, v := connect(t), newVisitor(t, manner{})
			c.install(v, "/")
			c.way.Store(after.release)
			c.at(v, "/")
			unseen(v, after.condition)
			c.way.Store(way(cut))
			err := chromedp.Do(v.Context, chromedp.Navigate(c.url+"/"))
			script := eval[string](v, `document.querySelector('script[type=module]')?.src ?? ''`)
			kept := name == "with one"
			if strings.Contains(script, next) != kept || (err == nil) != kept {
				t.Errorf("without a connection the script is %q, %v", script, err)
			}
		})
	}
}
