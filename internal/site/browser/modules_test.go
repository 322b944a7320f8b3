package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"go.yaml.in/yaml/v3"

	"turnout/infra/validate/templatetest"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/locale"
)

// TestWorkerIsInstalledElsewhere: not at the names of this machine. The one policy for trusted types lets
// no other address pass, and its name is the one that the Content-Security-Policy allows.
func TestWorkerIsInstalledElsewhere(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	is(v, `import('/lib/offline.js').then(({ localHosts }) => localHosts.includes(new URL('http://[::1]:3000').hostname))`, true)
	for host, installed := range map[string]bool{"localhost": false, "127.0.0.1": false, "turnout.localhost": true} {
		do(v, chromedp.Navigate("http://"+host+":"+eval[string](v, `location.port`)+"/robots.txt"))
		want := []string{}
		if installed {
			want = []string{"worker", site.Worker, site.Worker, "refused", "refused", "refused"}
		}
		is(v, `import('/lib/offline.js').then(({ installWorker }) => {
			const found = [];
			let policy;
			trustedTypes.createPolicy = (name, rules) => (found.push(name), policy = rules);
			navigator.serviceWorker.register = (address) => found.push(address);
			installWorker(() => {});
			dispatchEvent(new Event('load'));
			for (const address of policy ? %s : []) {
				try { found.push(policy.createScriptURL(address)); } catch { found.push('refused'); }
			}
			return found;
		})`, want, []string{site.Worker, "/other.js", "https://evil.example/worker.js", ""})
	}
}

// TestModulesMatchTheServer: the same addresses in a text are links, and a title has the same colour as in
// the picture, whatever its letters are; there are as many of each colour.
func TestModulesMatchTheServer(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	content, err := os.ReadFile("../eventpage/testdata/links.json")
	var vectors struct{ Links map[string]string }
	v.Must(errors.Join(err, json.Unmarshal(content, &vectors)))
	links := eval[map[string]string](v, `import('/lib/linkify.js').then((m) =>
		Object.fromEntries(Object.keys(%s).map((text) => [text, m.split(text).join('|')])))`, vectors.Links)
	same(v, "links", links, vectors.Links)

	titles := []string{
		"", "P", "Picnic", "picnic", "Picnic ", "Café", "Cafe\u0301", "花見 2027", "عيد ميلاد سعيد", "🎉", "👩‍👩‍👧‍👦 & 🏳️‍🌈",
		"\U0010ffff\ufffd", "\x00\ufeff\u2028\u202e", "a\u0300\u0301\u0302", strings.Repeat("W", 200), strings.Repeat("\U0010ffff", 200),
	}
	for n := range 400 {
		titles = append(titles, fmt.Sprint("Book club ", n))
	}
	var count [len(site.Colours)]int
	for i, got := range eval[[]int](v, `import('/lib/head.js').then((m) => %s.map(m.colourOf))`, titles) {
		same(v, "the colour of "+titles[i], got, site.ColourOf(titles[i]))
		count[got]++
	}
	for colour, n := range count {
		if n < 40 {
			t.Errorf("%d of %d titles have the colour %d", n, len(titles), colour)
		}
	}
	is(v, `import('/lib/text.js').then((m) => m.characters('a🎉'))`, 2)
}

// TestImportNamesTheLine: a list from a file is valid as a whole or not at all. The line of the first mistake is that of
// the member, or of the entry that lacks it, where the lines are those of an exported file.
func TestImportNamesTheLine(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	const token = "'00000000-0000-4000-8000-000000000000'"
	entry := func(change string) string {
		return "{events: [], rsvps: [{eventToken: " + token + ", rsvpToken: " + token + ", name: 'A', title: 'T', dateTime: '2099-01-01T00:00:00Z', timezone: 'UTC', " + change + "}]}"
	}
	const valid = -1
	for data, want := range map[string]int{
		"[]": 0, "{events: []}": 0, "{events: [7], rsvps: []}": 3, entry(""): valid,
		entry("eventToken: 'x'"): 5, entry("name: 7"): 7, entry("name: undefined"): 4, entry("dateTime: 'yester'"): 9,
		entry("dateTime: '+010000-01-01T00:00:00Z'"): 9, entry("dateTime: '-000001-01-01T00:00:00Z'"): 9,
		entry("timezone: 'Nowhere/Else', more: 1"): valid, strings.Replace(entry("organizerToken: "+token+", before: 'two'"), "events: [], rsvps", "rsvps: [], events", 1): 12,
	} {
		is(v, `import('/lib/import.js').then(({ readSaved, NoList }) => [`+data+`].flatMap((list) => [2, 0].map((indent) => {
			try { readSaved(JSON.stringify(list, null, indent)); return -1; } catch (error) { return error instanceof NoList && error.line; }
		})))`, []int{want, min(want, 0)})
	}
	is(v, `import('/lib/import.js').then(({ readSaved }) => { try { readSaved('no JSON'); } catch ({ line }) { return line; } })`, 0)
}

// TestHowGuestsStand: a guest is a saved RSVP, an item of the outbox, or both. Who leaves is not counted, unless the answer
// is missing: the service may have counted it.
func TestHowGuestsStand(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	is(v, `import('/lib/guests.js').then(({ guestsHere, walkInsHere, counted }) => {
		const token = (n) => '00000000-0000-4000-8000-' + String(n).padStart(12, '0');
		const listed = { eventToken: token(0), title: 'Picnic', dateTime: '2099-05-01T15:00:00Z', timezone: 'UTC' };
		const retry = { kind: 'lost', status: 0, count: 1, from: 0, until: 0 };
		const refused = { kind: 'answer', status: 409, code: 'event-cancelled', fieldErrors: [] };
		const due = Date.now() + 6000;
		let n = 0;
		const put = (name, rsvp, item) => {
			const id = token(++n);
			const put = (key, value) => localStorage.setItem('turnout.' + key, JSON.stringify({ ...listed, name, at: n, ...value }));
			if (rsvp) put('rsvp.' + listed.eventToken + '.' + id, { rsvpToken: id, ...rsvp });
			if (item) put('outbox.' + id, { id, ...item });
		};
		put('in', {});
		put('linked', { byLink: true });
		put('gone', { gone: true });
		put('sending', null, { kind: 'rsvp' });
		put('late', null, { kind: 'rsvp', retry });
		put('refused', null, { kind: 'rsvp', refused });
		put('leaving', {}, { kind: 'withdraw', due });
		put('withdrawing', {}, { kind: 'withdraw' });
		put('withdrawing', {}, { kind: 'withdraw', retry });
		put('in', {}, { kind: 'withdraw', refused });
		put('withdrawing', null, { kind: 'withdraw' });
		put('', null, { kind: 'rsvp', unwanted: true, hidden: true });
		put('in', { nth: 1 });
		const guests = guestsHere(listed.eventToken);
		return [
			guests.length,
			guests.filter(({ name, stands }) => name !== stands).map(({ name, stands }) => name + ' is ' + stands),
			walkInsHere(listed.eventToken).length,
			counted({ attendeeCount: 9 }, guests).attendeeCount,
			counted({ attendeeCount: 1 }, guests).attendeeCount,
		];
	})`, []any{11.0, []any{}, 1.0, 6.0, 0.0})
}

// TestCheckInIsAtHand: from six hours before the start until the event is over.
func TestCheckInIsAtHand(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	for age, want := range map[time.Duration]bool{
		-6*time.Hour - time.Millisecond: false, -6 * time.Hour: true, 0: true,
		12 * time.Hour: true, 12*time.Hour + time.Millisecond: false, 8 * 24 * time.Hour: false,
	} {
		is(v, `import('/lib/event.js').then((m) => {
			const dateTime = '2027-05-01T19:30:00+02:00';
			Date.now = () => Date.parse(dateTime) + %s;
			return [false, true].map((cancelled) => m.isCheckInTime({ dateTime, cancelled }));
		})`, []bool{want, false}, age.Milliseconds())
	}
}

// TestPatternsAreThoseOfJavaScript: those of the API's description, with the flag u and without it.
func TestPatternsAreThoseOfJavaScript(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	content, err := os.ReadFile("../../../infra/openapi.yaml")
	v.Must(err)
	var patterns []string
	for _, match := range regexp.MustCompile(`(?m)^ *pattern: (.+)$`).FindAllSubmatch(content, -1) {
		var pattern string
		v.Must(yaml.Unmarshal(match[1], &pattern))
		patterns = append(patterns, pattern)
	}
	is(v, `%s.map((pattern) => new RegExp(pattern) && new RegExp(pattern, 'u')).length > 0`, true, patterns)
}

// edge runs a function of CloudFront, and returns the requests that it makes of these.
func edge(v *visitor, function string, requests []edgeRequest) []edgeRequest {
	v.Helper()
	var template struct {
		Resources map[string]struct{ Properties struct{ FunctionCode string } }
	}
	templatetest.Read(v.T, "../../../template.yaml", &template)
	openSources(v)
	return eval[[]edgeRequest](v, `(() => {
		const handler = new Function(%s + '; return handler;')();
		const sent = (value) => ({ value, multiValue: [{ value }] });
		return %s.map(({ uri, headers }) => {
			const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, sent(value)]));
			const made = handler({ request: { method: 'GET', uri, querystring: {}, headers: given } });
			const kept = Object.entries(made.headers).filter(([name, { value, multiValue }]) => !multiValue || value === headers[name]);
			return { uri: made.uri, headers: Object.fromEntries(kept.map(([name, { value }]) => [name, value])) };
		});
	})()`, template.Resources[function].Properties.FunctionCode, requests)
}

type edgeRequest struct {
	URI     string            `json:"uri"`
	Headers map[string]string `json:"headers"`
}

// TestEventPageRequest: the pages of events receive the address that the visitor used and a language of
// the site; headers that a visitor sends are replaced. What is below a page has no language: it is cached once.
func TestEventPageRequest(t *testing.T) {
	v := newVisitor(t, manner{})
	accepted := append(locale.Languages(), "", "*", "de", "DE-at", "de-AT,de;q=0.9,en;q=0.8", "xx", "xx,de", "en-GB , de", "en-AU", "en-US,en-GB", "xx,en-ie", "en-gb-oxendict", "\tde", ";", ",,", "-", "deutsch", "xx-de", "de;q=0", "e n", "de;q=0.5, en", "fr;q=0.8,de ; q=0.9",
		"ar-MA", "en-CA", "en-IN", "es-419", "es-mx,es;q=0.9", "es-CO", "es-PE", "en-SG", "en-150", "en-JM", "en-", "fr-CA,en;q=0.5", "fr-CH", "en-NZ", "toString", "de;q=1.000;x", "*;q=0.5, it;q=0.1")
	var requests []edgeRequest
	for _, tags := range accepted {
		visitor := map[string]string{"host": "turnout.example.org", "x-site-origin": "https://evil.example", "x-site-language": "evil"}
		if tags != "" {
			visitor["accept-language"] = tags
		}
		requests = append(requests, edgeRequest{"/e/x", visitor})
	}
	below := []string{"/e/x/card.png", "/e/x/event.ics", "/e/x/qr.svg", "/e/x/"}
	for _, uri := range below {
		requests = append(requests, edgeRequest{uri, map[string]string{"host": "turnout.example.org", "accept-language": "de", "x-site-language": "evil"}})
	}
	for i, made := range edge(v, "EventPageRequest", requests) {
		uri, want := "/e/x", ""
		if i < len(accepted) {
			want = locale.Language(accepted[i])
		} else {
			uri = below[i-len(accepted)]
		}
		if made.URI != uri || made.Headers["x-site-origin"] != "https://turnout.example.org" || made.Headers["x-site-language"] != want {
			t.Errorf("%v: %v, want the language %q", requests[i], made, want)
		}
	}
}

// TestFallback: the paths of files are unchanged, and every other path gets the page.
func TestFallback(t *testing.T) {
	v := newVisitor(t, manner{})
	want := map[string]string{"/locales/de.json": "", "/manifest.webmanifest": "", "/missing.js": ""} // a page in its place would be run as a script
	for extension := range site.ContentTypes {
		want["/a/b"+extension] = ""
	}
	files, err := bundle.Files()
	v.Must(err)
	for _, file := range files {
		want[file.Path] = ""
	}
	for path := range want {
		want[path] = path
	}
	for _, path := range []string{
		"", "/", "/e/", "/e/0b5d4a52-5f3f-4a6e-8a", "/about", "/about/v1.2", "/dotted.name/x", "/.js", "/a.b.js",
		"/app.js/", "/app.js%00", "/app.js\n", "//app.js", "/%2e%2e/app.js", "/ü.js", "/api/events/x?",
	} {
		want[path] = "/index.html"
	}
	var paths []edgeRequest
	for path := range want {
		paths = append(paths, edgeRequest{path, map[string]string{}})
	}
	for i, made := range edge(v, "SiteFallback", paths) {
		if path := paths[i].URI; made.URI != want[path] || site.IsFile(path) != (want[path] == path) {
			t.Errorf("%q: %q, want %q; IsFile says %t", path, made.URI, want[path], site.IsFile(path))
		}
	}
}
