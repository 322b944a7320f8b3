package browser

import "testing"

// The names leave the page as a file and by the clipboard. What is in the list for spreadsheets is tested in package site.
func TestFilesAreNamedAfterTheEvent(t *testing.T) {
	t.Parallel()
	_, v := organizing(t, "Ada", "=1+1", "two\nlines")
	name, content := v.Download("Download CSV")
	if name != "Rooftop-supper.csv" || content != "\ufeff\"Name\"\r\n\"Ada\"\r\n\"'=1+1\"\r\n\"two\nlines\"\r\n" {
		t.Errorf("%s holds %q", name, content)
	}
	v.Grant()
	same(v, "the names", v.Copy("Copy names"), "Ada\n=1+1\ntwo lines")
	openSources(v)
	for title, want := range map[string]string{
		"../../etc/passwd\x00.exe": "etc-passwd-exe", "दिवाली की दावत": "दिवाली-की-दावत", "🥣": "turnout",
	} {
		is(v, `import('/lib/text.js').then(({ fileName }) => fileName(%s, ''))`, want, title)
	}
}
