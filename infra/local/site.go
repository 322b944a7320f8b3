package main

import (
	"bytes"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"turnout/infra"
)

// isAPI reports whether the API answers at this path, and not the site.
func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// newSite serves the files of the site, and index.html where there is none: the
// app finds the page by the path.
func newSite() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "The site is only to be read.", http.StatusMethodNotAllowed)
			return
		}
		name := path.Join("site", path.Clean("/"+r.URL.Path))
		content, err := fs.ReadFile(infra.Site, name)
		if err != nil {
			name = "site/index.html"
			content, _ = fs.ReadFile(infra.Site, name)
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}
