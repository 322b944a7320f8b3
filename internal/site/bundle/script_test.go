package bundle

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"turnout/internal/site"
	"turnout/internal/site/eventpage"
	"turnout/internal/site/locale"
	"turnout/internal/site/static"
)

// script runs the part of a module that an expression finds, and then evaluates another.
func script(t *testing.T, file, part, expression string) goja.Value {
	t.Helper()
	found := regexp.MustCompile(`(?s)` + part).FindString(string(static.Read(file)))
	if found == "" {
		t.Fatalf("%s has no %s", file, part)
	}
	value, err := goja.New().RunString(strings.ReplaceAll(found, "export ", "") + "\n" + expression)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestLinksHaveTheSitesOrigin: the one that the server has put into the page, else the
// page's own.
func TestLinksHaveTheSitesOrigin(t *testing.T) {
	for tag, want := range map[string]string{"null": "http://localhost:3000/e/x", `{getAttribute: () => 'https://turnout.example.org/e/y'}`: "https://turnout.example.org/e/x"} {
		got := script(t, "lib/urls.js", `const siteOrigin.*?const eventURL = .*?;`, `
			var location = {href: 'http://localhost:3000/e/y'}, document = {querySelector: () => (`+tag+`)};
			var URL = function (address) { this.origin = address.split('/').slice(0, 3).join('/') };
			eventURL('x')`).String()
		if got != want {
			t.Errorf("the link is %s, want %s", got, want)
		}
	}
}

// TestPolicyKnowsTheWorkerAlone: the one policy for trusted types lets no other address pass,
// and its name is the one that the Content-Security-Policy allows.
func TestPolicyKnowsTheWorkerAlone(t *testing.T) {
	for address, want := range map[string]string{site.Worker: site.Worker, "/other.js": "refused", "https://evil.example/worker.js": "refused", "": "refused"} {
		got := script(t, "lib/offline.js", `const path.*?\?\? path;`, fmt.Sprintf(`
			var made = [], trustedTypes = {createPolicy: (name, policy) => { made.push([name, policy]); return policy; }}, answer;
			trusted();
			try { answer = made[0][1].createScriptURL(%q); } catch { answer = 'refused'; }
			made.length + made[0][0] + answer`, address)).String()
		if got != "1worker"+want {
			t.Errorf("%q: %s", address, got)
		}
	}
}

// TestWorkerIsNotInstalledOnThisMachine: not at its names, as browsers give them.
func TestWorkerIsNotInstalledOnThisMachine(t *testing.T) {
	for host, want := range map[string]bool{"localhost": false, "127.0.0.1": false, "[::1]": false, "turnout.localhost": true} {
		if got := script(t, "lib/offline.js", `const path.*`, fmt.Sprintf(`
			var is = false, location = {hostname: %q}, navigator = {serviceWorker: {addEventListener() { is = true; }}}, addEventListener = () => {};
			installWorker();
			is`, host)).ToBoolean(); got != want {
			t.Errorf("at %s it is installed: %t", host, got)
		}
	}
}

// TestStrokesMatchTheScript: tally marks do not change when the script draws them.
func TestStrokesMatchTheScript(t *testing.T) {
	for place := range 100 {
		s := site.Stroke(place)
		want := script(t, "components/tally.js", `const wobble = .*?\n}\n`, fmt.Sprintf("stroke(%d)", place)).String()
		if got := fmt.Sprintf("M%v %vQ%v %v %v %v", s[0].X, s[0].Y, s[1].X, s[1].Y, s[2].X, s[2].Y); got != want {
			t.Fatalf("stroke %d is %s, want %s", place, got, want)
		}
	}
	if !strings.Contains(string(static.Read("components/tally.js")), fmt.Sprintf("const most = %d;", 50)) {
		t.Errorf("the script draws another number of strokes than %d", 50)
	}
}

// TestEveryLanguageHasTextsForFailures: what is shown where the texts or the script
// do not load.
func TestEveryLanguageHasTextsForFailures(t *testing.T) {
	for _, tag := range locale.Languages() {
		if n := strings.Count(eventpage.Page(), fmt.Sprintf("<p lang=%q", locale.Of(tag).Lang())); n != 2 {
			t.Errorf("the page has %d texts in %s", n, tag)
		}
	}
}

// TestLinksMatchTheServer, and so do the events that a reason says to have moved to.
func TestLinksMatchTheServer(t *testing.T) {
	content, err := os.ReadFile("../eventpage/testdata/links.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Links map[string]string
		Moved map[string][2]string
	}
	if err := json.Unmarshal(content, &vectors); err != nil || len(vectors.Links) == 0 || len(vectors.Moved) == 0 {
		t.Fatal(vectors, err)
	}
	for text, want := range vectors.Links {
		if got := script(t, "lib/linkify.js", `const address = .*?\n}\n.*?\n}\n`, fmt.Sprintf("split(%q).join('|')", text)).String(); got != want {
			t.Errorf("%q has the links %q, want %q", text, got, want)
		}
	}
	for reason, want := range vectors.Moved {
		got := script(t, "lib/linkify.js", `const address = .*?\n}\n.*?\n}\n.*?\n}\n`,
			fmt.Sprintf("(({ token, rest }) => [token, rest].join('|'))(movedTo(%q, 'https://t.example/e/', '00000000-0000-4000-8000-000000000000'))", reason)).String()
		if got != want[0]+"|"+want[1] {
			t.Errorf("%q leads to %q, want %q", reason, got, want)
		}
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
	content := script(t, "lib/csv.js", `const quoted = .*`, fmt.Sprintf("csv(%s.map((name) => [name]))", rows)).String()
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
		got := script(t, "lib/import.js", `const texts = .*`, "const isUUID = (value) => /^[0-9a-f-]{36}$/.test(value); try { checkSaved("+data+"); '' } catch (error) { error.message }").String()
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
			got := script(t, "lib/time.js", `const minute = .*?export const atTheDoor = .*?;`, fmt.Sprintf(`
				const start = '2027-05-01T19:30:00+02:00';
				Date.now = () => Date.parse(start) + %d;
				atTheDoor({ dateTime: start, cancelled: %t })`, age.Milliseconds(), cancelled)).ToBoolean()
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
	for i, want := range script(t, "lib/head.js", `export function colourOf.*?\n\}\n`, string(list)+".map(colourOf)").Export().([]any) {
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
