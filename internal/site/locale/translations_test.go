package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"turnout/internal/site/src"
)

// These expressions find the keys of texts. In a script any literal may be a key, because types check the keys for t.
var inScript, inGo = regexp.MustCompile(`'([\w.]+)'`), regexp.MustCompile(`\.Text[( ]"([\w.]+)"`)

func texts(t *testing.T, language string) map[string]any {
	t.Helper()
	var found map[string]any
	if err := json.Unmarshal(src.Read("locales/"+language+".json"), &found); err != nil {
		t.Fatalf("locales/%s.json: %v", language, err)
	}
	return found
}

func TestEveryTextIsThereAndUsed(t *testing.T) {
	asked, shown := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		ofTests := strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata")
		ofServer := slices.Contains([]string{".go", ".html"}, path.Ext(name))
		if err != nil || ofTests || !src.IsModule(name) && !ofServer {
			return err
		}
		keys, found := inGo, asked
		if src.IsModule(name) {
			keys, found = inScript, shown
		}
		content, err := os.ReadFile(name)
		for _, match := range keys.FindAllStringSubmatch(string(content), -1) {
			found[match[1]] = true
		}
		return err
	})
	if err != nil || len(asked) == 0 || len(shown) == 0 {
		t.Fatal(asked, shown, err)
	}
	for _, language := range Languages() {
		have := texts(t, language)
		for _, key := range slices.Sorted(maps.Keys(asked)) {
			if _, ok := have[key]; !ok {
				t.Errorf("locales/%s.json lacks %q", language, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(have)) {
			if !asked[key] && !shown[key] {
				t.Errorf("locales/%s.json has %q, which nothing uses", language, key)
			}
			if shown[key] && strings.HasPrefix(key, "server.") {
				t.Errorf("a script shows %q, which it does not load", key)
			}
		}
	}
}

// categories maps sets of CLDR's plural categories to the languages that have these categories.
var categories = map[string]string{
	"few many one other two zero": "ar", "one other": "de en nl tr", "many one other": "es fr it pt", "other": "ja", "few many one other": "pl uk",
}

// shape returns the names of a text's values and its plural forms. A translation must have the same names as its
// original. A form for exactly one number may write this number as a word.
func shape(text any) (names []string, forms []string) {
	name := regexp.MustCompile(`\{\w+\}`)
	switch text := text.(type) {
	case string:
		names = name.FindAllString(text, -1)
	case map[string]any:
		forms = slices.Sorted(maps.Keys(text))
		for _, form := range forms {
			found, ok := text[form].(string)
			if !ok || strings.TrimSpace(found) == "" {
				return nil, nil
			}
			names = append(names, name.FindAllString(found, -1)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), forms
}

// spoken maps the keys of controls' labels to the keys of their accessible names, which must contain the label (WCAG
// 2.2, criterion 2.5.3).
var spoken = map[string]string{
	"yours.cancel": "yours.cancelName", "yours.remove": "yours.removeName", "yours.undo": "yours.undoName",
}

// asInEnglish has the texts that may be the same in a translation as in English.
var asInEnglish = []string{
	"+1 week", "{date} ({zone})", "A–Z", "Date", "Description", "E-mail", "Name", "OK", "· optional",
}

// toTranslate has the keys of texts that some translations still have in English. A change with such a text may land:
// somebody else adds the translations, and removes the key.
var toTranslate = []string{}

// TestHonorificStaysWithTheName: in Japanese a line may end after a Latin name, and inside the word after the name.
// Word joiners forbid both.
func TestHonorificStaysWithTheName(t *testing.T) {
	for key, text := range texts(t, "ja") {
		if said := fmt.Sprint(text); strings.Contains(said, "}さ") || strings.Contains(said, "さん") {
			t.Errorf("%s needs \\u2060 before さ and before ん: %s", key, said)
		}
	}
}

func TestTranslationsAreComplete(t *testing.T) {
	english, waiting := texts(t, Default), map[string]bool{}
	for _, language := range Languages() {
		translation := texts(t, language)
		for seen, name := range spoken {
			heard := strings.ToLower(fmt.Sprint(translation[name]))
			if !strings.Contains(heard, strings.ToLower(fmt.Sprint(translation[seen]))) {
				t.Errorf("%s in %s does not have the words of %s", name, language, seen)
			}
		}
		for key, text := range english {
			want, counted := shape(text)
			got, forms := shape(translation[key])
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s names %v, want %v", key, language, got, want)
			}
			has := strings.Contains(categories[strings.Join(forms, " ")], language)
			if (counted == nil) != (forms == nil) || counted != nil && !has {
				t.Errorf("%s in %s has the forms %v, but categories has others of that language", key, language, forms)
			}
			said, _ := text.(string)
			untranslated := language != Default && reflect.DeepEqual(translation[key], text)
			switch {
			case untranslated && slices.Contains(toTranslate, key):
				waiting[key] = true
			case untranslated && !slices.Contains(asInEnglish, said):
				t.Errorf("%s in %s is the English text: if it is the same word, add it to asInEnglish; "+
					"if you do not know the language, add the key to toTranslate", key, language)
			}
			if said, ok := translation[key].(string); ok && strings.TrimSpace(said) == "" {
				t.Errorf("%s in %s says nothing", key, language)
			}
			// A form may omit the number only if the form is for exactly one number, or if the original omits the
			// number.
			all, _ := translation[key].(map[string]any)
			original, _ := text.(map[string]any)
			for form, said := range all {
				first, _ := original[form].(string)
				oneIsMany := slices.Contains([]string{"fr", "pt", "uk"}, language) // "one" includes 0 or 21
				alone := form == "zero" || form == "two" ||
					form == "one" && (!oneIsMany || !strings.Contains(first, "{n}"))
				if slices.Contains(want, "{n}") && !alone && !strings.Contains(said.(string), "{n}") {
					t.Errorf("%s in %s: the form %q does not tell the number", key, language, form)
				}
			}
		}
	}
	for _, key := range toTranslate {
		if !waiting[key] {
			t.Errorf("%s is translated: remove it from toTranslate", key)
		}
	}
}
