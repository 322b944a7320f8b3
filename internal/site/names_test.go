package site

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
)

// TestSameName compares the same pairs of names as the browser test of src/lib/text.ts.
func TestSameName(t *testing.T) {
	content, err := os.ReadFile("testdata/names.json")
	var names struct{ Same, SameBesides, Different [][]string }
	if err := errors.Join(err, json.Unmarshal(content, &names)); err != nil {
		t.Fatal(err)
	}
	check := func(groups [][]string, want bool) {
		for _, group := range groups {
			for _, other := range group[1:] {
				if sameName(group[0], other) != want {
					t.Errorf("%q and %q: same %t", group[0], other, !want)
				}
			}
		}
	}
	check(append(names.Same, names.SameBesides...), true)
	check(names.Different, false)
}

// TestPlaceInLine uses the same places as the browser test of src/lib/text.ts.
func TestPlaceInLine(t *testing.T) {
	content, err := os.ReadFile("testdata/places.json")
	var places map[string]string
	if err := errors.Join(err, json.Unmarshal(content, &places)); err != nil {
		t.Fatal(err)
	}
	for place, want := range places {
		if got := InLine(&place); got != want {
			t.Errorf("%q is %q, want %q", place, got, want)
		}
	}
	if lines := InLines(new(" a \r\n\n b  c\n")); lines != "a\nb c" || InLines(nil) != "" {
		t.Errorf("the lines are %q", lines)
	}
}
