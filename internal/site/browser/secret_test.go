package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"turnout/internal/httpapi/apitest"
)

// The address of an organizer's page, which may be copied.
func (c created) organize() string { return c.public() + "#organize" }

const savedSecrets = `(JSON.parse(localStorage.getItem('turnout.mine'))?.events ?? []).map(({ organizerToken }) => organizerToken)`

// privateLinkIsOpened is a flow in each engine: the secret leaves the address, and neither a
// link of a page nor an address that is pushed has it.
func privateLinkIsOpened(p *sitePage, _ string) {
	event := announce(p.T, supper(), "Ada")
	see := func(path, text string) {
		p.Helper()
		p.Sees(text)
		p.Until("the page", started)
		if got := p.Path(); got != path {
			p.Errorf("the page that says %q is at %s", text, got)
		}
		addresses := eval[[]string](p, `(() => {
			if (!window.pushed) {
				window.pushed = [];
				const { pushState } = history;
				history.pushState = (state, title, url) => { pushed.push(url); pushState.call(history, state, title, url); };
			}
			return [...pushed, ...[...document.querySelectorAll('[href], [src], [action]')].map((e) => e.outerHTML)];
		})()`)
		if i := slices.IndexFunc(addresses, func(address string) bool { return strings.Contains(address, event.OrganizerToken) }); i >= 0 {
			p.Errorf("at %s there is %s", path, addresses[i])
		}
	}
	p.Open("/")
	p.Open(event.private())
	see(event.organize(), "1 is coming")
	p.Reload()
	see(event.organize(), "Ada")
	p.Click("See what your guests see")
	p.Click("You’re organizing this event: guest list and links")
	see(event.organize(), "Ada")
	p.Pick("Language", "de")
	see(event.organize(), "1 kommt")
	p.Pick("Sprache", "en")
	p.Sees("1 is coming")
	p.Open("/")
	p.Click("Rooftop supper")
	see(event.organize(), "Ada")
	p.Click("See what your guests see")
	see(event.public(), "Are you coming?")
	for _, step := range []struct{ move, path, text string }{
		{"back", event.organize(), "Ada"}, {"back", "/", "You’re organizing"}, {"forward", event.organize(), "Ada"},
		{"forward", event.public(), "Are you coming?"}, {"back", event.organize(), "Ada"},
	} {
		eval[struct{}](p, `void history.`+step.move+`()`)
		see(step.path, step.text)
	}
	p.Open(event.private())
	if got := eval[[]string](p, savedSecrets); !slices.Equal(got, []string{event.OrganizerToken}) {
		p.Errorf("opened twice, the link is saved as %v", got)
	}
	eval[struct{}](p, `localStorage.clear()`)
	p.Reload()
	p.Click("Cancel the event")
	p.Click("Cancel this event…")
	p.Click("Cancel the event")
	p.Sees("This event is cancelled")
	if !ask(p.T, apitest.GetEvent(event.EventToken)).Cancelled {
		p.Error("it is not cancelled")
	}
}

// The only copy of a secret is never taken out of the address.
func TestSecretIsKeptBeforeItLeavesTheAddress(t *testing.T) {
	t.Parallel()
	const unsaved = "This browser doesn’t keep anything"
	const full = `Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };`
	const stranger = "00000000-0000-4000-8000-000000000000"
	for name, c := range map[string]struct {
		before, secret, after string
		path                  func(created) string
		says                  string
		saved                 []string
	}{
		"saved":             {path: created.organize, says: "Ada", saved: []string{"own"}},
		"full":              {before: full, path: created.private, says: unsaved},
		"reads another":     {before: `Storage.prototype.setItem = () => {};`, path: created.private, says: unsaved},
		"blocked":           {before: `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });`, path: created.private, says: unsaved},
		"full later":        {after: `localStorage.clear();` + full, path: created.organize, says: "Ada"},
		"replaces a wrong":  {before: `localStorage['turnout.mine'] ??= JSON.stringify({ events: [{ ...%s, organizerToken: '` + stranger + `' }], rsvps: [] });`, path: created.organize, says: "Ada", saved: []string{"own"}},
		"refused":           {secret: stranger, path: func(c created) string { return c.public() + "#organizer=" + stranger }, says: "doesn’t belong to this event"},
		"refused, is saved": {secret: stranger, before: `localStorage['turnout.mine'] ??= JSON.stringify({ events: [%s], rsvps: [] });`, path: func(c created) string { return c.public() + "#organizer=" + stranger }, says: "doesn’t belong to this event", saved: []string{"own"}},
	} {
		t.Run(name, func(t *testing.T) {
			event := announce(t, supper(), "Ada")
			v := newVisitor(t, manner{})
			v.Prepare(strings.ReplaceAll(c.before, "%s", quoted("%s", []any{fields{
				"eventToken": event.EventToken, "organizerToken": event.OrganizerToken, "title": "Supper", "dateTime": event.DateTime, "timezone": "Europe/Berlin",
			}})))
			link := event.private()
			if c.secret != "" {
				link = event.public() + "#organizer=" + c.secret
			}
			v.Open(link)
			for _, again := range []bool{false, true} {
				if again && c.after != "" {
					eval[struct{}](v, `void (() => {`+c.after+`})()`)
					v.Prepare(full)
				}
				if again {
					v.Reload()
				}
				v.Sees(c.says)
				if got := v.Path(); got != c.path(event) {
					t.Errorf("after a reload %t, it is at %s", again, got)
				}
			}
			if name == "blocked" {
				return
			}
			if got := strings.ReplaceAll(strings.Join(eval[[]string](v, savedSecrets), " "), event.OrganizerToken, "own"); got != strings.Join(c.saved, " ") {
				t.Errorf("saved is %q", got)
			}
		})
	}
}

// Without a storage, the secret of an event that was just announced is in the history.
func TestAnnouncedWithoutStorage(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	v.Prepare(`Storage.prototype.setItem = () => { throw new Error('full'); };`)
	v.Open("/")
	fill(v)
	v.Click("Announce it")
	v.Sees("Now spread the word")
	v.Sees("This browser doesn’t keep anything")
	v.Reload()
	v.Sees("Now spread the word")
	if path := v.Path(); !strings.HasSuffix(path, "#organize") {
		t.Errorf("it is at %s", path)
	}
	v.Click("See what your guests see")
	v.Sees("Are you coming?")
	do(v, chromedp.NavigateBack())
	v.Sees("Now spread the word")
}

// The private link is to be kept elsewhere, too, until it was; once.
func TestPrivateLinkIsToBeKeptElsewhere(t *testing.T) {
	t.Parallel()
	const plea, done = "Keep your private link somewhere else, too", "If this browser forgets the link"
	for name, keep := range map[string]func(v *visitor){
		"copied":     func(v *visitor) { v.Grant(); v.Copy("Copy private link") },
		"downloaded": func(v *visitor) { v.Download("Download both links") },
		"sent": func(v *visitor) {
			eval[struct{}](v, `void (navigator.share = () => Promise.reject(new DOMException('', 'AbortError')))`)
			v.Click("Send it to yourself")
			v.Idle()
			v.SeesNot(done)
			eval[struct{}](v, `void (navigator.share = async ({ url }) => { window.sent = url; })`)
			v.Click("Send it to yourself")
			v.Until("the link", `window.sent?.includes('#organizer=')`)
		},
		"exported": func(v *visitor) {
			follow(v, "/")
			v.Download("Export the list")
			do(v, chromedp.NavigateBack())
			v.Sees("Ada")
		},
	} {
		t.Run(name, func(t *testing.T) {
			event, v := announce(t, supper(), "Ada"), newVisitor(t, manner{})
			v.Prepare(`navigator.share ??= () => {};`) // Chromium shares on phones only
			v.Open(event.private())
			v.Sees(plea)
			v.Reload()
			v.Sees(plea)
			keep(v)
			if name != "exported" {
				v.Sees(done)
			}
			v.Reload()
			v.Sees("Ada")
			v.SeesNot(plea)
			v.SeesNot(done)
			v.Open("/")
			askToRemove(v, "Rooftop supper")
			v.Click("Remove")
			v.Sees("are listed here")
			do(v, chromedp.NavigateBack())
			v.Sees(plea)
			v.Click("Your private link")
			v.Click("Remember on this device")
			v.Sees("Saved.")
		})
	}
}

// The page that the server sends is for guests. Where the organizer's is to come, its form is
// never painted: here the script never runs.
func TestGuestsPageIsNotPaintedForTheOrganizer(t *testing.T) {
	t.Parallel()
	event, v := organizing(t, "Ada")
	other := announce(t, supper())
	for _, c := range []struct {
		path  string
		guest bool
	}{
		{event.public(), true}, {event.organize(), false}, {event.private(), false}, {other.organize(), true}, {other.private(), false},
		{strings.ToUpper(event.public()[3:]), false},
	} {
		path := c.path
		if !strings.HasPrefix(path, "/") {
			path = "/e/" + path + "#organize"
		}
		v.Block("/assets/*.js")
		do(v, chromedp.Navigate("about:blank"), chromedp.Navigate(base+path))
		if got := eval[[]bool](v, `['#rsvp', '.about', 'h1'].map((part) => document.querySelector(part).checkVisibility({ visibilityProperty: true }))`); !slices.Equal(got, []bool{c.guest, c.guest, true}) {
			t.Errorf("%s: the form, what follows and the title are shown: %v", path, got)
		}
		eval[chromedp.Void](v, `void document.getAnimations().forEach((animation) => animation.finish())`)
		v.Until("a way on", named, "Load the page again")
		v.Block()
	}
}
