package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"turnout/internal/site"
)

const index = "index.html"

// isAPI reports whether the API answers at this path, and not the site.
func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// isEventPage reports whether this is the page of an event, with its preview.
func isEventPage(path string) bool {
	token, below := strings.CutPrefix(path, site.EventPages)
	return below && token != ""
}

// page is a file of the site, ready to be sent.
type page struct {
	site.File
	content []byte
	etag    string
}

// newSite serves the files of the site, and index.html where the path names none:
// the app finds the page by the path.
func newSite() http.Handler {
	pages := readSite()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sendHeaders(w, site.SecurityHeaders)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "The site is only to be read.", http.StatusMethodNotAllowed)
			return
		}
		file := pages[index]
		if site.IsFile(r.URL.Path) {
			var ok bool
			if file, ok = pages[r.URL.Path[1:]]; !ok {
				http.NotFound(w, r)
				return
			}
		}
		w.Header().Set("Content-Type", file.ContentType)
		w.Header().Set("Cache-Control", file.CacheControl)
		w.Header().Set("ETag", file.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
	})
}

func sendHeaders(w http.ResponseWriter, headers []site.Header) {
	for _, header := range headers {
		w.Header().Set(header.Name, header.Value)
	}
}

// readSite reads the embedded files. They are part of the program: what does
// not fit there is a mistake in it, and a test finds it.
func readSite() map[string]page {
	pages := map[string]page{}
	err := fs.WalkDir(site.Site, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(site.Site, name)
		if err != nil {
			return err
		}
		file, ok := site.FileAt(name)
		if !ok {
			return fmt.Errorf("internal/site/headers.go does not say how %s is served", name)
		}
		pages[strings.TrimPrefix(name, "static/")] = page{file, content, fmt.Sprintf(`"%x"`, sha256.Sum256(content))}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return pages
}
