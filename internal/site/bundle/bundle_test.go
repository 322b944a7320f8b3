package bundle

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/evanw/esbuild/pkg/api"

	"turnout/internal/site"
)

func files(t *testing.T) map[string]site.File {
	t.Helper()
	list, err := Files(site.Config{})
	if err != nil {
		t.Fatal(err)
	}
	byPath := map[string]site.File{}
	for _, file := range list {
		if _, twice := byPath[file.Path]; twice {
			t.Errorf("%s is listed twice", file.Path)
		}
		byPath[file.Path] = file
	}
	return byPath
}

// TestNamesAreFiles: every name that a page may mention is a file.
func TestNamesAreFiles(t *testing.T) {
	served := files(t)
	hashed := regexp.MustCompile(`^/assets/\w+(-\w+)*-[0-9a-f]{16}\.[a-z0-9]+$`)
	for source, name := range site.Names() {
		if len(served[name].Content) == 0 {
			t.Errorf("%s, of %s, is not a file", name, source)
		}
		if !hashed.MatchString(name) || path.Ext(name) != cmp.Or(path.Ext(source), ".js") {
			t.Errorf("%s has the name %s", source, name)
		}
		file := path.Base(source)
		file = strings.TrimSuffix(file, path.Ext(file))
		patterned := strings.Replace(site.Pattern(), "*", file, 1) + path.Ext(name)
		if path.Ext(name) != ".woff2" && name != patterned {
			t.Errorf("scripts request %s as %s, but its name is %s", source, patterned, name)
		}
	}
}

// TestTextsOfPages: each text that scripts show is in the file of a page.
func TestTextsOfPages(t *testing.T) {
	served, found := files(t), map[string]bool{}
	for _, page := range site.Pages {
		var texts []json.RawMessage
		if err := json.Unmarshal(served[site.Names()[site.Texts("de", page)]].Content, &texts); err != nil {
			t.Fatal(err)
		}
		for i, key := range keys() {
			found[key] = found[key] || string(texts[i]) != `""`
		}
	}
	for _, key := range keys() {
		if !found[key] {
			t.Errorf("no page has the text %s: a module names a key as one literal in single quotes", key)
		}
	}
}

// addresses finds the files that a page or a style loads.
var addresses = regexp.MustCompile(`(?:href|src)="(/[^"]+)"|url\("?([^")]+)"?\)|"(/[a-z][^"]*)"`)

// TestReferencesLeadToFiles: every reference in the page, a stylesheet or the manifest leads to a file.
func TestReferencesLeadToFiles(t *testing.T) {
	served := files(t)
	sources := []string{site.Index, "/manifest.webmanifest"}
	for _, sheet := range site.Sheets {
		sources = append(sources, site.Names()[sheet])
	}
	for _, from := range sources {
		for _, match := range addresses.FindAllStringSubmatch(string(served[from].Content), -1) {
			target := match[1] + match[2] + match[3]
			if _, ok := served[target]; !ok && target != site.Pattern() {
				t.Errorf("%s names %s, which is not a file", from, target)
			}
		}
	}
	page := string(served[site.Index].Content)
	for _, asset := range append([]string{site.Script}, site.Sheets...) {
		if strings.Count(page, site.Names()[asset]) != 1 {
			t.Errorf("the page does not name %s once", asset)
		}
	}
}

// TestCostsAreThoseOfTheFiles: infra/COSTS.md counts the files of a visit with an empty cache, which are those of the
// worker, and knows what the largest file costs. Its other figures follow from these.
func TestCostsAreThoseOfTheFiles(t *testing.T) {
	costs, err := os.ReadFile("../../../infra/COSTS.md")
	if err != nil {
		t.Fatal(err)
	}
	served := files(t)
	page := string(served[site.Index].Content)
	number, kilobytes, largest := 0, 0.0, 0.0
	for name, file := range served {
		var compressed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
		_, _ = w.Write(file.Content)
		_ = w.Close()
		isAsset := strings.HasPrefix(name, site.Assets)
		isText := strings.HasPrefix(name, site.Assets+"en-")
		if isAsset && (isText || path.Ext(name) == ".js" || strings.Contains(page, name)) ||
			name == site.Index || name == site.Worker || name == "/icon.svg" {
			number++
			kilobytes += float64(compressed.Len()) / 1000
		}
		largest = max(largest, float64(len(file.Content))/1000)
	}
	visit := regexp.MustCompile(`empty cache: (\d+)\s+files,\s+(\d+)\s+KB`).FindSubmatch(costs)
	each := regexp.MustCompile(`from CloudFront's cache \|.*: (\d\.\d\d) per million`).FindSubmatch(costs)
	if visit == nil || each == nil {
		t.Fatal("COSTS.md does not count the files of a visit, or has no price of a file")
	}
	told, _ := strconv.ParseFloat(string(visit[2]), 64)
	if string(visit[1]) != strconv.Itoa(number) || math.Abs(told-kilobytes) > 4 {
		t.Errorf("a visit has %d files, %.0f KB, and COSTS.md says %s", number, kilobytes, visit[0])
	}
	// CloudFront's prices, as in COSTS.md, of a request, of a function's run and of a GB. The client may refuse
	// compression.
	price, _ := strconv.ParseFloat(string(each[1]), 64)
	if want := 1.00 + 0.10 + 0.085*largest; math.Abs(price-want) > 0.2 {
		t.Errorf("a million requests for the largest file cost %.2f, and COSTS.md says %.2f", want, price)
	}
}

// TestPageIsLast: the page is uploaded after the files that the page refers to.
func TestPageIsLast(t *testing.T) {
	list, err := Files(site.Config{})
	if err != nil {
		t.Fatal(err)
	}
	others := false
	for i, file := range list {
		others = others || !strings.HasPrefix(file.Path, site.Assets)
		if (file.Path == site.Index) != (i == len(list)-1) || others && strings.HasPrefix(file.Path, site.Assets) {
			t.Errorf("%s is number %d of %d", file.Path, i+1, len(list))
		}
	}
}

// TestBundlesAreComplete: the bundles contain the code of the sources. The script imports the code of each kind of
// page, and the bundle of each kind imports the script. No bundle imports any other file.
func TestBundlesAreComplete(t *testing.T) {
	served, imported := files(t), regexp.MustCompile(`(?:\bimport\(?|\bfrom|@import )"\.?/([^"]*)"`)
	named := func(source string) string { return path.Base(site.Names()[source]) }
	script, guests, home, organize := named(site.Script), named(site.Guests), named(site.Home), named(site.Organize)
	for source, want := range map[string]struct{ imports, code string }{
		site.Script:        {guests + " " + home + " " + organize, "/api/events"},
		site.Guests:        {script, "manage"},
		site.Home:          {script, "row chips"},
		site.Organize:      {script, "guest-section"},
		site.Style:         {"", "@media print"},
		site.EventStyle:    {"", ".card{"},
		site.HomeStyle:     {"", ".chips{"},
		site.OrganizeStyle: {"", ".paper{"},
		site.Worker:        {"", script},
	} {
		content := string(served[cmp.Or(site.Names()[source], source)].Content)
		var imports []string
		for _, found := range imported.FindAllStringSubmatch(content, -1) {
			imports = append(imports, found[1])
		}
		if got := strings.Join(imports, " "); got != want.imports || !strings.Contains(content, want.code) {
			t.Errorf("%s imports %q, want %q, or lacks %q", source, got, want.imports, want.code)
		}
	}
}

// TestBuildReportsErrors: an error names its place in the source, and no bundle is returned.
func TestBuildReportsErrors(t *testing.T) {
	for _, style := range []string{`@import "/missing.css";`, `a { background: url(/missing.png) }`, `a { color: red`} {
		source := fstest.MapFS{"app.css": {Data: []byte(style)}}
		if outputs, err := build(source, nil, styles()); err == nil || !strings.Contains(err.Error(), "/app.css:1:") {
			t.Errorf("%s: %q, %v", style, outputs, err)
		}
	}
	if _, err := build(fstest.MapFS{}, nil, scripts()); err == nil {
		t.Error("a missing module is bundled")
	}
}

// TestVersion: the version that the bundles' names depend on is the version of the linked bundler.
func TestVersion(t *testing.T) {
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "github.com/evanw/esbuild " + bundler + "\n"; !strings.Contains(string(mod), want) {
		t.Errorf("go.mod has another version of esbuild than %s", bundler)
	}
}

// TestStylesInPages: the inline styles of event pages have the same rules as the bundles.
func TestStylesInPages(t *testing.T) {
	result := api.Transform(site.Styles(), api.TransformOptions{
		Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true, Target: api.ES2022, Charset: api.CharsetUTF8,
	})
	var bundled string
	for _, sheet := range site.Inline {
		bundled += strings.TrimSuffix(string(files(t)[site.Names()[sheet]].Content), "\n")
	}
	// The bundler leaves the values of variables as they are.
	bundled = strings.NewReplacer(": ", ":", ", ", ",").Replace(bundled) + "\n"
	if len(result.Errors) > 0 || string(result.Code) != bundled {
		t.Errorf("%v: pages of events contain\n%s\nthe bundles are\n%s", result.Errors, result.Code, bundled)
	}
}
