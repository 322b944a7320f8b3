package bundle

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/getkin/kin-openapi/openapi3"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/httpapi"
	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
	"turnout/internal/site/bundle/bundletest"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/locale"
)

// run runs a module of the site, with those that it imports, and returns the value of
// an expression in which m has its exports. There is no page; before defines what the
// modules use of one. Goja reads \p{…} as other characters.
func run(t *testing.T, module, before, expression string) goja.Value {
	t.Helper()
	script := string(bundletest.Compile(t, "m", module)[module+".js"])
	if strings.Contains(script, `\p{`) {
		t.Fatalf("%s needs Chromium", module)
	}
	value, err := goja.New().RunString(before + ";\n" + script + expression)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestPolicyKnowsTheWorkerAlone: the one policy for trusted types lets no other address pass,
// and its name is the one that the Content-Security-Policy allows.
func TestPolicyKnowsTheWorkerAlone(t *testing.T) {
	for address, want := range map[string]string{site.Worker: site.Worker, "/other.js": "refused", "https://evil.example/worker.js": "refused", "": "refused"} {
		got := run(t, "lib/offline", `
			var made = [], loaded, registered, answer,
				trustedTypes = { createPolicy: (name, policy) => { made.push([name, policy]); return policy; } },
				location = { hostname: 'turnout.example.org' }, addEventListener = (_, listener) => { loaded = listener; },
				navigator = { serviceWorker: { addEventListener() {}, register(url) { registered = url; } } }`, fmt.Sprintf(`
			m.installWorker();
			loaded();
			try { answer = made[0][1].createScriptURL(%q); } catch { answer = 'refused'; }
			made.length + made[0][0] + registered + ' ' + answer`, address)).String()
		if got != "1worker"+site.Worker+" "+want {
			t.Errorf("%q: %s", address, got)
		}
	}
}

// TestWorkerIsNotInstalledOnThisMachine: not at its names, as browsers give them.
func TestWorkerIsNotInstalledOnThisMachine(t *testing.T) {
	for host, want := range map[string]bool{"localhost": false, "127.0.0.1": false, "[::1]": false, "turnout.localhost": true} {
		if got := run(t, "lib/offline", fmt.Sprintf(`
			var is = false, location = { hostname: %q }, navigator = { serviceWorker: { addEventListener() {} } }, addEventListener = () => { is = true; }`, host),
			`m.installWorker(); is`).ToBoolean(); got != want {
			t.Errorf("at %s it is installed: %t", host, got)
		}
	}
}

// TestEveryLanguageHasTextsForFailures: they are shown if the texts or the script do not load.
func TestEveryLanguageHasTextsForFailures(t *testing.T) {
	for _, tag := range locale.Languages() {
		if n := strings.Count(eventpage.Page(), fmt.Sprintf("<p lang=%q", locale.Of(tag).Lang())); n != 2 {
			t.Errorf("the page has %d texts in %s", n, tag)
		}
	}
}

// TestLinksMatchTheServer: the same addresses in a text are links.
func TestLinksMatchTheServer(t *testing.T) {
	content, err := os.ReadFile("../eventpage/testdata/links.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Links map[string]string
	}
	if err := json.Unmarshal(content, &vectors); err != nil || len(vectors.Links) == 0 {
		t.Fatal(vectors, err)
	}
	for text, want := range vectors.Links {
		if got := run(t, "lib/linkify", "", fmt.Sprintf("m.split(%q).join('|')", text)).String(); got != want {
			t.Errorf("%q has the links %q, want %q", text, got, want)
		}
	}
}

// TestTextsHaveOneBound: the description, the service, the form and the promises agree on the bounds
// of each text, in code points.
func TestTextsHaveOneBound(t *testing.T) {
	description, err := openapi3.NewLoader().LoadFromFile("../../../infra/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	promises, err := os.ReadFile("../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(httpapi.New(event.NewService(&storetest.Memory{}), slog.New(slog.DiscardHandler), httpapi.Endpoints()...))
	defer server.Close()
	send := func(call apitest.Call) apitest.Answer {
		answer, err := apitest.Client{URL: server.URL + "/api", HTTP: http.DefaultClient}.Do(t.Context(), call)
		if err != nil || answer.Status >= 500 {
			t.Fatalf("%s: %d %s %v", answer.Call, answer.Status, answer.Body, err)
		}
		return answer
	}
	inForm, texts := map[string]string{"cancellationReason": "reason"}, []string{}
	for schema, calls := range map[string]func(apitest.Content, apitest.Object) apitest.Call{
		"CreateEventInput": func(_ apitest.Content, text apitest.Object) apitest.Call {
			return apitest.CreateEvent(apitest.EventBody(text))
		},
		"CancelEventInput": func(e apitest.Content, text apitest.Object) apitest.Call {
			text["cancelled"] = true
			return apitest.CancelEvent(e.EventToken, e.OrganizerToken, text)
		},
		"CreateRSVPInput": func(e apitest.Content, text apitest.Object) apitest.Call {
			return apitest.CreateRSVP(e.EventToken, text)
		},
	} {
		for name, ref := range description.Components.Schemas[schema].Value.Properties {
			property, least := ref.Value, uint64(0)
			for _, part := range slices.Concat(property.AllOf, property.AnyOf) {
				least = max(least, part.Value.MinLength)
			}
			if !property.Type.Permits("string") || property.Format+property.Pattern != "" {
				continue // its form bounds it
			}
			if property.MaxLength == nil {
				t.Errorf("openapi.yaml does not bound %s", name)
				continue
			}
			most := *property.MaxLength
			for n, want := range map[uint64]bool{least - 1: false, least: true, most: true, most + 1: false} {
				if n > most+1 {
					continue // no text is shorter than an empty one
				}
				e, err := send(apitest.CreateEvent(apitest.EventBody(nil))).Content()
				answer := send(calls(e, apitest.Object{name: strings.Repeat("🎉", int(n))}))
				if err != nil || answer.Status < 300 != want {
					t.Errorf("%s of %d code points: %d, but in openapi.yaml, design.md and lib/limits it has %d to %d", name, n, answer.Status, least, most)
				}
			}
			number := regexp.MustCompile(`(\d)(\d{3})$`).ReplaceAllString(strconv.FormatUint(most, 10), "$1,$2")
			if !regexp.MustCompile("`" + name + "`[^`]{0,20}(1 to|at most)\\s" + number + "\\b").Match(promises) {
				t.Errorf("design.md has another bound of %s than openapi.yaml, %s", name, number)
			}
			if name == "host" {
				continue // the form does not ask for it
			}
			if schema == "CreateEventInput" {
				texts = append(texts, name)
			}
			key := cmp.Or(inForm[name], name)
			if got := run(t, "lib/limits", "", "m.limits."+key+" - m.characters('🎉')").Export(); got != int64(most)-1 {
				t.Errorf("lib/limits has another bound of %s than openapi.yaml, %d, or counts otherwise: %v", key, most, got)
			}
		}
	}
	slices.Sort(texts)
	if inForm := run(t, "lib/limits", "", "m.texts.sort().join()").String(); inForm != strings.Join(texts, ",") {
		t.Errorf("limits.ts has the texts %s of an event, openapi.yaml %s", inForm, texts)
	}
	if left := run(t, "lib/limits", "", "m.limits.reason - m.limits.why").ToInteger(); left < 300 {
		t.Errorf("a change leaves %d characters of a reason for the link", left)
	}
}

// TestGuestListAsCSV: a spreadsheet reads each name as it is, and none as a formula.
func TestGuestListAsCSV(t *testing.T) {
	names := []string{
		"Name", `Quote "Q", comma`, "two\nlines", "Ünïcode 🥣", "a=b", "=1+1", "+1", "-1", "@SUM(A1)", "\tTab", " =1+1", "＝1+1",
	}
	rows, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	content := run(t, "lib/csv", "", fmt.Sprintf("m.csv(%s.map((name) => [name]))", rows)).String()
	content, marked := strings.CutPrefix(content, "\ufeff")
	if lines := strings.Count(content, "\r\n"); !marked || lines != len(names) {
		t.Errorf("marked as UTF-8: %t; %d lines, want %d", marked, lines, len(names))
	}
	got, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	for i, row := range got {
		want := names[i]
		if i > 4 {
			want = "'" + want
		}
		if len(row) != 1 || row[0] != want {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
	}
	if err != nil || len(got) != len(names) {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

// TestImportNamesTheWrongMember: a list from a file is valid as a whole or not at all.
func TestImportNamesTheWrongMember(t *testing.T) {
	const token = "'00000000-0000-4000-8000-000000000000'"
	entry := func(change string) string {
		return "{events: [], rsvps: [{eventToken: " + token + ", rsvpToken: " + token + ", name: 'A', title: 'T', dateTime: '2099-01-01T00:00:00Z', timezone: 'UTC', " + change + "}]}"
	}
	for data, want := range map[string]string{
		"undefined": "events", "[]": "events", "{events: []}": "rsvps", entry(""): "",
		entry("eventToken: 'x'"): "rsvps[0].eventToken", entry("name: 7"): "rsvps[0].name", entry("dateTime: 'yester'"): "rsvps[0].dateTime",
		entry("dateTime: '+010000-01-01T00:00:00Z'"): "rsvps[0].dateTime", entry("dateTime: '-000001-01-01T00:00:00Z'"): "rsvps[0].dateTime",
		entry("timezone: 'Nowhere/Else', more: 1"): "",
	} {
		got := run(t, "lib/import", "var addEventListener = () => {}", "try { m.checkSaved("+data+"); '' } catch (error) { error.message }").String()
		if got != want {
			t.Errorf("%s lacks %q, want %q", data, got, want)
		}
	}
}

// TestCheckInIsAtHand: from six hours before the start until the event is over.
func TestCheckInIsAtHand(t *testing.T) {
	for age, want := range map[time.Duration]bool{
		-6*time.Hour - time.Millisecond: false, -6 * time.Hour: true, 0: true,
		12 * time.Hour: true, 12*time.Hour + time.Millisecond: false, 8 * 24 * time.Hour: false,
	} {
		for _, cancelled := range []bool{false, true} {
			got := run(t, "lib/time", "", fmt.Sprintf(`
				const start = '2027-05-01T19:30:00+02:00';
				Date.now = () => Date.parse(start) + %d;
				m.atTheDoor({ dateTime: start, cancelled: %t })`, age.Milliseconds(), cancelled)).ToBoolean()
			if got != (want && !cancelled) {
				t.Errorf("%v after the start, cancelled %t: %t", age, cancelled, got)
			}
		}
	}
}

// TestColoursMatchTheScript: the script gives each title the colour that it has on the page
// and in the picture, whatever its letters are, and there are as many of each.
func TestColoursMatchTheScript(t *testing.T) {
	titles := []string{
		"", "P", "Picnic", "picnic", "Picnic ", "Café", "Cafe\u0301", "花見 2027", "عيد ميلاد سعيد", "🎉", "👩‍👩‍👧‍👦 & 🏳️‍🌈",
		"\U0010ffff\ufffd", "\x00\ufeff\u2028\u202e", "a\u0300\u0301\u0302", strings.Repeat("W", 200), strings.Repeat("\U0010ffff", 200),
	}
	for n := range 400 {
		titles = append(titles, fmt.Sprint("Book club ", n))
	}
	list, err := json.Marshal(titles)
	if err != nil {
		t.Fatal(err)
	}
	var count [len(site.Colours)]int
	for i, want := range run(t, "lib/head", "", string(list)+".map(m.colourOf)").Export().([]any) {
		got := site.ColourOf(titles[i])
		if int64(got) != want {
			t.Errorf("%q has the colour %d, in the script %v", titles[i], got, want)
		}
		count[got]++
	}
	for colour, n := range count {
		if n < 40 {
			t.Errorf("%d of %d titles have the colour %d", n, len(titles), colour)
		}
	}
}
