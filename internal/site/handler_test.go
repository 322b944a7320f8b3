package site_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"turnout/internal/site"
	"turnout/internal/site/bundle"
)

func send(t *testing.T, method, path string, headers ...string) *http.Response {
	t.Helper()
	return sendTo(newHandler(t), method, path, headers...)
}

func newHandler(t *testing.T, codings ...site.Coding) http.Handler {
	t.Helper()
	files, err := bundle.Files(site.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return site.NewHandler(files, codings...)
}

func sendTo(handler http.Handler, method, path string, headers ...string) *http.Response {
	request := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestFilesAreServedAsListed(t *testing.T) {
	const (
		page   = "no-cache"
		kept   = "public, max-age=31536000, immutable"
		hourly = "public, max-age=3600, must-revalidate"
	)
	ofAssets := []string{"Referrer-Policy", "Strict-Transport-Security", "X-Content-Type-Options"}
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
			value := header.Value
			if want[1] == kept && !slices.Contains(ofAssets, header.Name) {
				value = "" // a first visit would take more bytes
			}
			if got := answer.Header.Get(header.Name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, header.Name, got, value)
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

// deflated returns codings that count their calls in times.
func deflated(times *atomic.Int32) []site.Coding {
	coding := func(name string, writer func(io.Writer) io.WriteCloser) site.Coding {
		return site.Coding{Name: name, Encode: func(content []byte) []byte {
			times.Add(1)
			var encoded bytes.Buffer
			w := writer(&encoded)
			_, _ = w.Write(content)
			_ = w.Close()
			return encoded.Bytes()
		}}
	}
	return []site.Coding{
		coding("deflate", func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }),
		coding("gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }),
	}
}

// TestCodings: a text is sent in the coding that the client prefers. Each form has its own ETag, which names it in
// conditions and ranges. HEAD gets the headers of GET.
func TestCodings(t *testing.T) {
	handler := newHandler(t, deflated(new(atomic.Int32))...)
	plain := map[string]func(io.Reader) (io.Reader, error){
		"":        func(r io.Reader) (io.Reader, error) { return r, nil },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	read := func(r io.Reader) string {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		return string(content)
	}
	const accept = "Accept-Encoding"
	for _, path := range []string{"/", "/organize", site.Names()[site.Script], site.Worker, "/icon.svg"} {
		content, etags := read(sendTo(handler, "GET", path).Body), map[string]string{}
		for _, test := range []struct {
			headers []string
			coding  string
		}{
			{nil, ""},
			{[]string{accept, "gzip, deflate"}, "deflate"},
			{[]string{accept, "deflate;q=0", accept, "gzip"}, "gzip"},
		} {
			get := func(method string, headers ...string) (a *http.Response, body string) {
				a = sendTo(handler, method, path, append(test.headers, headers...)...)
				if vary := a.Header.Get("Vary"); vary != accept {
					t.Errorf("%s %s, %v: Vary is %q", method, path, headers, vary)
				}
				return a, read(a.Body)
			}
			whole, sent := get("GET")
			r, err := plain[test.coding](strings.NewReader(sent))
			coding := whole.Header.Get("Content-Encoding")
			if coding != test.coding || err != nil || read(r) != content {
				t.Errorf("%s in %q: coding %q, %v, or other content", path, test.coding, coding, err)
				continue
			}
			etag := whole.Header.Get("ETag")
			if of, again := etags[etag]; again {
				t.Errorf("%s has the ETag %s in %q and in %q", path, etag, of, test.coding)
			}
			etags[etag] = test.coding
			head, body := get("HEAD")
			for name, value := range whole.Header {
				if head.Header.Get(name) != value[0] || body != "" {
					t.Errorf("HEAD %s in %q: %s is %q, want %q", path, coding, name, head.Header.Get(name), value)
				}
			}
			if a, _ := get("GET", "If-None-Match", "W/"+etag); a.StatusCode != http.StatusNotModified ||
				a.Header.Get("ETag") != etag || a.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s with its ETag in %q: %d, %v", path, coding, a.StatusCode, a.Header)
			}
			for other := range etags {
				status, want := http.StatusPartialContent, sent[3:9]
				if other != etag {
					status, want = http.StatusOK, sent
				}
				a, part := get("GET", "Range", "bytes=3-8", "If-Range", other)
				if a.StatusCode != status || part != want {
					t.Errorf("%s in %q: %d, a part of %q if it is %s", path, coding, a.StatusCode, part, other)
				}
				a, _ = get("GET", "If-None-Match", other)
				if (a.StatusCode == http.StatusNotModified) != (other == etag) {
					t.Errorf("%s in %q with the ETag %s: %d, its own is %s", path, coding, other, a.StatusCode, etag)
				}
			}
		}
	}
}

// TestSomeFilesHaveOneForm: an image or a font has one form, and a coding that makes a text longer is not used.
func TestSomeFilesHaveOneForm(t *testing.T) {
	handler := newHandler(t, deflated(new(atomic.Int32))...)
	for path, vary := range map[string]string{
		site.Names()["/fonts/onest-latin.woff2"]: "", "/favicon.ico": "", "/robots.txt": "Accept-Encoding",
	} {
		etag := sendTo(handler, "GET", path).Header.Get("ETag")
		a := sendTo(handler, "GET", path, "Accept-Encoding", "gzip")
		got := [3]string{a.Header.Get("Content-Encoding"), a.Header.Get("Vary"), a.Header.Get("ETag")}
		if a.StatusCode != http.StatusOK || got != [3]string{"", vary, etag} {
			t.Errorf("%s: %d, coding, Vary and ETag %q", path, a.StatusCode, got)
		}
	}
}

// TestFilesAreEncodedOnce: first requests at the same time encode a file once, and only in the coding that they get.
func TestFilesAreEncodedOnce(t *testing.T) {
	var times atomic.Int32
	handler := newHandler(t, deflated(&times)...)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { sendTo(handler, "GET", "/", "Accept-Encoding", "gzip") })
	}
	all.Wait()
	if n := times.Load(); n != 1 {
		t.Errorf("the page is encoded %d times", n)
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
