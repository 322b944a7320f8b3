package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"time"
)

// A Config has the site's settings, which the operator chooses.
type Config struct {
	Origin string // such as https://turnout.example.org; if empty, event pages have the origin that the visitor uses
	About  string // URL of the imprint and the privacy notice, to which every page links; may be empty
}

// Assets is the path prefix of files whose names have a hash of their sources. Such a file never changes, and stays
// available for good.
const Assets = "/assets/"

// Index is the path of the site's only static page.
const Index = "/index.html"

// A File is a file of the site, with the headers and the content that every server sends.
type File struct {
	Path         string `json:"path"`        // begins with a slash
	ContentType  string `json:"contentType"` // empty for unknown extensions
	CacheControl string `json:"cacheControl"`
	Content      []byte `json:"content"`
}

// NewFile returns the file with the content type and the cache rule of its path.
func NewFile(name string, content []byte) File {
	rule := cmp.Or(cacheRules[path.Ext(name)], "public, max-age=3600, must-revalidate")
	if path.Dir(name)+"/" == Assets {
		rule = "public, max-age=31536000, immutable"
	}
	return File{name, ContentTypes[path.Ext(name)], rule, content}
}

// cacheRules has the kinds of files with a rule other than the default.
var cacheRules = map[string]string{
	// Pages name the other files, so a browser must not use an old page.
	".html": "no-cache",
	".js":   "no-cache", // only the worker is not an asset
}

// ContentTypes lists the kinds of files of the site.
var ContentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/vnd.microsoft.icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// filePath matches paths of the form that the site's files have.
var filePath = regexp.MustCompile(`^(/[a-zA-Z0-9_-]+)*/[a-zA-Z0-9_-]+(\.[a-z0-9]+)$`)

// IsFile reports whether a path has the form of a file's path, whether or not the file exists. All other paths get the
// page, whose script routes by the path. CloudFront decides by SiteFallback in template.yaml, and a test compares
// IsFile with SiteFallback.
func IsFile(path string) bool {
	part := filePath.FindStringSubmatch(path)
	return part != nil && ContentTypes[part[2]] != ""
}

// NewHandler serves the site's files. For all other paths it serves the page, whose script routes by the path.
func NewHandler(files []File) http.Handler {
	type served struct {
		File
		etag string
	}
	byPath := map[string]served{}
	for _, file := range files {
		byPath[file.Path] = served{file, fmt.Sprintf(`"%x"`, sha256.Sum256(file.Content))}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !readOnly(w, r) {
			return
		}
		setHeaders(w, SecurityHeaders)
		name := r.URL.Path
		if !IsFile(name) {
			name = Index
		}
		file, ok := byPath[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", file.ContentType)
		w.Header().Set("Cache-Control", file.CacheControl)
		w.Header().Set("ETag", file.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.Content))
	})
}

// readOnly reports whether a request only reads. It refuses any other request.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	setHeaders(w, SecurityHeaders)
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "This page supports only GET and HEAD.", http.StatusMethodNotAllowed)
	return false
}
