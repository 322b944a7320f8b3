package benchmark

import (
	"io"
	"net/http"
	"path/filepath"

	"turnout/internal/site"
)

// firstVisits compares the compressed files of a first visit in English, without the page itself, with their aims. The
// files are as turnout sends them to a browser.
func firstVisits(r *report, bin string) {
	server, _ := startServer(r.t, []string{"PORT=0", "DATA_DIR=" + r.t.TempDir()}, filepath.Join(bin, "turnout"))
	size := func(path string) float64 {
		request, err := http.NewRequest(http.MethodGet, "http://"+server+path, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		request.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			r.t.Fatal(err)
		}
		defer response.Body.Close()
		sent, err := io.Copy(io.Discard, response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			r.t.Fatal(path, response.Status, err)
		}
		return float64(sent)
	}
	const kilobyte = 1000
	for _, c := range []struct {
		name  string
		aim   float64
		files []string
	}{
		{"first visit: home", 35 * kilobyte, []string{
			site.Script, site.Home, site.Style, site.HomeStyle, site.Texts("en", site.Home),
		}},
		{"first visit: guests", 26 * kilobyte, []string{site.Script, site.Guests, site.Texts("en", site.Guests)}},
		{"first visit: organizers", 32 * kilobyte, []string{
			site.Script, site.Organize, site.OrganizeStyle, site.Texts("en", site.Organize),
		}},
	} {
		var bytes float64
		for _, source := range c.files {
			bytes += size(site.Names()[source])
		}
		r.ratio(c.name, values{bytes}, values{c.aim}, "bytes", "its aim", 1)
	}
}
