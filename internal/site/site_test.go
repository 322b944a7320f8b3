package site

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// used finds the keys that the site asks for: t('…') is the only way to a text.
var used = regexp.MustCompile(`\bt\(\s*'([^']+)'`)

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := fs.ReadFile(Site, "static/"+name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func scripts(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(Site, "static/*.js")
	if err != nil || len(names) == 0 {
		t.Fatalf("the site's scripts: %v, %v", names, err)
	}
	found := map[string]string{}
	for _, name := range names {
		name = strings.TrimPrefix(name, "static/")
		found[name] = read(t, name)
	}
	return found
}

func texts(t *testing.T, language string) map[string]any {
	t.Helper()
	var found map[string]any
	if err := json.Unmarshal([]byte(read(t, "locales/"+language+".json")), &found); err != nil {
		t.Fatalf("locales/%s.json: %v", language, err)
	}
	return found
}

func TestEveryTextIsThereAndUsed(t *testing.T) {
	asked := map[string]bool{}
	for name, script := range scripts(t) {
		// A key that is put together could not be found here.
		if odd := regexp.MustCompile(`\bt\((?:[^'\s)]|\s+[^'\s])`).FindString(script); odd != "" && name != "i18n.js" {
			t.Errorf("%s asks for a text by other than its name: %s…", name, odd)
		}
		for _, match := range used.FindAllStringSubmatch(script, -1) {
			asked[match[1]] = true
		}
	}
	for _, language := range []string{"en", "de"} {
		have := texts(t, language)
		for _, key := range slices.Sorted(maps.Keys(asked)) {
			if _, ok := have[key]; !ok {
				t.Errorf("locales/%s.json lacks %q", language, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(have)) {
			if !asked[key] {
				t.Errorf("locales/%s.json has %q, which nothing uses", language, key)
			}
		}
	}
}

// shape is what a translation must share with its original: the values that it
// names, and whether it depends on a number.
func shape(text any) (names []string, counted bool) {
	name := regexp.MustCompile(`\{\w+\}`)
	switch text := text.(type) {
	case string:
		names = name.FindAllString(text, -1)
	case map[string]any:
		counted = true
		for _, form := range []string{"one", "other"} {
			found, ok := text[form].(string)
			if !ok {
				return nil, false
			}
			names = append(names, name.FindAllString(found, -1)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), counted
}

func TestTranslationsNameTheSameValues(t *testing.T) {
	english, german := texts(t, "en"), texts(t, "de")
	for key, text := range english {
		names, counted := shape(text)
		germanNames, germanCounted := shape(german[key])
		if !reflect.DeepEqual(names, germanNames) || counted != germanCounted {
			t.Errorf("%s: en has %v (by number: %t), de has %v (by number: %t)", key, names, counted, germanNames, germanCounted)
		}
	}
}

// Everything that the page loads at once is announced in it, so that no module
// waits for another to be read.
func TestPagePreloadsEveryModule(t *testing.T) {
	page := read(t, "index.html")
	for name := range scripts(t) {
		if !strings.Contains(page, `href="/`+name+`"`) && !strings.Contains(page, `src="/`+name+`"`) {
			t.Errorf("index.html does not mention %s", name)
		}
	}
}

// The policy would stop these in the browser; here they are named.
func TestNothingThatThePolicyForbids(t *testing.T) {
	forbidden := regexp.MustCompile(`<script[^>]*>[^<]|<style|\sstyle=|\son\w+=|https?://|innerHTML|insertAdjacentHTML|document\.write|\beval\(`)
	for name, content := range scripts(t) {
		content = strings.ReplaceAll(content, "http://www.w3.org/2000/svg", "")
		if found := forbidden.FindString(content); found != "" {
			t.Errorf("%s has %q", name, found)
		}
	}
	if found := forbidden.FindString(read(t, "index.html")); found != "" {
		t.Errorf("index.html has %q", found)
	}
}

func TestEveryFileHasAKind(t *testing.T) {
	err := fs.WalkDir(Site, "static", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			if _, ok := FileAt(name); !ok {
				t.Errorf("headers.go does not say how %s is served", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestManifestIconsExist(t *testing.T) {
	var manifest struct {
		Icons []struct{ Src string }
	}
	if err := json.Unmarshal([]byte(read(t, "manifest.webmanifest")), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Icons) == 0 {
		t.Error("the manifest has no icons")
	}
	for _, icon := range manifest.Icons {
		read(t, strings.TrimPrefix(icon.Src, "/"))
	}
}

// A first visit costs little: the page, its style, its scripts and one language,
// compressed as CloudFront sends them.
func TestFirstVisitIsSmall(t *testing.T) {
	const most = 36_000
	sum := 0
	for _, name := range append(slices.Collect(maps.Keys(scripts(t))), "index.html", "app.css", "icon.svg", "locales/de.json") {
		var small bytes.Buffer
		compressor := gzip.NewWriter(&small)
		if _, err := compressor.Write([]byte(read(t, name))); err != nil {
			t.Fatal(err)
		}
		if err := compressor.Close(); err != nil {
			t.Fatal(err)
		}
		sum += small.Len()
	}
	if sum > most {
		t.Errorf("a first visit costs %d bytes, more than %d", sum, most)
	}
}
