// Package previewtest is the contract of the pages of events as a suite. It runs
// against the local server and the function behind CloudFront.
package previewtest

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"iter"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"golang.org/x/net/html"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
)

// Run checks the service at url, which serves the API too, and whose visitors
// address it by origin.
func Run(t *testing.T, url, origin string) {
	p := pages{url, origin}
	t.Run("preview", p.preview)
	t.Run("event in the page", p.content)
	t.Run("punctuation after the link", p.punctuation)
	t.Run("language", p.language)
	t.Run("cancelled", p.cancelled)
	t.Run("over", p.over)
	t.Run("picture", p.picture)
	t.Run("hostile text", p.hostile)
	t.Run("long text", p.long)
	t.Run("code", p.code)
	t.Run("calendar", p.calendar)
	t.Run("unknown", p.unknown)
	t.Run("only to be read", p.readOnly)
}

type pages struct{ url, origin string }

func (s pages) preview(t *testing.T) {
	e := s.create(t, apitest.Object{
		"title": "Picnic", "dateTime": "2027-05-01T19:30:00-04:00", "timezone": "Europe/Berlin",
		"location": "The park", "description": "Bring cake.\n\n  And   tea.\n",
	})
	for _, token := range []string{e.EventToken, strings.ToUpper(e.EventToken)} {
		p := s.get(t, "/e/"+token)
		p.answered(t, http.StatusOK, textHTML, "public, max-age=60, stale-if-error=600")
		p.hasMeta(t, map[string]string{
			"title":               "Picnic · Turnout",
			"description":         "Sunday, May 2, 2027 at 1:30 AM (UTC+2) · The park\nBring cake.\nAnd tea.",
			"og:site_name":        "Turnout",
			"og:type":             "website",
			"og:locale":           "en_US",
			"og:title":            "Picnic",
			"og:description":      "Sunday, May 2, 2027 at 1:30 AM (UTC+2) · The park\nBring cake.\nAnd tea.",
			"og:url":              s.origin + "/e/" + e.EventToken,
			"og:image":            s.origin + "/e/" + e.EventToken + "/card.png",
			"og:image:type":       "image/png",
			"og:image:width":      "1200",
			"og:image:height":     "630",
			"og:image:alt":        "Picnic",
			"twitter:card":        "summary_large_image",
			"twitter:title":       "Picnic",
			"twitter:description": "Sunday, May 2, 2027 at 1:30 AM (UTC+2) · The park\nBring cake.\nAnd tea.",
		})
		p.isTheApp(t)
	}
	head := s.do(t, http.MethodHead, "/e/"+e.EventToken)
	head.answered(t, http.StatusOK, textHTML, "public, max-age=60, stale-if-error=600")
	if head.content != "" {
		t.Errorf("HEAD has the body %q", head.content)
	}
}

func (s pages) cancelled(t *testing.T) {
	e := s.create(t, apitest.Object{
		"title": "Picnic", "dateTime": "2027-05-01t12:00:00z", "timezone": "UTC", "description": "Bring cake.",
	})
	s.ask(t, apitest.CancelEvent(e.EventToken, e.OrganizerToken, apitest.Object{"cancelled": true, "cancellationReason": "Thunderstorm"}))
	p := s.get(t, "/e/"+e.EventToken)
	p.answered(t, http.StatusOK, textHTML, "public, max-age=60, stale-if-error=600")
	p.hasMeta(t, map[string]string{
		"title":          "Cancelled: Picnic · Turnout",
		"og:title":       "Cancelled: Picnic",
		"og:description": "Saturday, May 1, 2027 at 12:00 PM (UTC)\nThunderstorm",
	})
	p.shows(t, map[string]string{"kicker": "Cancelled", "turnout": "Nobody had signed up", "#state": "This event is cancelledThunderstorm"})
	p.hasData(t, s.event(t, e.EventToken))
}

// content: the page shows the event before any script, and holds it for the script.
func (s pages) content(t *testing.T) {
	e := s.create(t, apitest.Object{
		"title": "Picnic", "dateTime": "2047-05-01T19:30:00-04:00", "timezone": "America/New_York", "location": "The park", "description": "Bring\ncake.",
	})
	for i, want := range []string{"Nobody yet", "1 is coming", "2 are coming"} {
		if i > 0 {
			s.ask(t, apitest.CreateRSVP(e.EventToken, apitest.Object{"name": "Ada"}))
		}
		p := s.get(t, "/e/"+e.EventToken)
		p.shows(t, map[string]string{
			"kicker": "You’re invited", "h1": "Picnic", "time": "Wednesday, May 1, 2047 at 7:30 PM", "small": "UTC\u22124",
			"user": "Picnic|The park|Bring\ncake.", "turnout": want, "#state": "",
		})
		p.hasData(t, s.event(t, e.EventToken))
	}
}

// punctuation: a link that was copied with the end of its sentence leads to the event.
func (s pages) punctuation(t *testing.T) {
	e := s.create(t, apitest.Object{"title": "Picnic", "dateTime": "2047-05-01T19:30:00Z", "timezone": "UTC"})
	want := s.get(t, "/e/"+e.EventToken).content
	for _, after := range []string{".", ")", "),", "!%22", "%C2%BB", "%E3%80%82"} {
		p := s.get(t, "/e/"+e.EventToken+after)
		p.answered(t, http.StatusOK, textHTML, "public, max-age=60, stale-if-error=600")
		if p.content != want {
			t.Errorf("with %s after it the link leads to another page", after)
		}
	}
	s.get(t, "/e/"+e.EventToken+"0.").answered(t, http.StatusNotFound, textHTML, "no-store")
}

// language: the page is in the language that the visitor wants most and the site has, with
// the dates of the visitor's region. A messenger asks for none: then the country of the
// event's time zone decides.
func (s pages) language(t *testing.T) {
	e := s.create(t, apitest.Object{"title": "Picnic", "dateTime": "2047-05-01T19:30:00+02:00", "timezone": "Europe/Berlin"})
	for accepted, want := range map[string]struct{ html, locale, time, turnout string }{
		"":                        {`lang="de" dir="ltr" data-tag="de"`, "de_DE", "Mittwoch, 1. Mai 2047 um 19:30 Uhr", "Noch niemand"},
		"fi":                      {`lang="en" dir="ltr" data-tag="en"`, "en_US", "Wednesday, May 1, 2047 at 7:30 PM", "Nobody yet"},
		"xx, en;q=0.8, fr-CA":     {`lang="fr" dir="ltr" data-tag="fr-CA"`, "fr_CA", "mercredi 1 mai 2047 à 19 h 30", "Personne pour l’instant"},
		"pt-PT, *;q=0.1":          {`lang="pt-BR" dir="ltr" data-tag="pt"`, "pt_BR", "quarta-feira, 1 de maio de 2047 às 19:30", "Ninguém ainda"},
		"de;q=0, en-AU;q=0.5, fi": {`lang="en" dir="ltr" data-tag="en-AU"`, "en_AU", "Wednesday 1 May 2047 at 7:30 pm", "Nobody yet"},
	} {
		p := s.do(t, http.MethodGet, "/e/"+e.EventToken, "Accept-Language", accepted)
		if !strings.Contains(p.content, want.html) || !strings.Contains(fmt.Sprint(p.Header.Values("Vary")), "Accept-Language") {
			t.Errorf("%q: no %s, Vary %q", accepted, want.html, p.Header.Values("Vary"))
		}
		p.hasMeta(t, map[string]string{"og:locale": want.locale})
		p.shows(t, map[string]string{"time": want.time, "turnout": want.turnout})
	}
}

func (s pages) over(t *testing.T) {
	e := s.create(t, apitest.Object{"title": "Picnic", "dateTime": "2020-05-01T19:30:00Z", "timezone": "UTC"})
	s.get(t, "/e/"+e.EventToken).shows(t, map[string]string{
		"kicker": "It’s over", "turnout": "Nobody had signed up",
		"#state": "This event is overIt was on \u2068Friday, May 1, 2020\u2069. Sign-up closed a week later.",
	})
}

// picture: what the page names as its picture is one.
func (s pages) picture(t *testing.T) {
	e := s.create(t, apitest.Object{"title": "Picnic", "dateTime": "2047-05-01T19:30:00Z", "timezone": "UTC"})
	p := s.get(t, "/e/"+e.EventToken+"/card.png")
	p.answered(t, http.StatusOK, "image/png", "public, max-age=60, stale-if-error=600")
	picture, err := png.DecodeConfig(strings.NewReader(p.content))
	if err != nil || picture.Width != 1200 || picture.Height != 630 {
		t.Errorf("%d×%d, %v", picture.Width, picture.Height, err)
	}
	s.get(t, "/e/"+uuid.NewString()+"/card.png").answered(t, http.StatusNotFound, "text/plain; charset=utf-8", "no-store")
}

// hostile: what people write is text, in the title of the page and in its tags.
func (s pages) hostile(t *testing.T) {
	const text = `</title><script src="//evil.example"></script>"><img src=x onerror='alert(1)'> &amp; &quot; <!-- ${x} $1 {{.}}` + "\u202e\u0301"
	e := s.create(t, apitest.Object{
		"title": text, "dateTime": "2027-05-01T12:00:00Z", "timezone": "UTC", "location": text, "description": text,
	})
	p := s.get(t, "/e/"+e.EventToken)
	p.answered(t, http.StatusOK, textHTML, "public, max-age=60, stale-if-error=600")
	p.hasMeta(t, map[string]string{
		"title":          text + " · Turnout",
		"og:title":       text,
		"twitter:title":  text,
		"og:description": "Saturday, May 1, 2027 at 12:00 PM (UTC) · " + text + "\n" + text,
	})
	p.isTheApp(t)
	p.shows(t, map[string]string{"h1": text, "user": text + "|" + text + "|" + text, "img": ""})
	p.hasData(t, s.event(t, e.EventToken))
}

func (s pages) long(t *testing.T) {
	for description, want := range map[string]string{
		strings.Repeat("ü", 200): strings.Repeat("ü", 200),
		strings.Repeat("ü", 201): strings.Repeat("ü", 200) + " …",
		"\n1\n \n2\r\n3\n4\n5":   "1\n2\n3 …",
		"1\n2\n3\n \n":           "1\n2\n3",
		strings.Repeat(" ", 50):  "",
	} {
		e := s.create(t, apitest.Object{
			"title": "Picnic", "dateTime": "2027-05-01T12:00:00Z", "timezone": "UTC", "description": description,
		})
		s.get(t, "/e/"+e.EventToken).hasMeta(t, map[string]string{
			"og:description": strings.TrimSpace("Saturday, May 1, 2027 at 12:00 PM (UTC)\n" + want),
		})
	}
}

// code: the QR code has the address of the page. It does not depend on the event.
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

// calendar: the entry of an event for calendars, and that of its cancellation. What is in
// it is tested in package site.
func (s pages) calendar(t *testing.T) {
	e := s.create(t, apitest.Object{"title": "Picnic", "dateTime": "2047-05-01T19:30:00+02:00", "timezone": "Europe/Berlin"})
	for i, status := range []string{"CONFIRMED", "CANCELLED"} {
		if i > 0 {
			s.ask(t, apitest.CancelEvent(e.EventToken, e.OrganizerToken, apitest.Object{"cancelled": true}))
		}
		for _, token := range []string{e.EventToken, strings.ToUpper(e.EventToken)} {
			p := s.get(t, "/e/"+token+"/event.ics")
			p.answered(t, http.StatusOK, "text/calendar; charset=utf-8", "public, max-age=60, stale-if-error=600")
			for _, line := range []string{
				"UID:" + e.EventToken + "@turnout", "DTSTART:20470501T173000Z", fmt.Sprint("SEQUENCE:", i), "STATUS:" + status,
			} {
				if !strings.Contains(p.content, "\r\n"+line+"\r\n") {
					t.Errorf("%s is not in\n%s", line, p.content)
				}
			}
			if address := s.origin + "/e/" + e.EventToken; !strings.Contains(strings.ReplaceAll(p.content, "\r\n ", ""), "\r\nURL:"+address+"\r\n") {
				t.Errorf("%s is not in\n%s", address, p.content)
			}
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
	var dark image.Rectangle
	for _, match := range run.FindAllString(svg, -1) {
		var x, y, length, back int
		if _, err := fmt.Sscanf(match, "M%d %dh%dv1h-%dz", &x, &y, &length, &back); err != nil || back != length || length == 0 {
			t.Fatal(match, err)
		}
		draw.Draw(picture, image.Rect(x*scale, y*scale, (x+length)*scale, (y+1)*scale), image.NewUniform(color.Black), image.Point{}, draw.Src)
		dark = dark.Union(image.Rect(x, y, x+length, y+1))
	}
	if want := image.Rect(4, 4, width-4, height-4); dark != want { // the quiet zone
		t.Errorf("modules are in %v, want %v", dark, want)
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

// unknown: without an event the app's page is served, with the status 404.
func (s pages) unknown(t *testing.T) {
	for _, path := range []string{"/e/" + uuid.NewString(), "/e/x", "/e/x/y", "/e/x/qr.svg", "/e/" + uuid.NewString() + "/", "/e/" + uuid.NewString() + "/y", "/e/" + uuid.NewString() + "/qr.svg/", "/e/" + uuid.NewString() + "/event.ics", "/e/%2e%2e%2fapi", "/e/%25", "/e/x?y=%zz", "/e/" + strings.Repeat("x", 4000)} {
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

func (s pages) create(t *testing.T, body apitest.Object) apitest.Content {
	t.Helper()
	content, err := s.ask(t, apitest.CreateEvent(body)).Content()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// ask calls the API.
func (s pages) ask(t *testing.T, call apitest.Call) apitest.Answer {
	t.Helper()
	answer, err := apitest.Client{URL: s.url + "/api", HTTP: http.DefaultClient}.Do(t.Context(), call)
	if err != nil || answer.Status >= 300 {
		t.Fatalf("%s: %d %s %v", answer.Call, answer.Status, answer.Body, err)
	}
	return answer
}

// page is an answer and what it says.
type page struct {
	*http.Response
	content string
}

func (s pages) get(t *testing.T, path string) page {
	t.Helper()
	return s.do(t, http.MethodGet, path, "Accept-Language", "en")
}

func (s pages) do(t *testing.T, method, path string, headers ...string) page {
	t.Helper()
	request, err := http.NewRequest(method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
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

// elements are those of the page, as a browser reads it.
func (p page) elements(t *testing.T) iter.Seq[*html.Node] {
	t.Helper()
	root, err := html.Parse(strings.NewReader(p.content))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*html.Node) bool) {
		for node := range root.Descendants() {
			if node.Type == html.ElementNode && !yield(node) {
				return
			}
		}
	}
}

// hasMeta checks what a messenger reads: each tag occurs once, with that content.
func (p page) hasMeta(t *testing.T, want map[string]string) {
	t.Helper()
	got := map[string][]string{}
	for node := range p.elements(t) {
		switch node.Data {
		case "title":
			got["title"] = append(got["title"], textOf(node))
		case "meta":
			name := attribute(node, "name") + attribute(node, "property")
			got[name] = append(got[name], attribute(node, "content"))
		}
	}
	for name, content := range want {
		if len(got[name]) != 1 || got[name][0] != content {
			t.Errorf("%s is %q, want %q", name, got[name], content)
		}
	}
}

// isTheApp checks that the page loads what the page of the site loads.
func (p page) isTheApp(t *testing.T) {
	t.Helper()
	if got, want := p.loads(t), (page{content: site.Page()}).loads(t); got != want {
		t.Errorf("the page loads\n%s\nwant\n%s", got, want)
	}
}

// loads lists the elements that load something, but for the texts of one language.
func (p page) loads(t *testing.T) (list string) {
	t.Helper()
	for node := range p.elements(t) {
		if node.Data == "link" && attribute(node, "as") != "fetch" || attribute(node, "src") != "" {
			list += fmt.Sprintln(node.Data, node.Attr)
		}
	}
	return list
}

// shows checks what can be read without a script: the texts of the elements with
// a name, a class or an id (#id), joined by |.
func (p page) shows(t *testing.T, want map[string]string) {
	t.Helper()
	for selector, text := range want {
		var found []string
		for node := range p.elements(t) {
			if node.Data == selector || "#"+attribute(node, "id") == selector || slices.Contains(strings.Fields(attribute(node, "class")), selector) {
				found = append(found, textOf(node))
			}
		}
		if got := strings.Join(found, "|"); got != text {
			t.Errorf("%s shows %q, want %q", selector, got, text)
		}
	}
}

func textOf(node *html.Node) (text string) {
	for child := range node.Descendants() {
		if child.Type == html.TextNode {
			text += child.Data
		}
	}
	return text
}

// hasData checks that the page contains the event for the script, as the API answers it.
func (p page) hasData(t *testing.T, want map[string]any) {
	t.Helper()
	_, after, _ := strings.Cut(p.content, `<script type="application/json" id="event">`)
	content, _, _ := strings.Cut(after, "</script>")
	var got map[string]any
	if err := json.Unmarshal([]byte(content), &got); err != nil || !maps.Equal(got, want) {
		t.Errorf("the page holds %s, %v, want %v", content, err, want)
	}
}

// event returns what the API answers.
func (s pages) event(t *testing.T, token string) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal(s.ask(t, apitest.GetEvent(token)).Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
