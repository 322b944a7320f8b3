package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"time"
)

// NewHandler serves the files of the site, and for all other paths the page: the app
// routes by the path.
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
		file := byPath[Index]
		if IsFile(r.URL.Path) {
			var ok bool
			if file, ok = byPath[r.URL.Path]; !ok {
				http.NotFound(w, r)
				return
			}
		}
		w.Header().Set("Content-Type", file.ContentType)
		w.Header().Set("Cache-Control", file.CacheControl)
		w.Header().Set("ETag", file.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.Content))
	})
}

// readOnly reports whether a request only reads, and answers it otherwise.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	setHeaders(w, SecurityHeaders)
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "This page supports only GET and HEAD.", http.StatusMethodNotAllowed)
	return false
}
