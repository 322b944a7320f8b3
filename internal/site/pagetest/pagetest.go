// Package pagetest is the contract of event pages as a suite of tests. It runs against the program turnout and against
// the functions behind CloudFront.
package pagetest

import (
	"encoding/json"
	"fmt"
	"html"
	"image/png"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"rsc.io/qr"

	"turnout/internal/httpapi/apitest"
	"turnout/internal/site"
	"turnout/internal/site/eventpage"
)

// Run checks the service at url, which also serves the API. Its visitors address it by origin.
func Run(t *testing.T, url, origin string) {
	p := pages{url, origin}
	t.Run("preview", p.preview)
	t.Run("event in the page", p.content)
	t.Run("language", p.language)
	t.Run("picture", p.picture)
	t.Run("code", p.code)
	t.Run("calendar", p.calendar)
	t.Run("unknown", p.unknown)
	t.Run("only to be read", p.readOnly)
}

type pages struct{ url, origin string }

const (
	textHTML = "text/html; charset=utf-8"
	edge     = "public, max-age=60, stale-if-error=600"
)

var picnic = apitest.Object{"title": "Picnic", "dateTime": "2047-05-01T19:30:00+02:00", "timezone": "Europe/Berlin"}

// preview checks the tags for messengers. The tags are there even if the link is in capitals or was copied with the end
// of its sentence. They are also there if a program has appended a parameter or encoded the fragment.
func (s pages) preview(t *testing.T) {
	e := s.create(t, apitest.Object{
		"title": "Picnic <&>", "dateTime": "2047-05-01T19:30:00-04:00", "timezone": "Europe/Berlin",
		"location": "The park", "description": "Bring cake.\n\n  And   tea.\n", "host": " Mara\n &  Jo",
	})
	const (
		title       = "Picnic &lt;&amp;&gt;"
		description = "2047-05-02 01:30 (UTC&#43;2) · The park\nMara &amp; Jo\nBring cake.\nAnd tea."
	)
	address := s.origin + "/e/" + e.EventToken
	want := []string{"<title>" + title + " · Turnout</title>", "<style>" + site.Styles() + "</style>"}
	for name, content := range map[string]string{
		`name="description"`:         description,
		`property="og:site_name"`:    "Turnout",
		`property="og:type"`:         "website",
		`property="og:title"`:        title,
		`property="og:description"`:  description,
		`property="og:url"`:          address,
		`property="og:image"`:        address + "/card.png",
		`property="og:image:type"`:   "image/png",
		`property="og:image:width"`:  "1200",
		`property="og:image:height"`: "630",
		`property="og:image:alt"`:    title,
		`name="twitter:card"`:        "summary_large_image",
		`name="twitter:title"`:       title,
		`name="twitter:description"`: description,
	} {
		want = append(want, fmt.Sprintf(`<meta %s content="%s">`, name, content))
	}
	token := e.EventToken
	for _, name := range []string{
		token, strings.ToUpper(token), token + "),", token + "%E3%80%82", token + "/", token + "/.", token + "%E0%A4",
		token + "&fbclid=IwAR0x", token + "&u=https://x.example/y", token + "%3Fx=y", token + "%26x", token + "_",
		token + "%23organizer=" + e.OrganizerToken, token + "%2523organizer%3D" + e.OrganizerToken,
		token + "/%23name=Ada&rsvp=" + e.OrganizerToken,
	} {
		p := s.get(t, "/e/"+name)
		p.answered(t, http.StatusOK, textHTML, edge)
		p.has(t, want...)
	}
	s.get(t, "/e/"+e.EventToken+"/y").answered(t, http.StatusNotFound, textHTML, "no-store")
	head := s.do(t, http.MethodHead, "/e/"+e.EventToken)
	head.answered(t, http.StatusOK, textHTML, edge)
	if head.content != "" {
		t.Errorf("HEAD has the body %q", head.content)
	}
}

// content checks that the page shows the event before any script. The page also holds the event for the script, as the
// API returns it, with the time of the read.
func (s pages) content(t *testing.T) {
	coming := s.create(t, apitest.Object{
		"title": "Coming", "dateTime": "2047-05-01T19:30:00-04:00", "timezone": "America/New_York",
	})
	s.ask(t, apitest.CreateRSVP(coming.EventToken, apitest.Object{"name": "Ada"}))
	over := s.create(t, apitest.Object{"title": "Over", "dateTime": "2020-05-01T19:30:00Z", "timezone": "UTC"})
	off := s.create(t, apitest.FullEvent(apitest.Object{
		"title": "Off", "dateTime": "2047-05-01t12:00:00z", "endDateTime": "2047-05-01t14:00:00z", "timezone": "UTC",
		"location": "The park", "description": "Bring\ncake.",
	}))
	s.ask(t, apitest.CancelEvent(off.EventToken, off.OrganizerToken, apitest.Object{
		"cancelled": true, "cancellationReason": "Storm", "movedTo": uuid.NewString(),
	}))
	for token, want := range map[string][]string{
		coming.EventToken: {
			">You’re invited<",
			">Coming</h1>",
			">Wednesday, <span>May 1,</span> 2047 at 7:30\u00a0PM</time>",
			">UTC\u22124<",
			">1 is coming<",
		},
		over.EventToken: {
			">It’s over<",
			">Nobody signed up<",
			">Sign-up closed a week after the event.<",
		},
		off.EventToken: {
			">Cancelled<",
			">Wednesday, <span>May 1,</span> 2047, 12:00–2:00\u00a0PM</time>",
			">The park<",
			`href="https://www.openstreetmap.org/search?query=The%20park"`,
			">Bring\ncake.<",
			">Storm<",
			"/card.png?cancelled=1\"",
			"<title>Cancelled: Off · Turnout</title>",
			"\"og:description\" content=\"Wednesday, May 1, 2047, 12:00–2:00\u00a0PM (UTC) · The park\nMara &amp; Jo\nStorm\"",
		},
	} {
		before := time.Now().UnixMilli()
		p := s.get(t, "/e/"+token)
		p.has(t, want...)
		var api, data map[string]any
		_, after, _ := strings.Cut(p.content, `<script type="application/json" id="event" data-at="`)
		at, content, _ := strings.Cut(after, `">`)
		if ms, err := strconv.ParseInt(at, 10, 64); err != nil || ms < before || ms > time.Now().UnixMilli() {
			t.Errorf("the page was read at %q, want a time since %d", at, before)
		}
		content, _, _ = strings.Cut(content, "</script>")
		if err := json.Unmarshal(s.ask(t, apitest.GetEvent(token)).Body, &api); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(content), &data); err != nil || !maps.Equal(data, api) {
			t.Errorf("the page holds %s, %v, want %v", content, err, api)
		}
		if token == off.EventToken {
			apitest.SetsEvery(t, "PublicEvent", api)
			_, seen, _ := strings.Cut(p.content, "<main")
			for name := range apitest.TextsOf("CreateEventInput") {
				if !strings.Contains(seen, ">"+html.EscapeString(api[name].(string))+"<") {
					t.Errorf("visitors without a script do not see the %s of an event", name)
				}
			}
		}
	}
}

// language checks that the page is in the visitor's preferred language of the site, with the dates of the visitor's
// region, and in English if the visitor asks for none. Its preview, card included, is the same for all.
func (s pages) language(t *testing.T) {
	path := "/e/" + s.create(t, apitest.EventBody(picnic)).EventToken
	preview := func(p page) string {
		_, tags, _ := strings.Cut(p.content, "<title>")
		tags, _, _ = strings.Cut(tags, `<meta name="viewport"`)
		return tags
	}
	unasked := preview(s.do(t, http.MethodGet, path))
	picture := s.do(t, http.MethodGet, path+"/card.png").content
	const american = "Wednesday, <span>May 1,</span> 2047 at 7:30\u00a0PM"
	for accepted, want := range map[string][3]string{
		"":   {`lang="en" dir="ltr" data-tag="en"`, american, "Be the first"},
		"fi": {`lang="en" dir="ltr" data-tag="en"`, american, "Be the first"},
		"de": {`lang="de" dir="ltr" data-tag="de"`, "Mittwoch, <span>1. Mai</span> 2047 um 19:30\u00a0Uhr", "Mach den Anfang"},
		"xx, en;q=0.8, fr-CA": {
			`lang="fr" dir="ltr" data-tag="fr-CA"`, "mercredi <span>1er mai</span> 2047 à 19\u00a0h\u00a030", "Ouvrez le bal",
		},
		"pt-PT, *;q=0.1": {
			`lang="pt-BR" dir="ltr" data-tag="pt"`, "quarta-feira, <span>1º de maio</span> de 2047 às 19:30", "Puxe a fila",
		},
		"de;q=0, en-AU;q=0.5, fi": {
			`lang="en" dir="ltr" data-tag="en-AU"`, "Wednesday <span>1 May</span> 2047 at 7:30\u00a0pm", "Be the first",
		},
	} {
		p := s.do(t, http.MethodGet, path, "Accept-Language", accepted)
		p.has(t, want[0], ">"+want[1]+"</time>", ">"+want[2]+"<")
		if !p.varies() {
			t.Errorf("%s does not vary by the language", p.Call)
		}
		if got := preview(p); got != unasked {
			t.Errorf("%q has the preview %s, want %s", accepted, got, unasked)
		}
		if p := s.do(t, http.MethodGet, path+"/card.png", "Accept-Language", accepted); p.content != picture {
			t.Errorf("%q has a picture of its own", accepted)
		}
	}
	for _, below := range []string{"/card.png", "/event.ics", "/qr.svg"} {
		if p := s.get(t, path+below); p.varies() {
			t.Errorf("%s has no language, but varies by it", p.Call)
		}
	}
}

// varies reports whether caches keep a response for each language.
func (p page) varies() bool {
	return strings.Contains(fmt.Sprint(p.Header.Values("Vary")), "Accept-Language")
}

// picture checks that the card exists, and has its length for GET and HEAD.
func (s pages) picture(t *testing.T) {
	e := s.create(t, picnic)
	p := s.get(t, "/e/"+e.EventToken+"/card.png")
	p.answered(t, http.StatusOK, "image/png", edge)
	picture, err := png.DecodeConfig(strings.NewReader(p.content))
	if err != nil || picture.Width != 1200 || picture.Height != 630 {
		t.Errorf("%d×%d, %v", picture.Width, picture.Height, err)
	}
	// Some messengers take no picture without its length.
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		head := s.do(t, method, "/e/"+e.EventToken+"/card.png", "Accept-Encoding", "gzip")
		head.answered(t, http.StatusOK, "image/png", edge)
		length, coding := head.Header.Get("Content-Length"), head.Header.Get("Content-Encoding")
		if length != strconv.Itoa(len(p.content)) || coding != "" {
			t.Errorf("%s: length %q, want %d, coding %q", head.Call, length, len(p.content), coding)
		}
	}
	missing := s.get(t, "/e/"+uuid.NewString()+"/card.png")
	missing.answered(t, http.StatusNotFound, "text/plain; charset=utf-8", "no-store")
}

// code checks that the QR code has the page's address, within the quiet zone of four modules that scanners need. The
// code does not depend on the event.
func (s pages) code(t *testing.T) {
	token := uuid.NewString()
	p := s.get(t, "/e/"+strings.ToUpper(token)+"/qr.svg")
	p.answered(t, http.StatusOK, "image/svg+xml", "public, max-age=86400")
	want, err := qr.Encode(s.origin+"/e/"+token, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	const quiet = 4
	p.has(t, fmt.Sprintf(`viewBox="0 0 %d %[1]d"`, want.Size+2*quiet))
	drawn := map[[2]int]bool{}
	for _, run := range regexp.MustCompile(`M\d+ \d+h\d+v1h-\d+z`).FindAllString(p.content, -1) {
		var x, y, length, back int
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%dz", &x, &y, &length, &back); err != nil || back != length {
			t.Fatal(run, err)
		}
		for i := range length {
			drawn[[2]int{x + i - quiet, y - quiet}] = true
		}
	}
	for y := range want.Size {
		for x := range want.Size {
			if at := [2]int{x, y}; want.Black(x, y) != drawn[at] {
				t.Fatalf("the module %v is dark: %t", at, drawn[at])
			}
			delete(drawn, [2]int{x, y})
		}
	}
	if len(drawn) > 0 {
		t.Errorf("in the quiet zone are %v", drawn)
	}
}

// calendar checks that the calendar of an event is served. Package eventpage tests its content.
func (s pages) calendar(t *testing.T) {
	e := s.create(t, picnic)
	p := s.get(t, "/e/"+strings.ToUpper(e.EventToken)+"/event.ics")
	p.answered(t, http.StatusOK, "text/calendar; charset=utf-8", edge)
	p.content = strings.ReplaceAll(p.content, "\r\n ", "") // long lines are folded
	p.has(t, "\r\nUID:"+e.EventToken+"@turnout\r\n", "\r\nURL:"+s.origin+"/e/"+e.EventToken+"\r\n")
}

// unknown checks that the plain page is served with the status 404 if there is no event.
func (s pages) unknown(t *testing.T) {
	token := "/e/" + uuid.NewString()
	for _, path := range []string{
		token, token + "0.", token + "%C3%A9", token + "%D9%A3", token + "/", token + "/y", token + "/qr.svg/",
		token + "/event.ics", "/e/x", "/e/x/y", "/e/x/qr.svg", "/e/%2e%2e%2fapi", "/e/%25", "/e/x?y=%zz",
		"/e/" + strings.Repeat("x", 4000),
	} {
		p := s.get(t, path)
		p.answered(t, http.StatusNotFound, textHTML, "no-store")
		if p.content != eventpage.Page(site.Config{}) {
			t.Errorf("%.40s: not the plain page but %q", path, p.content)
		}
	}
}

func (s pages) readOnly(t *testing.T) {
	p := s.do(t, http.MethodPost, "/e/"+uuid.NewString())
	if p.Status != http.StatusMethodNotAllowed || p.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("%d, Allow %q", p.Status, p.Header.Get("Allow"))
	}
}

func (s pages) create(t *testing.T, body apitest.Object) apitest.Content {
	t.Helper()
	return s.ask(t, apitest.CreateEvent(body)).Content
}

// ask calls the API.
func (s pages) ask(t *testing.T, call apitest.Call) apitest.Answer {
	t.Helper()
	return apitest.Ask(t, s.url, call)
}

// page is a response with its content.
type page struct {
	apitest.Answer
	content string
}

func (s pages) get(t *testing.T, path string) page {
	t.Helper()
	return s.do(t, http.MethodGet, path, "Accept-Language", "en")
}

func (s pages) do(t *testing.T, method, path string, headers ...string) page {
	t.Helper()
	answer := apitest.Send(t, s.url, apitest.Call{Method: method, Path: path, Header: apitest.Headers(headers...)})
	return page{answer, string(answer.Body)}
}

// answered checks the status and the headers that every event page has.
func (p page) answered(t *testing.T, status int, contentType, cacheControl string) {
	t.Helper()
	want := map[string]string{}
	for _, header := range append(site.SecurityHeaders, site.EventHeaders()...) {
		want[header.Name] = header.Value
	}
	want["Content-Type"], want["Cache-Control"] = contentType, cacheControl
	if p.Status != status {
		t.Errorf("%s: status %d, want %d", p.Call, p.Status, status)
	}
	for name, value := range want {
		if got := p.Header.Values(name); len(got) != 1 || got[0] != value {
			t.Errorf("%s: %s is %q, want %q", p.Call, name, got, value)
		}
	}
}

// has checks that each part occurs once.
func (p page) has(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if n := strings.Count(p.content, part); n != 1 {
			t.Errorf("%s has %q %d times, want once", p.Call, part, n)
		}
	}
}
