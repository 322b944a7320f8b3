package site_test

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

func send(t *testing.T, method, path string, headers ...string) *http.Response {
	t.Helper()
	files, err := bundle.Files(site.Config{})
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	site.NewHandler(files).ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestFilesAreServedAsListed(t *testing.T) {
	const (
		page   = "no-cache"
		kept   = "public, max-age=31536000, immutable"
		hourly = "public, max-age=3600, must-revalidate"
	)
	names := site.Names()
	for path, want := range map[string][2]string{
		"/":                            {"text/html; charset=utf-8", page},
		"/index.html":                  {"text/html; charset=utf-8", page},
		"/no/such/page":                {"text/html; charset=utf-8", page},
		names[site.Script]:             {"text/javascript; charset=utf-8", kept},
		names[site.Style]:              {"text/css; charset=utf-8", kept},
		names["/locales/de-home.json"]: {"application/json", kept},
		site.Worker:                    {"text/javascript; charset=utf-8", page},
		"/manifest.webmanifest":        {"application/manifest+json", hourly},
		"/icon.svg":                    {"image/svg+xml", hourly},
		"/robots.txt":                  {"text/plain; charset=utf-8", hourly},
		"/favicon.ico":                 {"image/vnd.microsoft.icon", hourly},
	} {
		answer := send(t, http.MethodGet, path)
		got := [2]string{answer.Header.Get("Content-Type"), answer.Header.Get("Cache-Control")}
		if got != want || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d, %q, want %q", path, answer.StatusCode, got, want)
		}
		for _, header := range site.SecurityHeaders {
			if got := answer.Header.Get(header.Name); got != header.Value {
				t.Errorf("%s: %s is %q, want %q", path, header.Name, got, header.Value)
			}
		}
	}
}

// TestPolicyAllowsTheScriptInThePage: the policy has the hash of the page's inline script, and allows no other inline
// script.
func TestPolicyAllowsTheScriptInThePage(t *testing.T) {
	answer := send(t, http.MethodGet, "/")
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllSubmatch(page, -1)
	if len(scripts) != 1 {
		t.Fatalf("%d scripts in %s", len(scripts), page)
	}
	sum := sha256.Sum256(scripts[0][1])
	want := "; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; "
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, want) {
		t.Errorf("the policy %q lacks %q", policy, want)
	}
}

// TestMissingFilesAreNotThePage: a request for a missing script must not get the page, which the browser would run as a
// script. The sources of a bundle are not served.
func TestMissingFilesAreNotThePage(t *testing.T) {
	for _, path := range []string{"/missing.js", "/locales/fr.json", "/app.js", "/assets/app-0123456789abcdef.js"} {
		if status := send(t, http.MethodGet, path).StatusCode; status != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, status)
		}
	}
}

func TestUnchangedFilesAreNotSentAgain(t *testing.T) {
	etag := send(t, http.MethodGet, "/icon.svg").Header.Get("ETag")
	for path, want := range map[string]int{"/icon.svg": http.StatusNotModified, "/": http.StatusOK} {
		if status := send(t, http.MethodGet, path, "If-None-Match", etag).StatusCode; status != want {
			t.Errorf("%s with the ETag of the icon: status %d, want %d", path, status, want)
		}
	}
}

func TestSiteIsReadOnly(t *testing.T) {
	for method, status := range map[string]int{
		"GET": 200, "HEAD": 200, "POST": 405, "PUT": 405, "DELETE": 405, "OPTIONS": 405,
	} {
		response := send(t, method, "/")
		allow := response.Header.Get("Allow")
		if response.StatusCode != status || (allow == "GET, HEAD") != (status == 405) {
			t.Errorf("%s: status %d, Allow %q", method, response.StatusCode, allow)
		}
	}
}
