package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/andybalholm/brotli"

	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

// TestSiteIsCompressed: a browser gets the site's files with Brotli, smaller than with gzip. Event pages, which are
// made for each request, have gzip.
func TestSiteIsCompressed(t *testing.T) {
	s := start(t, []string{"PORT=0", "DATA_DIR=" + t.TempDir()})
	get := func(path, accepted string) (coding string, size int, content []byte) {
		request, err := http.NewRequest(http.MethodGet, s.url+path, nil)
		must(t, err)
		request.Header.Set("Accept-Encoding", accepted) // with it, the client decodes nothing
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		defer response.Body.Close()
		sent, err := io.ReadAll(response.Body)
		must(t, err)
		coding, content = response.Header.Get("Content-Encoding"), sent
		switch coding {
		case "br":
			content, err = io.ReadAll(brotli.NewReader(bytes.NewReader(sent)))
		case "gzip":
			var r *gzip.Reader
			r, err = gzip.NewReader(bytes.NewReader(sent))
			must(t, err)
			content, err = io.ReadAll(r)
		}
		must(t, err)
		return coding, len(sent), content
	}
	files, err := bundle.Files(site.Config{})
	must(t, err)
	encoded := 0
	for _, file := range files {
		gzipped, more, _ := get(file.Path, "gzip")
		coding, size, content := get(file.Path, "gzip, deflate, br, zstd")
		if !bytes.Equal(content, file.Content) || gzipped == "gzip" && (coding != "br" || size >= more) {
			t.Errorf("%s has %d bytes with gzip, and %d with %q, or other content", file.Path, more, size, coding)
		}
		if coding == "br" {
			encoded++
		}
	}
	if encoded < len(files)/2 {
		t.Errorf("%d of %d files are encoded", encoded, len(files))
	}
	coding, _, content := get(site.EventPages+s.create(t), "gzip, deflate, br, zstd")
	if coding != "gzip" || !bytes.Contains(content, []byte("Garden party")) {
		t.Errorf("an event's page has the coding %q, or lacks the title", coding)
	}
}
