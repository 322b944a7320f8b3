package browser

import "testing"

// What is in the list for spreadsheets is tested in package site.
func TestFilesAreNamedAfterTheEvent(t *testing.T) {
	t.Parallel()
	_, v := organizing(t, "Ada", "=1+1")
	name, content := v.Download("Download CSV")
	if name != "Rooftop-supper.csv" || content != "\ufeff\"Name\"\r\n\"Ada\"\r\n\"'=1+1\"\r\n" {
		t.Errorf("%s holds %q", name, content)
	}
	openSources(v)
	for title, want := range map[string]string{
		"../../etc/passwd\x00.exe": "etc-passwd-exe", "दिवाली की दावत": "दिवाली-की-दावत", "🥣": "turnout",
	} {
		if got := eval[string](v, `import('/lib/text.js').then(({ fileName }) => fileName(%s, ''))`, title); got != want {
			t.Errorf("the file of %q is called %q, want %q", title, got, want)
		}
	}
}
