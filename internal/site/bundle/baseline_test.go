package bundle

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"turnout/internal/site/src"
	"turnout/internal/testtools"
)

// finer has the features that some browser of the baseline lacks, with the effect in such a browser. Guests and
// organizers can do everything without these features.
var finer = map[string]string{
	"document.startViewTransition":  "pages change at once",
	":view-transition-group":        "pages change at once",
	":view-transition-old":          "pages change at once",
	":view-transition-new":          "pages change at once",
	"<dialog closedby>":             "a click beside a dialog does not close it",
	"<link fetchpriority>":          "files load in another order",
	"<script fetchpriority>":        "files load in another order",
	"<section inert>":               "buttons can be pressed before the names are there",
	"navigator.share":               "the button is not there; the link can be copied",
	".createPolicy":                 "the worker is installed without a policy; the browser knows none",
	"oklch()":                       "all events have one palette, in base.css",
	"1dvh":                          "the declaration before it sets the height, in vh",
	"content: a / b":                "screen readers read the mark, too, of the declaration before it",
	"overflow: clip":                "what is too large is hidden, by the declaration before it",
	"@media (scripting)":            "without a script, the page says after six seconds that it takes long",
	":has":                          "margins, sizes and columns do not follow the content",
	"text-wrap":                     "lines have other lengths",
	"text-wrap: balance":            "lines have other lengths",
	"text-wrap: pretty":             "lines have other lengths",
	"word-break: auto-phrase":       "Japanese lines break between any two characters",
	"@media (forced-colors)":        "only Windows has such themes, and there no browser of the baseline lacks it",
	"forced-color-adjust":           "only Windows has such themes",
	"forced-color-adjust: none":     "only Windows has such themes",
	":-webkit-search-cancel-button": "the field has a cross",
	"align-content: start":          "rows of a grid share the space that is left",
	"zoom":                          "the strokes are smaller",
	"container":                     "date and time are below each other",
	"container: inline-size":        "date and time are below each other",
	"container-type":                "a printed poster has all its strokes, cut off if there is no room",
	"container-type: size":          "a printed poster has all its strokes, cut off if there is no room",
	"@container":                    "see container and container-type",
	"field-sizing":                  "a field has one size for all of its texts",
	"field-sizing: content":         "a field has one size for all of its texts",
	"float: inline-end":             "the button is in the line of the text",
	"@page":                         "sheets have the margins of the browser",
	"page":                          "the sheets of a printed list have no number",
}

// TestBaseline: the scripts, styles and pages need no feature that a browser of the baseline lacks, according to MDN's
// compatibility data.
func TestBaseline(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, content []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("early.js", src.Read("early.js"))
	for name, file := range files(t) {
		if slices.Contains([]string{".js", ".css", ".html"}, path.Ext(name)) {
			write(path.Base(name), file.Content)
		}
	}
	missing := lacking(t, folder)
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if finer[name] == "" {
			t.Errorf("%s needs %s, which the oldest browsers that the site is for lack: %s",
				missing[name].File, name, missing[name].Browsers)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(finer)) {
		if _, ok := missing[name]; !ok {
			t.Errorf("every browser of the baseline has %s, or nothing uses it: the row in finer goes", name)
		}
	}
}

// TestBaselineFindsFeatures: lacking finds features of each kind, so TestBaseline can fail.
func TestBaselineFindsFeatures(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{
		"new.js": `
			AbortSignal.timeout(1);
			list.toSorted();
			dialog.requestClose();
			const { userActivation } = navigator;
			new URLPattern({ pathname: '/' });
			h('dialog', { 'aria-label': 'name', closedby: 'any' });
			structuredClone(list).at(-1);`,
		"new.css": `
			a { color: light-dark(#000, #fff); height: 1dvh; text-wrap: balance; }
			a:user-invalid::before { content: "a" / "b"; }
			@media (width >= 40em) { a { color: red; } }
			@starting-style { a { color: red; } }
			@supports (anchor-name: --a) { a { anchor-name: --a; } }
			@supports not (color: oklch(0 0 0)) { a { interpolate-size: allow-keywords; } }`,
		"new.html": `<p class="popover" {{if .Event}}popover="auto"{{end}}>inert</p>`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		".requestClose", ".toSorted", "1dvh", ":user-invalid", "<dialog closedby>", "<p popover>", "@media (a < b)", "@starting-style",
		"AbortSignal.timeout", "URLPattern", "content: a / b", "interpolate-size", "interpolate-size: allow-keywords", "light-dark()", "navigator.userActivation", "text-wrap", "text-wrap: balance",
	}
	if got := slices.Sorted(maps.Keys(lacking(t, folder))); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// browsers maps esbuild's engines to their names in MDN's data.
var browsers = map[api.EngineName]string{
	api.EngineChrome:  "chrome",
	api.EngineFirefox: "firefox",
	api.EngineSafari:  "safari",
}

// A use names a feature that some browsers lack. Browsers has each such browser with its first version that has the
// feature.
type use struct{ File, Feature, Browsers string }

// lacking returns the features that the files in a folder use and a browser of the baseline lacks.
func lacking(t *testing.T, folder string) map[string]use {
	t.Helper()
	testtools.Need(t, "node")
	modules := filepath.Join("..", "..", "..", ".local", "node", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "css-tree")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("MDN's compatibility data is missing: make node-tools")
	}
	versions := map[string]string{}
	for _, engine := range baseline {
		versions[browsers[engine.Name]] = engine.Version
	}
	wanted, err := json.Marshal(versions)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", "testdata/baseline.mjs", modules, string(wanted), folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	missing := map[string]use{}
	for line := range strings.Lines(string(out)) {
		parts := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		missing[parts[1]] = use{parts[0], parts[1], parts[2]}
	}
	return missing
}
