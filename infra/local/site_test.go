package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"turnout/internal/site"
)

func get(t *testing.T, path string, headers ...string) *http.Response {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	newSite().ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestSiteSendsHeadersAsWrittenDown(t *testing.T) {
	for path, want := range map[string]site.File{
		"/":                     {ContentType: "text/html; charset=utf-8", CacheControl: "no-cache"},
		"/no/such/page":         {ContentType: "text/html; charset=utf-8", CacheControl: "no-cache"},
		"/app.js":               {ContentType: "text/javascript; charset=utf-8", CacheControl: "public, max-age=60, must-revalidate"},
		"/app.css":              {ContentType: "text/css; charset=utf-8", CacheControl: "public, max-age=60, must-revalidate"},
		"/locales/de.json":      {ContentType: "application/json", CacheControl: "public, max-age=60, must-revalidate"},
		"/manifest.webmanifest": {ContentType: "application/manifest+json", CacheControl: "public, max-age=60, must-revalidate"},
	} {
		response := get(t, path)
		if got := (site.File{ContentType: response.Header.Get("Content-Type"), CacheControl: response.Header.Get("Cache-Control")}); got != want {
			t.Errorf("%s: served as %+v, want %+v", path, got, want)
		}
		for _, header := range site.SecurityHeaders {
			if got := response.Header.Get(header.Name); got != header.Value {
				t.Errorf("%s: %s is %q, want %q", path, header.Name, got, header.Value)
			}
		}
	}
}

// A page in place of a script would be run as one.
func TestSiteHasNoPageForMissingFiles(t *testing.T) {
	for _, path := range []string{"/missing.js", "/locales/fr.json"} {
		if status := get(t, path).StatusCode; status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, status)
		}
	}
}

func TestSiteAnswersThatNothingChanged(t *testing.T) {
	etag := get(t, "/app.js").Header.Get("ETag")
	if status := get(t, "/app.js", "If-None-Match", etag).StatusCode; status != http.StatusNotModified {
		t.Errorf("the same ETag: status %d, want 304", status)
	}
	if status := get(t, "/app.css", "If-None-Match", etag).StatusCode; status != http.StatusOK {
		t.Errorf("another file's ETag: status %d, want 200", status)
	}
}
