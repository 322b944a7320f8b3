package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"turnout/internal/middleware"
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

// A Coding is a content coding in which a server may send texts.
type Coding struct {
	Name   string // in lower case, as in Content-Encoding
	Encode func(content []byte) []byte
}

// NewHandler serves the site's files. For all other paths it serves the page, whose script routes by the path. A text
// is sent in the coding that the client prefers, of equals in the first. Each text is encoded once, at the first
// request for the coding. A text that a coding does not make smaller is sent as it is.
func NewHandler(files []File, codings ...Coding) http.Handler {
	type served struct {
		File
		forms map[string]func() form // by coding; "" has the file as it is
	}
	var offered []string
	for _, coding := range codings {
		offered = append(offered, coding.Name)
	}
	byPath := map[string]served{}
	for _, file := range files {
		plain := newForm("", file.Content)
		forms := map[string]func() form{"": func() form { return plain }}
		for _, coding := range codings {
			forms[coding.Name] = sync.OnceValue(func() form {
				if encoded := coding.Encode(file.Content); len(encoded) < len(file.Content) {
					return newForm(coding.Name, encoded)
				}
				return plain
			})
		}
		byPath[file.Path] = served{file, forms}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !readOnly(w, r) {
			return
		}
		name := r.URL.Path
		if !IsFile(name) {
			name = Index
		}
		file, ok := byPath[name]
		if ok && strings.HasPrefix(name, Assets) {
			setHeaders(w, assetHeaders)
		} else {
			setHeaders(w, SecurityHeaders)
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		coding := ""
		if isText(file.ContentType) {
			w.Header().Set("Vary", "Accept-Encoding")
			coding = middleware.Coding(strings.Join(r.Header.Values("Accept-Encoding"), ","), offered...)
		}
		sent := file.forms[coding]()
		if sent.coding != "" {
			w.Header().Set("Content-Encoding", sent.coding)
		}
		w.Header().Set("Content-Type", file.ContentType)
		w.Header().Set("Cache-Control", file.CacheControl)
		w.Header().Set("ETag", sent.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(sent.content))
	})
}

// A form is the content of a file as it is, or in a coding. Each form has its own ETag (RFC 9110, section 8.8.3.3).
type form struct {
	coding, etag string
	content      []byte
}

func newForm(coding string, content []byte) form {
	return form{coding, fmt.Sprintf(`"%x"`, sha256.Sum256(content)), content}
}

// isText reports whether a content type is a text. Other files, images and fonts, are compressed already.
func isText(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml")
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
