package card

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-text/typesetting/di"
	"golang.org/x/image/vector"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// atNoon is an instant in the year of supper.
var atNoon = time.Date(2027, 4, 1, 12, 0, 0, 0, time.UTC)

func supper(title string) event.Event {
	place := "Rooftop"
	return event.Event{
		Title:         title,
		DateTime:      "2027-05-01T19:30:00+02:00",
		Timezone:      "Europe/Berlin",
		Location:      &place,
		AttendeeCount: 12,
	}
}

func drawn(t *testing.T, e event.Event) *image.Paletted {
	t.Helper()
	content, err := Draw(e, nil, atNoon)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, content)
}

func decoded(t *testing.T, content []byte) *image.Paletted {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return picture.(*image.Paletted)
}

// alike reports whether all pixels are the same except for rounding, because some processors use fused multiply-add.
func alike(a, b []uint8) bool {
	return slices.EqualFunc(a, b, func(x, y uint8) bool { return max(x, y)-min(x, y) <= 1 })
}

// ink counts the pixels of a region that do not have the paper's colour.
func ink(picture *image.Paletted, region image.Rectangle) (n int) {
	for y := region.Min.Y; y < region.Max.Y; y++ {
		row := picture.Pix[picture.PixOffset(region.Min.X, y):picture.PixOffset(region.Max.X, y)]
		n += len(row) - bytes.Count(row, picture.Pix[:1])
	}
	return n
}

// TestPictures compares whole cards with the images in testdata. After an intended change, run go test -artifacts
// ./internal/site/card, which keeps the new images. Look at these images, and copy them to testdata.
func TestPictures(t *testing.T) {
	with := func(e event.Event, change func(e *event.Event)) event.Event {
		change(&e)
		return e
	}
	at := func(place string) func(e *event.Event) { return func(e *event.Event) { e.Location = &place } }
	count := func(n int) func(e *event.Event) { return func(e *event.Event) { e.AttendeeCount = n } }
	invitation := with(supper("Sommerfest im Hof"), count(17))
	invitation.Host = new(" Mara  &\nJo ")
	long := with(supper(strings.Repeat("Neighbourhood picnic 屋上 ", 8)), count(200))
	long.Location = new(strings.Repeat("Behind the old mill ", 5))
	bare := with(supper("🎉"), at("파티"))          // title and place are not drawn, so the date replaces the title
	bare.AttendeeCount, bare.Host = 1, new("민준") // the host is not drawn
	dinner := with(supper("Вечеря з Мар\u02bcяною"), at("Café Bar"))
	party := with(supper("حفلة 2027 على السطح Rooftop مع الجيران والأصدقاء من كل الحي"), at("ساحة المدينة"))
	party.Host = new("ليلى")
	later := with(party, at("Rooftop"))
	later.DateTime, later.AttendeeCount = "2027-06-01T18:00:00+02:00", 3
	speaks := func(tag string, e event.Event) event.Event {
		e.Language = &tag
		return e
	}
	isOff := func(e *event.Event) { e.Cancelled = true }
	german := with(speaks("de-AT", invitation), isOff)
	german.Host = new(strings.Repeat("Mara und Jo ", 8)) // the host is cut off, unlike the word for cancelled
	french := speaks("fr-CA", with(supper("Souper"), isOff))
	arabic := speaks("ar", with(party, isOff))
	for name, c := range map[string]struct {
		e    event.Event
		move *site.Move
	}{
		"german":     {german, nil},
		"french":     {french, &site.Move{From: french, To: with(french, func(e *event.Event) { e.DateTime = later.DateTime })}},
		"arabic":     {arabic, &site.Move{From: arabic, To: later}},
		"invitation": {invitation, nil},
		"first":      {with(supper("屋上で夕食"), count(0)), nil},
		"long":       {long, nil},
		"bare":       {bare, nil},
		"cancelled":  {with(invitation, func(e *event.Event) { e.Cancelled = true }), nil},
		"new-place":  {dinner, &site.Move{From: dinner, To: with(dinner, at("Kafé Zentral, Hinterhof, dritter Stock"))}},
		"moved":      {party, &site.Move{From: party, To: later}},
		"unread":     {dinner, &site.Move{From: dinner, To: with(dinner, count(0)), Unread: true}},
	} {
		content, err := Draw(c.e, c.move, atNoon)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, content)
		file := name + ".png"
		if err := os.WriteFile(filepath.Join(t.ArtifactDir(), file), content, 0o644); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Error(err)
		} else if want := decoded(t, want); !slices.Equal(got.Palette, want.Palette) || !alike(got.Pix, want.Pix) {
			t.Errorf("%s is not drawn as in testdata", file)
		}
	}
}

// TestEnds: a card has the hours of an event that ends on its day, and the days of an event that ends on another. A
// date before a move is struck unless it reads like the new date.
func TestEnds(t *testing.T) {
	d := &sheet{medium: &typesetter{}, heavy: &typesetter{weight: 800}, dates: locale.DatesOf("en-GB"), now: atNoon}
	evening := supper("Hut")
	evening.DateTime, evening.EndDateTime = "2027-05-01T18:00:00+02:00", new("2027-05-01T23:00:00+02:00")
	weekend, longer := evening, evening
	weekend.EndDateTime, longer.EndDateTime = new("2027-05-02T12:00:00+02:00"), new("2027-05-02T14:00:00+02:00")
	for _, c := range []struct {
		from, to event.Event
		want     fact
	}{
		{evening, evening, fact{now: "Saturday 1 May, 18:00–23:00"}},
		{evening, weekend, fact{"Saturday 1 May – Sunday 2 May", "Saturday 1 May, 18:00–23:00"}},
		{weekend, longer, fact{now: "Saturday 1 May – Sunday 2 May"}},
	} {
		if _, date, _ := d.factsOf(c.to, &site.Move{From: c.from, To: c.to}); date != c.want {
			t.Errorf("%q, want %q", date, c.want)
		}
	}
	d.dates = locale.DatesOf("pt") // the days of a weekend in another year do not fit into a line
	weekend.DateTime, weekend.EndDateTime = "2028-11-20T18:00:00+01:00", new("2028-11-23T12:00:00+01:00")
	if got := d.when(weekend); got != "segunda-feira, 20 de novembro de 2028 às 18:00" {
		t.Errorf("%q", got)
	}
}

// TestEdgesAreSmooth: the edges of strokes and of the light font's letters have about the coverage of the same shapes
// at eight times the size. Otherwise they would have notches.
func TestEdgesAreSmooth(t *testing.T) {
	const times = 8
	letters := func(title string) func(to *shapes, scale int) {
		return func(to *shapes, scale int) {
			set := &typesetter{weight: 600}
			(&sheet{}).text(to, set.set(title, 50*scale, pictureWidth, 0), 10*scale, 0)
		}
	}
	stroke := func(place int) func(to *shapes, scale int) {
		return func(to *shapes, scale int) {
			to.add(0, func(path *vector.Rasterizer) { addStroke(path, place, 0, 0, float64(scale)) })
		}
	}
	for name, draw := range map[string]func(to *shapes, scale int){
		"stroke":   stroke(0),
		"diagonal": stroke(4),
		"kanji":    letters("冬"),
	} {
		var small, large shapes
		draw(&small, 1)
		draw(&large, times)
		got, fine, inked := small.coverage(), large.coverage(), 0
		for y := range pictureHeight / times {
			for x := range pictureWidth / times {
				sum := 0
				for at := range times * times {
					sum += int(fine.AlphaAt(x*times+at%times, y*times+at/times).A)
				}
				want, is := sum/times/times, int(got.AlphaAt(x, y).A)
				inked += want
				if max(want, is)-min(want, is) > 80 {
					t.Errorf("%s: at %d, %d the coverage is %d of 255, not %d", name, x, y, is, want)
				}
			}
		}
		if inked == 0 {
			t.Errorf("%s is not drawn", name)
		}
	}
}

// TestMemory: the memory for a card does not grow with the number of outlines that overlap. infra/turnout/README.md has
// the memory of a server that draws two cards at once.
func TestMemory(t *testing.T) {
	taken := func(place string) uint64 {
		from, to := supper("Supper"), supper("Supper")
		from.Location, to.Location = new(place+place), new(place)
		var before, after runtime.MemStats
		for range 2 { // the first card reads the fonts, too
			runtime.ReadMemStats(&before)
			if _, err := Draw(from, &site.Move{From: from, To: to}, atNoon); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, often := taken("Rooftop"), taken("屋上"); often > once*5/4 {
		t.Errorf("%d bytes, and %d if letters are drawn several times", once, often)
	}
}

// TestScripts: a font has the letters of each script, which run in the script's direction. TestPictures shows on which
// side the lines begin.
func TestScripts(t *testing.T) {
	for title, want := range map[string]di.Direction{
		"Żółć Ærø ñandú ǅ İı ẞ":   di.DirectionLTR,
		"Καλοκαιρινή γιορτή ἀρχή": di.DirectionLTR,
		"Вечірка Їжа Ґанок Ђ":     di.DirectionLTR,
		"حفلة على السطح پنجره":    di.DirectionRTL,
		"פיקניק בְּפַארק":         di.DirectionRTL,
		"12 שלום":                 di.DirectionRTL,
		"屋上":                      di.DirectionLTR,
	} {
		set := &typesetter{}
		title = clean(title)
		if !set.covers(title) || direction(title) != want {
			t.Errorf("%s: covered %t, direction %v", title, set.covers(title), direction(title))
		}
		for _, run := range set.set(title, 80, 2000, 0).lines[0] {
			for _, glyph := range run.Glyphs {
				if glyph.GlyphID == 0 {
					t.Errorf("%s has a missing glyph", title)
				}
			}
		}
	}
	for _, title := range []string{"दिल्ली में दावत", "ปาร์ตี้", "Party 파티", "\U000F0000"} {
		if (&typesetter{}).covers(title) {
			t.Errorf("%s would be drawn", title)
		}
	}
}

// TestWordHasOneFont: all letters of a word are from one font, because two fonts would look like a mistake. Digits and
// punctuation are from Onest.
func TestWordHasOneFont(t *testing.T) {
	set := &typesetter{}
	for text, want := range map[string]string{
		"п\u02bcять": "00000", "Ѳита, Їжа": "222200000", "12月": "003", "屋上Ѳ": "332", "(ساحة)": "011110", "می\u200cخ": "1111",
	} {
		var got string
		for _, face := range set.facesOf(text) {
			got += fmt.Sprint(slices.Index(set.faces[:], face))
		}
		if got != want {
			t.Errorf("%s: fonts %s, want %s", text, got, want)
		}
	}
}

// TestLongTextStaysInside: a long text stays inside the margins, is cut off if it has to be, and does not change the
// rest of the card.
func TestLongTextStaysInside(t *testing.T) {
	long := strings.Repeat("Neighbourhood ", 40)
	e := supper("Picnic")
	e.Location, e.Host, e.AttendeeCount = &long, &long, math.MaxInt
	for title, short := range map[string]string{
		strings.Repeat("W", 200): "Picnic", strings.Repeat("long ", 40): "Picnic", long[:200]: "Picnic",
		strings.Repeat("م", 200): "مم",
	} {
		e.Title = short
		rest := drawn(t, e)
		e.Title = title
		picture := drawn(t, e)
		for _, edge := range []image.Rectangle{
			image.Rect(0, 0, margin-20, pictureHeight),
			image.Rect(pictureWidth-margin+20, 0, pictureWidth, pictureHeight),
			image.Rect(0, 0, pictureWidth, 20),
			image.Rect(0, pictureHeight-20, pictureWidth, pictureHeight),
		} {
			if n := ink(picture, edge); n > 0 {
				t.Errorf("%.20s…: %d pixels at the edge %v", title, n, edge)
			}
		}
		for _, rows := range [][2]int{{0, titleTop - 10}, {340, pictureHeight}} {
			from, to := rows[0]*pictureWidth, rows[1]*pictureWidth
			if !alike(picture.Pix[from:to], rest.Pix[from:to]) {
				t.Errorf("%.20s… changes rows %d", title, rows)
			}
		}
	}
	set := &typesetter{}
	if cut := set.fit(long, 60, 300, 100); !cut.truncated || cut.size != smallest || cut.height() > 100 {
		t.Errorf("cut off %t at size %d, height %d", cut.truncated, cut.size, cut.height())
	}
	exact := set.set("Picnic", 60, pictureWidth, 0)
	whole := set.fit("Picnic", 60, width(exact.lines[0]), exact.height())
	if whole.truncated || whole.size != 60 || len(whole.lines) != 1 {
		t.Errorf("%d lines at size %d", len(whole.lines), whole.size)
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		" a\t\nb  c ":                 "a b c",
		"e\u0301":                     "é",
		"x\u0301\u0302\u0303\u0304y":  "x\u0301\u0302\u0303y",
		"\u0301a":                     "a",
		"می\u200cخواهم":               "می\u200cخواهم",
		"\u202eabc\u202c\u2066\ufeff": "abc",
		"1\ufe0f\u20e3 first":         "1 first",
		"Picnic 🧺 at noon ☀️👩‍👩‍👧🇩🇪": "Picnic at noon",
		"\x00\x7f": "",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHandler: the handler serves a card with the headers of the event page, and responds with 404 if there is no
// event. Package pagetest tests the programs.
func TestHandler(t *testing.T) {
	service := event.NewService(&storetest.Memory{})
	input := event.NewCreateEventInput()
	input["title"].Value = new("Picnic")
	input["dateTime"].Value = new("2027-05-01T12:00:00Z")
	input["timezone"].Value = new("UTC")
	e, _, err := service.CreateEvent(t.Context(), input, event.Key{})
	if err != nil {
		t.Fatal(err)
	}
	page := site.EventPages + e.Token.String()
	handler := NewHandler(service, slog.New(slog.DiscardHandler))
	wants := func(ctx context.Context, method, path, want string) {
		t.Helper()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, method, path, nil))
		h := w.Header()
		got := fmt.Sprintf("%d %s %s %s %t",
			w.Code, h.Get("Content-Type"), h.Get("Cache-Control"), h.Get("X-Robots-Tag"), w.Body.Len() > 0)
		if got != want {
			t.Errorf("%s %s: %s, want %s", method, path, got, want)
		}
	}
	const (
		picture = "200 image/png public, max-age=60, stale-if-error=600 noindex "
		missing = "404 text/plain; charset=utf-8 no-store noindex true"
	)
	wants(t.Context(), "GET", page+"/card.png", picture+"true")
	wants(t.Context(), "HEAD", page+"/card.png", picture+"false")
	wants(t.Context(), "GET", page, missing)

	// While two cards are being drawn, another card waits until its request ends. A request without an event never
	// waits.
	ended, end := context.WithCancel(t.Context())
	end()
	drawing <- struct{}{}
	wants(t.Context(), "GET", page+"/card.png", picture+"true")
	drawing <- struct{}{}
	for range 10 { // if two channels are ready, select takes a random one
		wants(ended, "GET", page+"/card.png", "503 text/plain; charset=utf-8 no-store noindex true")
	}
	wants(ended, "GET", site.EventPages+"x/card.png", missing)
	<-drawing
	<-drawing
}

// TestLongTexts: an imported text may be longer than the service admits. Such a text is cut first, so that the work of
// drawing does not grow with the text.
func TestLongTexts(t *testing.T) {
	const many = 398_000
	for _, letter := range []string{"a", "é", "\u0301", " ", "\u200d", "😀", "会", "ش", "\U0001d160"} {
		text := strings.Repeat(letter, many)
		if got := utf8.RuneCountInString(clean(text)); got > 4*longest {
			t.Errorf("%d of %d %q are left", got, many, letter)
		}
		e := event.Event{Title: text, Location: &text, Host: &text, DateTime: "2027-05-01T12:00:00Z", Timezone: "UTC"}
		if _, err := Draw(e, nil, time.Unix(0, 0)); err != nil {
			t.Error(err)
		}
	}
	if got := clean(strings.Repeat("a", longest)); utf8.RuneCountInString(got) != longest {
		t.Error("a text that the service admits is cut")
	}
	if got := clean(strings.Repeat("a", longest+1)); !strings.HasSuffix(got, "a…") {
		t.Errorf("a text that is cut ends in %q", got[longest-1:])
	}
}
