package site

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
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
	content, err := fs.ReadFile(Source, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func scripts(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := fs.WalkDir(Source, ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".js" {
			found[name] = read(t, name)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("the site's scripts: %v, %v", found, err)
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
		if odd := regexp.MustCompile(`\bt\((?:[^'\s)]|\s+[^'\s])`).FindString(script); odd != "" && path.Base(name) != "i18n.js" {
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

// The policy would stop these in the browser; here they are named.
func TestNothingThatThePolicyForbids(t *testing.T) {
	forbidden := regexp.MustCompile(`<script[^>]*>[^<]|<style|\sstyle=|\son\w+=|https?://|innerHTML|insertAdjacentHTML|document\.write|\beval\(`)
	for name, content := range scripts(t) {
		content = strings.ReplaceAll(content, "http://www.w3.org/2000/svg", "")
		if name == "lib/elsewhere.js" { // addresses of links, not of what the site loads
			content = strings.ReplaceAll(content, "https://", "")
		}
		if found := forbidden.FindString(content); found != "" {
			t.Errorf("%s has %q", name, found)
		}
	}
	if found := forbidden.FindString(read(t, "index.html")); found != "" {
		t.Errorf("index.html has %q", found)
	}
}

func TestManifestIconsExist(t *testing.T) {
	var manifest struct {
		Icons []struct{ Src, Purpose string }
	}
	if err := json.Unmarshal([]byte(read(t, "manifest.webmanifest")), &manifest); err != nil {
		t.Fatal(err)
	}
	purposes := map[string]int{}
	for _, icon := range manifest.Icons {
		read(t, strings.TrimPrefix(icon.Src, "/"))
		purposes[icon.Purpose]++
	}
	// A maskable icon has a margin that any other place would show.
	if purposes[""] == 0 || purposes["maskable"] != 1 || len(purposes) != 2 {
		t.Errorf("icons by purpose: %v", purposes)
	}
}
