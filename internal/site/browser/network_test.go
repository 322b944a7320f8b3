package browser

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// visited holds the layout shifts of a visit (CLS), and the bytes until the page could be used and in total.
type visited struct {
	Moved     float64
	What      []string
	Used, All float64
}

// TestFirstVisitIsSmall: the bytes that a browser receives until the form can be sent, or the list can be used, are
// bounded. So are all bytes of the visit. Bytes are compressed as the turnout program does it, without headers. For
// home in German, the font and home's own files are not counted. Each bound has a kilobyte of room, so that one more
// text does not fail the test. make bench shows the growth.
func TestFirstVisitIsSmall(t *testing.T) {
	e := announce(t, supper(), "Ada", "Ben")
	for _, visit := range []struct {
		language, path, without string
		most, all               float64
	}{
		{"en-US", "/", "none", 54_700, 54_700},
		{"en-US", e.public(), "none", 54_200, 66_000},
		{"uk-UA", e.public(), "none", 65_800, 78_500},
		{"en-US", e.private(), "none", 59_300, 79_000},
		{"de-DE", "/", "woff2|home-", 27_000, 27_000},
	} {
		v := newVisitor(t, manner{Language: visit.language, Width: 390, Height: 844})
		v.Prepare(fn("noteShifts"))
		v.Prepare(fn("noteReady"))
		v.Open(visit.path)
		for _, last := range []string{"woff2", site.Names()[site.Home]} {
			unseen(v, fn("loaded", last)+`.length`)
		}
		got := on[visited](v, "visited", visit.without)
		t.Logf("%s %.3s: %+v", visit.language, visit.path, got)
		if got.Used < 20_000 || got.Used > visit.most || got.All > visit.all || got.Moved >= 0.02 {
			t.Errorf("a first visit in %s to %.3s takes %+v, and may take %.0f bytes, in total %.0f: move code that "+
				"it does not need to home's or organizers' bundle, shorten a text, or raise this bound and say why in "+
				"the commit",
				visit.language, visit.path, got, visit.most, visit.all)
		}
	}
	prose, err := os.ReadFile(filepath.Join("..", "src", "fonts", "OFL.txt")) // a sample of prose that does not change
	if err != nil {
		t.Fatal(err)
	}
	large := announce(t, supper("description", string([]rune(string(prose))[:2000])), crowd(100)...)
	v := newVisitor(t, manner{}, large.public())
	size := eval[int](v, `performance.getEntriesByType('navigation')[0].encodedBodySize`)
	if size < 5000 || size > 15_300 {
		t.Errorf("a page of 2,000 characters and 100 strokes has %d bytes", size)
	}
}

// TestFontWaitsForTheScript: on a first visit of home, the font takes no bandwidth from the script that draws the form.
func TestFontWaitsForTheScript(t *testing.T) {
	v, c, font := newVisitor(t, manner{}), connect(t), site.Names()["/fonts/onest-latin.woff2"]
	openWithoutScript(v.sitePage, c, "/")
	is(v, fn("timesLoaded", font), 0)
	c.way.Store(release())
	v.Click("Load the page again")
	v.Started()
	is(v, fn("timesLoaded", font), 1)
}

// TestTextsAreLoadedOnce: the texts are loaded once, before the script, in the language that the script chooses.
func TestTextsAreLoadedOnce(t *testing.T) {
	e := announce(t, supper())
	for _, reader := range []struct{ language, chosen, want string }{
		{"de-AT", "null", "de"},
		{"fi", "null", "en"},
		{"en-GB", `"ja"`, "ja"},
	} {
		for page, path := range map[string]string{site.Home: "/", site.Guests: e.public()} {
			v := newVisitor(t, manner{Language: reader.language})
			v.Prepare(fn("storeText", "turnout.language", reader.chosen))
			v.Open(path)
			want := []string{"link " + base + site.Names()[site.Texts(reader.want, page)]}
			is(v, fn("loadedTexts", "-"+filepath.Base(page)+"-"), want)
		}
	}
}

// openWithoutScript opens a page whose script does not load in time.
func openWithoutScript(p *sitePage, c *connection, path string) {
	p.Helper()
	p.expected = ".js"
	c.Except(`\.js$`, cut)
	p.do(func(ctx context.Context) error { return p.driver.Navigate(ctx, c.url+path) })
	on[struct{}](p, "finishAnimations")
	p.Offers("Load the page again")
}

// scriptFails is a flow for every engine. If the script fails, the form does not put a typed name into the URL, and the
// page offers to load again.
func scriptFails(p *sitePage, _ string) {
	e, c := announce(p.T, supper()), connect(p.T)
	openWithoutScript(p, c, e.public())
	p.Write("Your name", "Zoë")
	p.Press(kb.Enter)
	p.Idle()
	p.Holds("Your name", "Zoë")
	is(p, `location.href`, c.url+e.public())
	c.way.Store(release())
	p.Click("Load the page again")
	p.Started()
	p.SeesNot("too old")
	submit(p, "Zoë")
	p.Sees("You’re number 1")
	hasNames(p.T, e, "Zoë")
	p.Click("My own link")
	says(p.T, p.Copy("Copy my link"), base+e.public()+"#") // the server has put the origin into the page
}

// TestTooOldBrowser: a browser without structuredClone cannot run the script. It shows the page as without a script,
// and gives the reason before six seconds have passed.
func TestTooOldBrowser(t *testing.T) {
	v := newVisitor(t, manner{Language: "en-US"})
	v.expected = "Failed to load"
	v.Prepare(`delete self.structuredClone`)
	v.Block(site.Names()[site.Script])
	visit := func(path string) {
		v.do(func(ctx context.Context) error { return v.driver.Navigate(ctx, base+path) })
	}
	visit(announce(t, supper(), "Ben").public())
	v.Sees("1 is coming", "The browser may be too old.")
	v.SeesNot("This is taking a while", "Count me in", "Load the page again")
	visit("/")
	v.Sees("The browser may be too old.", "Vielleicht ist der Browser zu alt.")
}

// stylesAreForbidden is a flow for every engine. An older distribution may replace the policy of an event page with its
// own, which forbids the inline styles. Then the page loads the stylesheets.
func stylesAreForbidden(p *sitePage, _ string) {
	styled := fn("styleOf", ".poster", "backgroundColor") + ` !== 'rgba(0, 0, 0, 0)'`
	e, pass := announce(p.T, supper()), release()
	p.expected = "style" // browsers complain of style-src or of the element
	for policy, want := range map[string]int{"": 0, site.SecurityHeaders[0].Value: 1} {
		c := connect(p.T)
		c.way.Store(way(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			pass(answer, r)
			maps.Copy(w.Header(), answer.Header())
			if policy != "" {
				w.Header().Set("Content-Security-Policy", policy)
			}
			w.WriteHeader(answer.Code)
			_, _ = answer.Body.WriteTo(w)
		}))
		c.at(p, e.public())
		p.Until("styles", styled)
		p.Idle()
		for _, sheet := range site.Inline {
			is(p, fn("loaded", site.Names()[sheet])+`.length`, want)
		}
	}
}

// TestEnterBeforeTheScript: if the visitor presses Enter early, the name is sent once the script has loaded.
func TestEnterBeforeTheScript(t *testing.T) {
	e, c, v := announce(t, supper()), connect(t), newVisitor(t, manner{})
	pressed := make(chan struct{})
	c.Except(site.Names()[site.Script], func(w http.ResponseWriter, r *http.Request) {
		<-pressed
		release()(w, r)
	})
	on[struct{}](v, "goTo", c.url+e.public())
	v.Write("Your name", "Zoë & Max") // the two names are one guest, as the page could not ask
	v.Press(kb.Enter)
	v.Holds("Your name", "Zoë & Max")
	close(pressed)
	v.Sees("You’re number 1")
	hasNames(t, e, "Zoë & Max")
}

// TestPageIsReadWithoutScript: without JavaScript, an event page shows the event's details in each phase, and the same
// details as the script. Controls that need the script are not shown.
func TestPageIsReadWithoutScript(t *testing.T) {
	off := announce(t, supper(), "Ada")
	cancel(t, off, "Storm")
	stranded := announce(t, supper())
	move(t, stranded, off, "Storm")
	to := announce(t, days(0), "Ada")
	moved, renamed := announce(t, supper("location", "Weserstraße 1"), "Ada"), announce(t, supper("title", "Dinner"))
	move(t, moved, to, "Storm http://a.example/")
	move(t, renamed, to, "")
	const odd = "https://a.example/\x01%20%zz?ب=(1)'#ſ, https://b.example/`|^ and javascript:alert(1)"
	events := map[string]created{
		"coming":    announce(t, supper(), crowd(60)...),
		"started":   announce(t, days(0)),
		"running":   announce(t, lasting(20*time.Hour, 2*time.Hour)),
		"weekend":   announce(t, weekend()),
		"night":     announce(t, party()),
		"over":      announce(t, days(-1)),
		"ended":     announce(t, lasting(3*time.Hour, -time.Minute)),
		"closed":    announce(t, days(-8)),
		"cancelled": off,
		"stranded":  stranded,
		"moved":     moved,
		"renamed":   renamed,
		"links":     announce(t, supper("description", odd+" no lift!", "location", odd+" Weserstraße 12")),
	}
	for _, language := range []string{"en-US", "ar-EG"} { // the two directions
		plain, scripted := newVisitor(t, manner{Language: language}), newVisitor(t, manner{Language: language})
		l := locale.Of(language[:2])
		signUp, calendar := l.Text("server.signUp"), l.Text("event.calendar")
		alone := map[string][]string{
			"coming":  {signUp, calendar},
			"started": {signUp, calendar},
			"running": {signUp, calendar},
			"weekend": {signUp, calendar},
			"night":   {signUp, calendar},
			"links":   {signUp, calendar},
			"over":    {signUp},
			"ended":   {signUp},
			"moved":   {signUp + "\n\n" + l.Text("moved.see"), calendar},
		}
		call(plain, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		for name, e := range events {
			do(plain, chromedp.Navigate(base+e.public()))
			without := on[string](plain, "markup")
			parts := on[[]string](plain, "visibleTexts", "#rsvp, #after, .next, .late, noscript, .tools")
			same(plain, "what is there without a script", parts, append([]string{}, alone[name]...))
			scripted.Open(e.public())
			scripted.Until("what the script draws", `!document.querySelector('#panel .late')`)
			if with := on[string](scripted, "markup"); without != with {
				t.Errorf("%s: without the script\n%s\nwith it\n%s", name, without, with)
			}
			// Each image has a width even without the stylesheet.
			is(scripted, fn("isThere", "svg:not([width])"), false)
			says(t, without, "Rooftop supper<", "Weserstraße 12", "no lift!")
		}
	}
}

// TestServersWordsAreFinal: every page in the server's language shows the server's words for a date unchanged, even if
// the browser's words differ. A page in another language shows the browser's words.
func TestServersWordsAreFinal(t *testing.T) {
	v := newVisitor(t, manner{Language: "de-AT"})
	e := announce(t, supper("dateTime", "2098-01-15T19:30:00+01:00"))
	const words = "Mittwoch, 15. Januar 2098 um 19:30\u00a0Uhr"
	v.Open(e.public())
	v.Sees(words)
	v.Write("Dein Name", "Anna")
	v.Click("Ich bin dabei")
	v.Sees("1 kommt")
	v.Idle()
	v.Open("/")
	v.Sees(words)
	choose(v, "en")
	v.Sees("Wednesday, January 15, 2098 at 19:30")
}

// Only the organizer's page loads the organizers' bundle, once. If the bundle does not load, the page says so and tries
// again, as after a lost response. A browser does not try a failed module again.
func TestCodeOfOrganizers(t *testing.T) {
	e, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
	code := site.Names()[site.Organize]
	for n, path := range []string{"/", e.public(), e.private()} {
		v.Open(path)
		is(v, fn("timesLoaded", code), n/2)
	}
	for _, reach := range []steps{{open(e.private())}, {open("/"), follows(e.private())}} {
		v = newVisitor(t, manner{})
		v.Block(code)
		reach.reach(v)
		v.Sees("Can’t load this page")
		v.Click("Try again")
		v.Until("the page again", `!page.wasClicked()`)
		v.Sees("Can’t load this page")
		v.Block()
		v.Click("Try again")
		v.Sees("Ada")
		v.Until("the organizer's page", `document.getElementById('dashboard')`)
	}
}
