package browser

import (
	_ "embed"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"turnout/internal/site/locale"
)

var update = flag.Bool("update", false, "write testdata/words instead of comparing with it")

//go:embed testdata/words.js
var sentences string

// TestWords: each sentence with a date, a name or a number is in testdata/words, one file
// for each language, where somebody who knows the language can read them. After a change,
// run the test with -update and have someone read the diff.
func TestWords(t *testing.T) {
	v := newVisitor(t, manner{Zone: "Europe/Berlin"})
	openSources(v)
	for _, language := range locale.Languages() {
		name := filepath.Join("testdata", "words", language+".txt")
		got := eval[string](v, sentences+`(%s)`, language)
		if strings.Contains(got, "undefined") || strings.Contains(got, "{") {
			t.Errorf("%s: a value is missing in\n%s", language, got)
		}
		if *update {
			v.Must(os.MkdirAll(filepath.Dir(name), 0o755))
			v.Must(os.WriteFile(name, []byte(got), 0o644))
			continue
		}
		content, err := os.ReadFile(name)
		v.Must(err)
		want, lines := strings.SplitAfter(string(content), "\n"), strings.SplitAfter(got, "\n")
		for _, line := range slices.Concat(want, lines) {
			if listed, said := slices.Contains(want, line), slices.Contains(lines, line); listed != said {
				t.Errorf("%s: listed %t, said by the site %t: %s", name, listed, said, line)
			}
		}
	}
}
