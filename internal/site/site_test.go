package site

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"turnout/internal/event"
	"turnout/internal/site/locale"
	"turnout/internal/site/src"
)

// TestStylesheets: each stylesheet is linked and works in both writing directions. Rules with :hover apply only to
// devices with a mouse, because after a tap the effect would stay.
func TestStylesheets(t *testing.T) {
	var entries string
	for _, sheet := range Sheets {
		entries += string(src.Read(sheet[1:]))
	}
	files, err := fs.Glob(src.Files, "styles/*.css")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	sided := regexp.MustCompile(`(margin|padding|border)-(left|right)|` +
		`[ ](left|right):|(text-align|float): (left|right)`)
	for _, file := range files {
		if links := strings.Count(entries, fmt.Sprintf(`/%s";`, file)); links != 1 {
			t.Errorf("%s is linked %d times", file, links)
		}
		sheet := string(src.Read(file))
		if found := sided.FindString(sheet); found != "" {
			t.Errorf("%s has %q, which does not turn with the writing", file, found)
		}
		var blocks []string // open blocks
		for _, part := range regexp.MustCompile(`[^{};]*\{|\}`).FindAllString(sheet, -1) {
			if part == "}" {
				blocks = blocks[:len(blocks)-1]
				continue
			}
			if strings.Contains(part, ":hover") && !slices.Contains(blocks, "@media (hover: hover) {") {
				t.Errorf("%s has %s outside of @media (hover: hover)", file, part)
			}
			blocks = append(blocks, strings.TrimSpace(part))
		}
	}
}

// TestManifest: the manifest has the colour of home, and describes the site in each language. A maskable icon has no
// other purpose, because its margin would show on systems that do not mask icons.
func TestManifest(t *testing.T) {
	manifest := string(src.Read("manifest.webmanifest"))
	icons, purposes := strings.Count(manifest, `"src"`), strings.Count(manifest, `"purpose"`)
	masked := strings.Count(manifest, `"purpose": "maskable"`)
	day, _ := SiteColour.Bars()
	coloured := strings.Count(manifest, fmt.Sprintf("%q", day)) == 2
	if !json.Valid([]byte(manifest)) || icons < 2 || purposes != 1 || masked != 1 || !coloured {
		t.Errorf("%d icons, %d with a purpose, %d maskable: %s", icons, purposes, masked, manifest)
	}
	for _, language := range locale.Languages() {
		text := locale.Of(language).Text("server.description")
		if !strings.Contains(manifest, fmt.Sprintf(`": %q`, text)) {
			t.Errorf("it does not describe the site in %s", language)
		}
	}
}

// TestPhases: the phase of an event changes at the right instants.
func TestPhases(t *testing.T) {
	start := time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	e := event.Event{DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
	const day = 24 * time.Hour
	for age, want := range map[time.Duration]Phase{
		-1: Coming, 0: Started, day / 2: Started, day/2 + 1: Over, 7 * day: Over, 7*day + 1: Closed,
	} {
		if got := PhaseOf(e, start.Add(age)); got != want {
			t.Errorf("%v after its start: phase %d, want %d", age, got, want)
		}
	}
	e.Cancelled = true
	if got := PhaseOf(e, start.Add(30*day)); got != Cancelled {
		t.Errorf("cancelled: phase %d", got)
	}
	if got := PhaseOf(event.Event{DateTime: "someday"}, start); got != Coming {
		t.Errorf("someday: phase %d", got)
	}
}

// TestEarlyHasNoComments: every page has the script inline. A comment on a line of its own is left out. Any other
// comment would be sent to each visitor.
func TestEarlyHasNoComments(t *testing.T) {
	if strings.Contains(Early, "//") {
		t.Errorf("a comment of src/early.js is not on a line of its own:\n%s", Early)
	}
}
