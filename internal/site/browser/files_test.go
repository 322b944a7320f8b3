package browser

import (
	"encoding/csv"
	"reflect"
	"strings"
	"testing"
)

func TestFilesAreNamedAfterTheEvent(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, manner{})
	for title, want := range map[string]string{
		"Rooftop supper!":          "Rooftop-supper.csv",
		"../../etc/passwd\x00.exe": "etc-passwd-exe.csv",
		"दिवाली की दावत":           "दिवाली-की-दावत.csv",
		"🥣":                        "turnout.csv",
	} {
		v.Open(announce(t, supper("title", title), "Ada").private())
		if name, _ := v.Download("Download CSV"); name != want {
			t.Errorf("the list of %q is called %q, want %q", title, name, want)
		}
	}
}

func TestGuestListAsCSV(t *testing.T) {
	t.Parallel()
	names := []string{
		"Ada", `Quote "Q", comma`, "two\nlines", "Ünïcode 🥣",
		"=1+1", "+1", "-1", "@SUM(A1)", "\tTab", " =1+1", "＝1+1", "a=b",
	}
	_, v := organizing(t, names...)
	_, content := v.Download("Download CSV")
	content, marked := strings.CutPrefix(content, "\ufeff")
	if !marked {
		t.Error("a spreadsheet would not know that it is UTF-8")
	}
	if lines := strings.Count(content, "\r\n"); lines != len(names)+1 {
		t.Errorf("%d lines end as they should, want %d", lines, len(names)+1)
	}
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	v.Must(err)
	want := [][]string{
		{"Name"}, {"Ada"}, {`Quote "Q", comma`}, {"two\nlines"}, {"Ünïcode 🥣"},
		{"'=1+1"}, {"'+1"}, {"'-1"}, {"'@SUM(A1)"}, {"'\tTab"}, {"' =1+1"}, {"'＝1+1"}, {"a=b"},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
}
