package browser

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Each page has its own title, and focuses its heading. Search engines index only home, and only home is an app.
func TestMovingBetweenPages(t *testing.T) {
	event := announce(t, supper())
	v := newVisitor(t, screens[1], event.public())
	is(v, fn("titleAndRobots"), "Rooftop supper · Turnout | noindex | no app")
	v.Open("/nothing")
	is(v, fn("titleAndRobots"), "Nothing here · Turnout | noindex | no app")
	v.Click("Go to the home page")
	v.FocusOn("h1")
	is(v, fn("titleAndRobots"), "Turnout – who’s coming? | index | app")
	follow(v, "/nothing")
	v.Sees("There’s no page at this address.")
	do(v, chromedp.NavigateBack())
	v.Sees("Announce it")
	follow(v, event.private())
	askToCancel(v)
	v.Sees("This can’t be undone.")
	do(v, chromedp.NavigateBack())
	v.Sees("Your events")
	v.NoDialog()
	do(v, chromedp.NavigateBack())
	v.Sees("There’s no page at this address.")
	v.FocusOn("h1")
}

// TestLinkToThePageItself: as in browsers, a link to the current page adds no entry to the history.
func TestLinkToThePageItself(t *testing.T) {
	v := newVisitor(t, screens[1], "/")
	before := eval[int](v, `history.length`)
	v.Click("Turnout")
	v.Click("Turnout")
	same(v, "number of entries", eval[int](v, `history.length`), before)
}

func TestListIsExportedAndImported(t *testing.T) {
	old, fresh := newVisitor(t, manner{}), newVisitor(t, manner{})
	mine(old)
	old.Open("/")
	name, content := old.Download("Export the list")
	same(old, "the file", name, "turnout.json")
	var list struct{ Events, Rsvps []map[string]string }
	if err := json.Unmarshal([]byte(content), &list); err != nil || len(list.Events) != 1 || len(list.Rsvps) != 1 {
		t.Fatalf("the list is %s: %v", content, err)
	}

	fresh.Open("/")
	load(fresh, content)
	fresh.Sees("2 events are on your list now.")
	load(fresh, "no JSON")
	fresh.Sees("This file isn’t a Turnout list.")
	// An import never replaces an entry that this device already has.
	load(fresh, strings.Replace(content, list.Events[0]["organizerToken"], "00000000-0000-4000-8000-000000000000", 1))
	fresh.Sees("2 events are on your list now.")
	is(fresh, `document.querySelectorAll('.entries li').length`, 2)
	fresh.Reload()
	fresh.Click("Rooftop supper")
	fresh.Sees("Check in")
	fresh.Open("/e/" + list.Rsvps[0]["eventToken"])
	fresh.Click("Can’t make it after all: Anna")
	fresh.Reload()
	fresh.Sees("Nobody yet")
}

func TestSearchFindsNames(t *testing.T) {
	event := announce(t, supper(), append(guests, "Işıl", "İbrahim")...)
	for language, label := range map[string]string{"en-GB": "Find a name", "tr-TR": "Ad ara"} {
		v := newVisitor(t, manner{Language: language}, event.private())
		for search, want := range map[string][]string{
			"cag": {"Çağla"}, "SØR": {"Søren"}, "zzz": {}, "محمد": {"محمد علي"}, "au": {"Paul & Paula"},
			"ibrahim": {"İbrahim"}, "İBR": {"İbrahim"}, "ışıl": {"Işıl"}, "isil": {"Işıl"},
		} {
			v.Write(label, search)
			same(v, language+": names with "+search, names(v), want)
		}
		box := on[page.Viewport](v, "boxOf", "#search")
		box.Scale = 1
		file := call(v, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &box}).Data
		picture, err := png.Decode(bytes.NewReader(file))
		v.Must(err)
		for at, across := 0, picture.Bounds().Dx(); at < across*picture.Bounds().Dy(); at++ {
			if r, g, b, _ := picture.At(at%across, at/across).RGBA(); max(r, g, b)-min(r, g, b) > 0x4000 {
				t.Fatal(language + ": what clears the search is not grey")
			}
		}
		v.Write(label, "")
		same(v, language+": names without a search", len(names(v)), len(guests)+2)
	}
}

// Names can be copied, and downloaded as a file. A spreadsheet reads each name unchanged, and none as a formula. Once
// the check-in has begun, the list and the file say who is here.
func TestFilesAreNamedAfterTheEvent(t *testing.T) {
	names := []string{
		"Ada", `Quote "Q", comma`, "two\nlines", "Ünïcode 🥣", "a=b",
		"=1+1", "+1", "-1", "@SUM(A1)", "\tTab", " =1+1", "＝1+1",
	}
	_, v := organizing(t, names...)
	v.Click("Copy or download the names")
	name, content := v.Download("Download CSV")
	content, marked := strings.CutPrefix(content, "\ufeff")
	if lines := strings.Count(content, "\r\n"); name != "Rooftop-supper.csv" || !marked || lines != len(names)+1 {
		t.Errorf("%s, marked as UTF-8: %t; %d lines, want %d", name, marked, lines, len(names)+1)
	}
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	v.Must(err)
	for i, name := range append([]string{"Name"}, names...) {
		if i > 5 {
			name = "'" + name
		}
		same(v, "a row", rows[i], []string{name})
	}
	copied := strings.NewReplacer("two\n", "two ", "\t", " ").Replace(strings.Join(names, "\n"))
	same(v, "the names", v.Copy("Copy names"), copied)
	v.Click("Check in")
	v.Click("Ada")
	v.Click("Close")
	v.Sees("✓ Here")
	v.Click("Copy or download the names")
	_, content = v.Download("Download CSV")
	says(t, content, "\"Name\",\"Here\"\r\n\"Ada\",\"✓\"\r\n\"Quote \"\"Q\"\", comma\",\"\"\r\n")
	openSources(v)
	for title, want := range map[string]string{
		"../../etc/passwd\x00.exe": "etc-passwd-exe", "दिवाली की दावत": "दिवाली-की-दावत", "🥣": "turnout",
	} {
		is(v, fn("fileNameOf", title), want)
	}
}
