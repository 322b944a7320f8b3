// Package previewtest holds what the pages of events promise, wherever they are
// served: on one machine, and by the function behind CloudFront.
package previewtest

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"golang.org/x/net/html"

	"turnout/internal/site"
)

// Run checks the service at url, which serves the API too, and whose visitors
// know it by origin.
func Run(t *testing.T, url, origin string) {
	p := pages{url, origin}
	t.Run("preview", p.preview)
	t.Run("cancelled", p.cancelled)
	t.Run("hostile text", p.hostile)
	t.Run("long text", p.long)
	t.Run("code", p.code)
	t.Run("unknown", p.unknown)
	t.Run("only to be read", p.readOnly)
}

type pages struct{ url, origin string }

func (s pages) preview(t *testing.T) {
	e := s.create(t, map[string]any{
		"title": "Picnic", "dateTime": "2027-05-01T19:30:00-04:00", "timezone": "Europe/Berlin",
		"location": "The park", "description": "Bring cake.\n\n  And   tea.\n",
	})
	for _, token := range []string{e.EventToken, strings.ToUpper(e.EventToken)} {
		p := s.get(t, "/e/"+token)
		p.answered(t, http.StatusOK, textHTML, "public, max-age=60")
		p.tells(t, map[string]string{
			"title":               "Picnic · Turnout",
			"description":         "Sunday, 2 May 2027, 01:30 (Europe/Berlin) · The park\nBring cake.\nAnd tea.",
			"og:site_name":        "Turnout",
			"og:type":             "website",
			"og:title":            "Picnic",
			"og:description":      "Sunday, 2 May 2027, 01:30 (Europe/Berlin) · The park\nBring cake.\nAnd tea.",
			"og:url":              s.origin + "/e/" + e.EventToken,
			"og:image":            s.origin + "/e/" + e.EventToken + "/card.png",
			"og:image:type":       "image/png",
			"og:image:width":      "1200",
			"og:image:height":     "630",
			"og:image:alt":        "Picnic",
			"twitter:card":        "summary_large_image",
			"twitter:title":       "Picnic",
			"twitter:description": "Sunday, 2 May 2027, 01:30 (Europe/Berlin) · The park\nBring cake.\nAnd tea.",
		})
		p.isTheApp(t)
	}
	head := s.do(t, http.MethodHead, "/e/"+e.EventToken)
	head.answered(t, http.StatusOK, textHTML, "public, max-age=60")
	if head.content != "" {
		t.Errorf("HEAD has the body %q", head.content)
	}
}

func (s pages) cancelled(t *testing.T) {
	e := s.create(t, map[string]any{
		"title": "Picnic", "dateTime": "2027-05-01t12:00:00z", "timezone": "UTC", "description": "Bring cake.",
	})
	request, _ := http.NewRequest(http.MethodPatch, s.url+"/api/events/"+e.EventToken+"?organizerToken="+e.OrganizerToken,
		strings.NewReader(`{"cancelled": true, "cancellationReason": "Thunderstorm"}`))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusNoContent {
		t.Fatal(response, err)
	}
	_ = response.Body.Close()
	p := s.get(t, "/e/"+e.EventToken)
	p.answered(t, http.StatusOK, textHTML, "public, max-age=60")
	p.tells(t, map[string]string{
		"title":          "Cancelled: Picnic · Turnout",
		"og:title":       "Cancelled: Picnic",
		"og:description": "Saturday, 1 May 2027, 12:00 (UTC)\nThunderstorm",
	})
}

// What people write is text, in the title of the page and in its tags.
func (s pages) hostile(t *testing.T) {
	const text = `</title><script src="//evil.example"></script>"><img src=x onerror='alert(1)'> &amp; &quot; <!-- ${x} $1 {{.}}` + "\u202e\u0301"
	e := s.create(t, map[string]any{
		"title": text, "dateTime": "2027-05-01T12:00:00Z", "timezone": "UTC", "location": text, "description": text,
	})
	p := s.get(t, "/e/"+e.EventToken)
	p.answered(t, http.StatusOK, textHTML, "public, max-age=60")
	p.tells(t, map[string]string{
		"title":          text + " · Turnout",
		"og:title":       text,
		"twitter:title":  text,
		"og:description": "Saturday, 1 May 2027, 12:00 (UTC) · " + text + "\n" + text,
	})
	p.isTheApp(t)
}

func (s pages) long(t *testing.T) {
	for description, want := range map[string]string{
		strings.Repeat("ü", 2000): strings.Repeat("ü", 200) + " …",
		"\n1\n \n2\r\n3\n4\n5":    "1\n2\n3 …",
		"1\n2\n3\n \n":            "1\n2\n3",
		strings.Repeat(" ", 50):   "",
	} {
		e := s.create(t, map[string]any{
			"title": "Picnic", "dateTime": "2027-05-01T12:00:00Z", "timezone": "UTC", "description": description,
		})
		s.get(t, "/e/"+e.EventToken).tells(t, map[string]string{
			"og:description": strings.TrimSpace("Saturday, 1 May 2027, 12:00 (UTC)\n" + want),
		})
	}
}

// The QR code leads to the page. It needs no event: the address is all there is to it.
func (s pages) code(t *testing.T) {
	token := uuid.NewString()
	for _, path := range []string{"/e/" + token + "/qr.svg", "/e/" + strings.ToUpper(token) + "/qr.svg"} {
		p := s.get(t, path)
		p.answered(t, http.StatusOK, "image/svg+xml", "public, max-age=86400")
		if got, want := scan(t, p.content), s.origin+"/e/"+token; got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

var (
	viewBox = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
	run     = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`)
)

// scan reads a QR code.
func scan(t *testing.T, svg string) string {
	t.Helper()
	const scale = 6
	var width, height int
	if _, err := fmt.Sscanf(viewBox.FindString(svg), `viewBox="0 0 %d %d"`, &width, &height); err != nil {
		t.Fatalf("%v: %s", err, svg)
	}
	picture := image.NewGray(image.Rect(0, 0, width*scale, height*scale))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	for _, match := range run.FindAllString(svg, -1) {
		var x, y, length, back int
		if _, err := fmt.Sscanf(match, "M%d %dh%dv1h-%dz", &x, &y, &length, &back); err != nil || back != length {
			t.Fatal(match, err)
		}
		draw.Draw(picture, image.Rect(x*scale, y*scale, (x+length)*scale, (y+1)*scale), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true})
	if err != nil {
		t.Fatal(err)
	}
	return result.GetText()
}

// Without an event the app says so: it gets its page, and whoever asked hears 404.
func (s pages) unknown(t *testing.T) {
	for _, path := range []string{"/e/" + uuid.NewString(), "/e/x", "/e/x/y", "/e/x/qr.svg", "/e/" + uuid.NewString() + "/", "/e/" + uuid.NewString() + "/y", "/e/" + uuid.NewString() + "/qr.svg/", "/e/%2e%2e%2fapi", "/e/%25", "/e/x?y=%zz", "/e/" + strings.Repeat("x", 4000)} {
		p := s.get(t, path)
		p.answered(t, http.StatusNotFound, textHTML, "no-store")
		if p.content != site.Page() {
			t.Errorf("%.40s: not the plain page but %q", path, p.content)
		}
	}
}

func (s pages) readOnly(t *testing.T) {
	p := s.do(t, http.MethodPost, "/e/"+uuid.NewString())
	if p.StatusCode != http.StatusMethodNotAllowed || p.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%d, Allow %q", p.StatusCode, p.Header.Get("Allow"))
	}
}

type created struct{ EventToken, OrganizerToken string }

func (s pages) create(t *testing.T, body map[string]any) (e created) {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(s.url+"/api/events", "application/json", strings.NewReader(string(content)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&e); err != nil || response.StatusCode != http.StatusCreated {
		t.Fatal(response.Status, err)
	}
	return e
}

// page is an answer and what it says.
type page struct {
	*http.Response
	content string
}

func (s pages) get(t *testing.T, path string) page {
	t.Helper()
	return s.do(t, http.MethodGet, path)
}

func (s pages) do(t *testing.T, method, path string) page {
	t.Helper()
	request, err := http.NewRequest(method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return page{response, string(content)}
}

const textHTML = "text/html; charset=utf-8"

// answered checks the status and the headers that every page of an event has.
func (p page) answered(t *testing.T, status int, contentType, cacheControl string) {
	t.Helper()
	want := append([]site.Header{
		{Name: "Content-Type", Value: contentType},
		{Name: "Cache-Control", Value: cacheControl},
	}, append(site.SecurityHeaders, site.EventHeaders...)...)
	if p.StatusCode != status {
		t.Errorf("%.60s: status %d, want %d", p.Request.URL.Path, p.StatusCode, status)
	}
	for _, header := range want {
		if got := p.Header.Values(header.Name); len(got) != 1 || got[0] != header.Value {
			t.Errorf("%.60s: %s is %q, want %q", p.Request.URL.Path, header.Name, got, header.Value)
		}
	}
}

// tells checks what a messenger reads: each tag is there once, with that content.
func (p page) tells(t *testing.T, want map[string]string) {
	t.Helper()
	got := map[string][]string{}
	title := false
	for tokens := html.NewTokenizer(strings.NewReader(p.content)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		switch {
		case token.Type == html.TextToken && title:
			got["title"] = append(got["title"], token.Data)
		case token.Data == "meta":
			name := attribute(token, "name") + attribute(token, "property")
			got[name] = append(got[name], attribute(token, "content"))
		}
		title = token.Type == html.StartTagToken && token.Data == "title"
	}
	for name, content := range want {
		if len(got[name]) != 1 || got[name][0] != content {
			t.Errorf("%s is %q, want %q", name, got[name], content)
		}
	}
}

// isTheApp checks that, tags for messengers aside, this is the page of the site.
func (p page) isTheApp(t *testing.T) {
	t.Helper()
	if got, want := elements(p.content), elements(site.Page()); got != want {
		t.Errorf("the page holds\n%s\nwant\n%s", got, want)
	}
}

// elements lists the tags of a page but for title and meta.
func elements(page string) string {
	var list strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(page)); tokens.Next() != html.ErrorToken; {
		if token := tokens.Token(); token.Type != html.TextToken && token.Data != "title" && token.Data != "meta" {
			fmt.Fprintln(&list, token)
		}
	}
	return list.String()
}

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
