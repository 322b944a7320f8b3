package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"go.yaml.in/yaml/v4"

	"turnout/infra/validate/templatetest"
	"turnout/internal/site"
	"turnout/internal/site/bundle"
	"turnout/internal/site/locale"
)

// TestWorkerIsInstalledElsewhere: the worker is not installed at the names of this machine. The only trusted-types
// policy accepts only the worker's URL, and has the name that the Content-Security-Policy allows.
func TestWorkerIsInstalledElsewhere(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	is(v, fn("isLocal", "http://[::1]:3000"), true)
	for host, installed := range map[string]bool{"localhost": false, "127.0.0.1": false, "turnout.localhost": true} {
		do(v, chromedp.Navigate("http://"+host+":"+eval[string](v, `location.port`)+"/robots.txt"))
		want := []string{}
		if installed {
			want = []string{"worker", site.Worker, site.Worker, "refused", "refused", "refused"}
		}
		addresses := []string{site.Worker, "/other.js", "https://evil.example/worker.js", ""}
		is(v, fn("installedWorker", addresses), want)
	}
}

// TestModulesMatchTheServer: script and server make links of the same URLs in a text. They give a title the same
// colour, whatever its letters. Each colour gets its share of titles.
func TestModulesMatchTheServer(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	content, err := os.ReadFile("../eventpage/testdata/links.json")
	var vectors struct{ Links, URLs, Places map[string]string }
	v.Must(errors.Join(err, json.Unmarshal(content, &vectors)))
	is(v, fn("addressesIn", slices.Collect(maps.Keys(vectors.Links))), vectors.Links)
	is(v, fn("addressesOf", slices.Collect(maps.Keys(vectors.URLs))), vectors.URLs)
	is(v, fn("placesOnMaps", slices.Collect(maps.Keys(vectors.Places))), vectors.Places)

	titles := []string{
		"", "P", "Picnic", "picnic", "Picnic ", "Café", "Cafe\u0301",
		"花見 2027", "عيد ميلاد سعيد", "🎉", "👩‍👩‍👧‍👦 & 🏳️‍🌈",
		"\U0010ffff\ufffd", "\x00\ufeff\u2028\u202e", "a\u0300\u0301\u0302",
		strings.Repeat("W", 200), strings.Repeat("\U0010ffff", 200),
	}
	for n := range 400 {
		titles = append(titles, fmt.Sprint("Book club ", n))
	}
	var count [len(site.Colours)]int
	for i, got := range on[[]int](v, "coloursOf", titles) {
		same(v, "the colour of "+titles[i], got, site.ColourOf(titles[i]))
		count[got]++
	}
	for colour, n := range count {
		if n < 40 {
			t.Errorf("%d of %d titles have the colour %d", n, len(titles), colour)
		}
	}
	is(v, fn("charactersIn", "a🎉"), 2)
}

// TestNamesAreTheSame: a guest is found and recognized however a reader types the name. The browser's collation agrees,
// except that it is stricter for apostrophes that are letters, dotless i, Persian letters and skin tones.
func TestNamesAreTheSame(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	content, err := os.ReadFile("../testdata/names.json")
	var names struct{ Same, SameBesides, Different [][]string }
	v.Must(errors.Join(err, json.Unmarshal(content, &names)))
	is(v, fn("namesMistaken", names.Same, true), []string{})
	is(v, fn("namesMistaken", names.SameBesides, true), []string{})
	is(v, fn("namesMistaken", names.Different, false), []string{})
	is(v, fn("namesToldApart", names.Same), []string{})

	guests := []string{"Mara O’Brien", "Ben 🎉", "ガク", "Anna\tBerg", "?"}
	for search, found := range map[string]string{
		"o'b": "Mara O’Brien", "maraob": "Mara O’Brien", "🎉": "Ben 🎉", "カ": "ガク", "がく": "ガク", "ｶﾞｸ": "ガク", "a b": "Anna\tBerg", "?": "?",
	} {
		is(v, fn("namesFound", search, guests), []string{found})
	}
	is(v, fn("namesFound", " \u200b", guests), guests)
}

// TestPlacesAreInLine: a place in several lines becomes the same single line as in the server's preview.
func TestPlacesAreInLine(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	content, err := os.ReadFile("../testdata/places.json")
	var places map[string]string
	v.Must(errors.Join(err, json.Unmarshal(content, &places)))
	is(v, fn("placesInLine", slices.Collect(maps.Keys(places))), places)
}

// TestCalendarAddressesAreBounded: the URLs for calendar sites are bounded in octets, because the sites refuse longer
// ones. The description is shortened first, then the next longer text. The link stays whole.
func TestCalendarAddressesAreBounded(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	type event map[string]string
	for _, c := range []struct {
		event event
		has   []string
		octet int // the least number of octets
	}{
		{event{"title": "Picnic", "location": "Park,\nGate 2", "description": "Cake."}, []string{"Picnic", "Park, Gate 2", "Cake."}, 0},
		{event{"title": "花見", "location": "公園", "description": strings.Repeat("花", 2000)}, []string{"花見", "公園", "花花…"}, 1990},
		{
			event{
				"title": strings.Repeat("🎉", 50), "location": strings.Repeat("公", 500),
				"host": "Mara", "description": "x",
			},
			[]string{strings.Repeat("🎉", 50), "公公…", "Mara"},
			1980,
		},
		{
			event{
				"title": strings.Repeat("🎉", 200), "location": strings.Repeat("公", 500),
				"host": strings.Repeat("é", 100), "description": strings.Repeat("x", 2000),
			},
			[]string{strings.Repeat("🎉", 100)},
			1980,
		},
	} {
		type address struct {
			Octets int
			Texts  []string
		}
		for _, got := range on[[]address](v, "addressesToAdd", c.event) {
			all := strings.Join(got.Texts, "\n")
			for _, want := range append(c.has, "/e/00000000-0000-4000-8000-000000000000") {
				if !strings.Contains(all, want) {
					t.Errorf("%v lacks %q: %q", c.event, want, all)
				}
			}
			if got.Octets > 2000 || got.Octets < c.octet {
				t.Errorf("%v: %d octets", c.event, got.Octets)
			}
		}
	}
}

// TestFilesHaveNoControlCharacters: files have no control characters, which some programs refuse. A control character
// does not hide a formula from the apostrophe.
func TestFilesHaveNoControlCharacters(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	is(v, fn("csvOf", []string{"A\x00d\x1ba\u0085", "\x00=1+1", "\x7f\tx", "a\tb\nc"}),
		"\ufeff\"Ada\",\"'=1+1\",\"'\tx\",\"a\tb\nc\"\r\n")
}

// TestImportNamesTheLine: a list from a file is valid as a whole or not at all. The error names the line of the first
// wrong member, or of the entry that lacks the member. If the lines differ from an export's, the error names no line.
func TestImportNamesTheLine(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	const (
		token = `"00000000-0000-4000-8000-000000000000"`
		name  = `"name": "A", `
		valid = -1
	)
	entry := func(change string) string {
		return `{"events": [], "rsvps": [{"eventToken": ` + token + `, "rsvpToken": ` + token + `, ` + name +
			`"title": "T", "dateTime": "2099-01-01T00:00:00Z", "timezone": "UTC"` + change + `}]}`
	}
	nameless := strings.Replace(entry(""), name, "", 1)
	ofEvent := entry(`, "organizerToken": ` + token + `, "before": "two"`)
	ofEvent = strings.Replace(ofEvent, `"events": [], "rsvps"`, `"rsvps": [], "events"`, 1)
	for data, want := range map[string]int{
		`[]`:                           0,
		`{"events": []}`:               0,
		`{"events": [7], "rsvps": []}`: 3,
		entry(""):                      valid,
		nameless:                       4,
		entry(`, "eventToken": "x"`):   5,
		entry(`, "name": 7`):           7,
		entry(`, "name": "` + tooLong("name", 1) + `"`):   7,
		entry(`, "title": "` + tooLong("title", 1) + `"`): 8,
		entry(`, "dateTime": "yester"`):                   9,
		entry(`, "dateTime": "+010000-01-01T00:00:00Z"`):  9,
		entry(`, "dateTime": "-000001-01-01T00:00:00Z"`):  9,
		entry(`, "timezone": "Nowhere/Else", "more": 1`):  valid,
		entry(`, "endDateTime": "yester"`):                11,
		entry(`, "endDateTime": "2000-01-01T00:00:00Z"`):  valid, // before the start, and ignored
		ofEvent: 12,
	} {
		is(v, fn("mistakesIn", json.RawMessage(data)), []int{want, min(want, 0)})
	}
	nested := `{"events": [` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `], "rsvps": []}`
	is(v, fn("mistakeIn", nested), 0)
	is(v, fn("mistakeIn", "no JSON"), 0)
}

// TestHowGuestsStand: a guest is a saved RSVP, an item of the outbox, or both. A leaving guest is not counted, except
// after a failed attempt, because the service may have counted the withdrawal.
func TestHowGuestsStand(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	on[struct{}](v, "storeGuests")
	type standing struct {
		Guests, WalkIns, Of9, Of1 int
		Mistakes                  []string
	}
	is(v, fn("guestsStanding"), standing{Guests: 11, WalkIns: 1, Of9: 6, Of1: 0, Mistakes: []string{}})
}

// TestLongTexts: a text of a million characters is read in a time that does not grow with the square, which would take
// hours. Another program may have made the events of an import.
func TestLongTexts(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	want := map[string]int{
		"url": 21, "host": 1, "mailbox": 1, "parentheses": 21, "place": 1_000_007,
		"places with commas": len("Hall, Town"), "guests": 1,
	}
	is(v, fn("lengthsOfLong"), want)
}

// TestStorageCallsGrowWithTheEvents: ten times as many events need at most twelve times as many calls of storage, so
// the calls do not grow with the square.
func TestStorageCallsGrowWithTheEvents(t *testing.T) {
	const few = 20
	calls := func(events int) map[string]int {
		return on[map[string]int](openSources(newVisitor(t, manner{})), "storageCalls", events)
	}
	before := calls(few)
	for act, n := range calls(10 * few) {
		if n > 12*before[act] || before[act] == 0 {
			t.Errorf("%s: %d calls of storage with %d events, %d with ten times as many", act, before[act], few, n)
		}
	}
}

// TestResponseReadsOneEvent: a response about one event reads as few values of storage among ten times as many events.
func TestResponseReadsOneEvent(t *testing.T) {
	values := func(events int) int {
		return on[int](openSources(newVisitor(t, manner{})), "valuesOfAResponse", events)
	}
	if few, many := values(20), values(200); few == 0 || many > few {
		t.Errorf("%d values with 20 events, %d with ten times as many: decide by the names alone",
			few, many)
	}
}

// TestCardsAreDrawnOnceADay: home draws a card again once the card's words change with the time, not with each drawing.
func TestCardsAreDrawnOnceADay(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	want := map[string]int{"first": 3, "a minute later": 0, "once one has begun": 1, "on the next day": 3}
	is(v, fn("cardsDrawn"), want)
}

// TestCheckInIsAtHand: the check-in is at hand from six hours before the start until the event is over.
func TestCheckInIsAtHand(t *testing.T) {
	v := openSources(newVisitor(t, manner{}))
	for age, want := range map[time.Duration]bool{
		-6*time.Hour - time.Millisecond: false, -6 * time.Hour: true, 0: true,
		12 * time.Hour: true, 12*time.Hour + time.Millisecond: false, 8 * 24 * time.Hour: false,
	} {
		is(v, fn("checksInAfter", age.Milliseconds()), []bool{want, false})
	}
}

// TestPatternsAreThoseOfJavaScript: the patterns in the API's description match the same texts in JavaScript, with and
// without the flag u.
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
	same(v, "number of patterns", len(on[[]string](v, "readPatterns", patterns)), 2*len(patterns))
	if len(patterns) == 0 {
		t.Error("the description has no pattern")
	}
}

// edge runs a function of CloudFront on requests, and returns the changed requests.
func edge(v *visitor, function string, requests []edgeRequest) []edgeRequest {
	v.Helper()
	var template struct {
		Resources map[string]struct{ Properties struct{ FunctionCode string } }
	}
	templatetest.Read(v.T, "../../../template.yaml", &template)
	openSources(v)
	return on[[]edgeRequest](v, "atTheEdge", template.Resources[function].Properties.FunctionCode, requests)
}

type edgeRequest struct {
	URI     string            `json:"uri"`
	Headers map[string]string `json:"headers"`
}

// TestEventPageRequest: requests for event pages carry the origin that the visitor used, and one of the site's
// languages. A visitor's own headers of these names are replaced. Files below a page have no language, so that they are
// cached once.
func TestEventPageRequest(t *testing.T) {
	v := newVisitor(t, manner{})
	accepted := append(locale.Languages(),
		"", "*", "de", "DE-at", "de-AT,de;q=0.9,en;q=0.8", "xx", "xx,de", "en-GB , de", "en-AU", "en-US,en-GB",
		"xx,en-ie", "en-gb-oxendict", "\tde", ";", ",,", "-", "deutsch", "xx-de", "de;q=0", "e n", "de;q=0.5, en",
		"fr;q=0.8,de ; q=0.9", "ar-MA", "en-CA", "en-IN", "es-419", "es-mx,es;q=0.9", "es-CO", "es-PE", "en-SG",
		"en-150", "en-JM", "en-", "fr-CA,en;q=0.5", "fr-CH", "en-NZ", "toString", "de;q=1.000;x", "*;q=0.5, it;q=0.1")
	var requests []edgeRequest
	for _, tags := range accepted {
		visitor := map[string]string{
			"host":            "turnout.example.org",
			"x-site-origin":   "https://evil.example",
			"x-site-language": "evil",
		}
		if tags != "" {
			visitor["accept-language"] = tags
		}
		requests = append(requests, edgeRequest{"/e/x", visitor})
	}
	below := []string{"/e/x/card.png", "/e/x/event.ics", "/e/x/qr.svg", "/e/x/"}
	for _, uri := range below {
		requests = append(requests, edgeRequest{uri, map[string]string{
			"host":            "turnout.example.org",
			"accept-language": "de",
			"x-site-language": "evil",
		}})
	}
	for i, made := range edge(v, "EventPageRequest", requests) {
		uri, want := "/e/x", ""
		if i < len(accepted) {
			want = locale.Language(accepted[i])
		} else {
			uri = below[i-len(accepted)]
		}
		origin, language := made.Headers["x-site-origin"], made.Headers["x-site-language"]
		if made.URI != uri || origin != "https://turnout.example.org" || language != want {
			t.Errorf("%v: %v, want the language %q", requests[i], made, want)
		}
	}
}

// TestFallback: CloudFront's function leaves paths of files unchanged, and replaces every other path by home's.
func TestFallback(t *testing.T) {
	v := newVisitor(t, manner{})
	want := map[string]string{
		"/locales/de.json":      "",
		"/manifest.webmanifest": "",
		"/missing.js":           "", // if home replaced a missing script, a browser would run home as a script
	}
	for extension := range site.ContentTypes {
		want["/a/b"+extension] = ""
	}
	files, err := bundle.Files(site.Config{})
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
