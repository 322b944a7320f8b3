package benchmark

import (
	"bytes"
	"compress/gzip"

	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

// firstVisits compares the compressed files of a first visit in English, without the page itself, with their aims.
func firstVisits(r *report, _ string) {
	files, err := bundle.Files(site.Config{})
	if err != nil {
		r.t.Fatal(err)
	}
	sizes := map[string]float64{}
	for _, file := range files {
		var compressed bytes.Buffer
		w := gzip.NewWriter(&compressed)
		_, _ = w.Write(file.Content)
		_ = w.Close()
		sizes[file.Path] = float64(compressed.Len())
	}
	const kilobyte = 1000
	for _, c := range []struct {
		name  string
		aim   float64
		files []string
	}{
		{"first visit: home", 37 * kilobyte, []string{
			site.Script, site.Home, site.Style, site.HomeStyle, site.Texts("en", site.Home),
		}},
		{"first visit: guests", 26 * kilobyte, []string{site.Script, site.Guests, site.Texts("en", site.Guests)}},
		{"first visit: organizers", 37 * kilobyte, []string{
			site.Script, site.Organize, site.OrganizeStyle, site.Texts("en", site.Organize),
		}},
	} {
		var bytes float64
		for _, source := range c.files {
			bytes += sizes[site.Names()[source]]
		}
		r.ratio(c.name, bytes, c.aim, "bytes", "its aim", 1)
	}
}
