package card

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/di"

	"turnout/internal/event"
	"turnout/internal/event/storetest"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

func supper(title string) event.Event {
	place := "Rooftop"
	return event.Event{
		Title: title, DateTime: "2027-05-01T19:30:00+02:00", Timezone: "Europe/Berlin", Location: &place, AttendeeCount: 12,
	}
}

func drawn(t *testing.T, e event.Event, language string) (*image.Paletted, []byte) {
	t.Helper()
	content, err := Draw(e, nil, locale.Of(language))
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, content), content
}

func decoded(t *testing.T, content []byte) *image.Paletted {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return picture.(*image.Paletted)
}

// alike reports whether two pictures have the same colours, and the same strength of
// ink everywhere, but for rounding: some processors multiply and add in one step.
func alike(a, b *image.Paletted) bool {
	return a.Rect == b.Rect && slices.Equal(a.Palette, b.Palette) &&
		slices.EqualFunc(a.Pix, b.Pix, func(x, y uint8) bool { return max(x, y)-min(x, y) <= 1 })
}

// ink counts the pixels of a region that are not of the paper's colour.
func ink(picture *image.Paletted, region image.Rectangle) (n int) {
	for y := region.Min.Y; y < region.Max.Y; y++ {
		row := picture.Pix[picture.PixOffset(region.Min.X, y):picture.PixOffset(region.Max.X, y)]
		n += len(row) - bytes.Count(row, picture.Pix[:1])
	}
	return n
}

// TestPictures compares whole pictures with those in testdata. After a change that is meant,
// go test -artifacts ./internal/site/card keeps the pictures: look at them, and copy them to
// testdata.
func TestPictures(t *testing.T) {
	place := func(e event.Event, location string) event.Event {
		e.Location = &location
		return e
	}
	plain := supper("Festa na cobertura")
	plain.DateTime = "2027-09-29T19:30:00+02:00" // a long date
	cancelled := place(supper("حفلة 2027 على السطح Rooftop مع الجيران والأصدقاء من كل الحي"), "ساحة المدينة")
	cancelled.Cancelled, cancelled.AttendeeCount = true, 1_234_567
	long := place(supper(strings.Repeat("Neighbourhood picnic 屋上 ", 8)), strings.Repeat("Behind the old mill ", 5))
	long.Cancelled, long.AttendeeCount = true, 0
	bare := place(supper("🎉"), "파티") // neither is drawn: the date takes the place of the title
	bare.AttendeeCount = 1
	to := place(supper("Supper"), "Café Bar")
	to.DateTime, to.AttendeeCount = "2027-05-08T19:30:00+02:00", 3
	for name, c := range map[string]struct {
		e        event.Event
		move     *site.Move
		language string
	}{
		"plain": {plain, nil, "pt"}, "cancelled": {cancelled, nil, "ar"}, "long": {long, nil, "ja"}, "bare": {bare, nil, "en"},
		"moved": {long, &site.Move{From: long, To: to}, "uk"},
	} {
		content, err := Draw(c.e, c.move, locale.Of(c.language))
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
		} else if !alike(got, decoded(t, want)) {
			t.Errorf("%s is not drawn as in testdata", file)
		}
	}
}

// TestInk: the strength of ink is exact where a path covers a pixel, on any ground.
func TestInk(t *testing.T) {
	c := newCanvas(3, 1)
	for _, strength := range []uint8{40, opaque, 100, none} {
		path := c.path()
		path.MoveTo(0, 0)
		path.LineTo(2, 0)
		path.LineTo(2, 1)
		path.LineTo(0, 1)
		path.ClosePath()
		c.fill(path, strength)
		if want := []uint8{strength, strength, 0}; !slices.Equal(c.ink.Pix, want) {
			t.Errorf("ink %v, want %v", c.ink.Pix, want)
		}
	}
}

// TestScripts: letters of each script come from a font, and have the direction of their
// writing; TestPictures shows on which side their lines begin.
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
		b := set.set(title, 80, 2000, 0)
		if !set.covers(title) || b.direction != want {
			t.Errorf("%s: covered %t, direction %v", title, set.covers(title), b.direction)
		}
		for _, run := range b.lines[0] {
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

// TestLabelIsWhole: in each language the label of a cancelled event has a font, and keeps its
// marks inside its box.
func TestLabelIsWhole(t *testing.T) {
	e := supper("🎉")
	e.Cancelled = true
	for _, language := range locale.Languages() {
		l := locale.Of(language)
		if said := l.Text("state.cancelled") + " " + l.When(e); !(&typesetter{}).covers(clean(said)) {
			t.Errorf("no font in internal/site/card/text.go has %q (%s.json): add one", said, language)
			continue
		}
		picture, _ := drawn(t, e, language)
		for y := margin - 12; y < margin-10; y++ {
			row := picture.Pix[y*picture.Stride : (y+1)*picture.Stride]
			first, last := bytes.IndexByte(row, opaque), bytes.LastIndexByte(row, opaque)
			begins := first == margin
			if l.Direction() == "rtl" {
				begins = last == pictureWidth-margin-1
			}
			if n := bytes.Count(row, []byte{opaque}); !begins || n != last-first+1 {
				t.Errorf("%s: the label leaves its box in row %d", language, y)
			}
		}
	}
}

// TestLongTextStaysInside the margins, cut off where it must be.
func TestLongTextStaysInside(t *testing.T) {
	long := strings.Repeat("Neighbourhood ", 40)
	for _, title := range []string{strings.Repeat("W", 200), strings.Repeat("long ", 40), strings.Repeat("م", 200), "Z" + strings.Repeat("\u0301\u0327", 99), long[:200]} {
		e := supper(title)
		e.Location, e.AttendeeCount = &long, 1_234_567
		picture, _ := drawn(t, e, "en")
		for _, edge := range []image.Rectangle{
			image.Rect(0, 0, margin-20, pictureHeight), image.Rect(pictureWidth-margin+20, 0, pictureWidth, pictureHeight),
			image.Rect(0, 0, pictureWidth, 20), image.Rect(0, pictureHeight-20, pictureWidth, pictureHeight),
			image.Rect(0, ruleTop-12, pictureWidth, ruleTop),
		} {
			if n := ink(picture, edge); n > 0 {
				t.Errorf("%.20s…: %d pixels at the edge %v", title, n, edge)
			}
		}
	}
	facts := image.Rect(0, ruleTop+ruleHeight, factsRight, pictureHeight)
	e := supper("Picnic")
	few, _ := drawn(t, e, "en")
	e.AttendeeCount = math.MaxInt
	if many, _ := drawn(t, e, "en"); ink(many, facts) != ink(few, facts) {
		t.Error("a large number covers the facts")
	}
	set := &typesetter{}
	if cut := set.fit(long, []int{60, 40}, 300, 100); !cut.truncated || cut.size != 40 || cut.height() > 100 {
		t.Errorf("cut off %t at size %d, height %d", cut.truncated, cut.size, cut.height())
	}
	exact := set.set("Picnic", 60, pictureWidth, 0)
	if whole := set.fit("Picnic", []int{60, 40}, width(exact.lines[0]), exact.height()); whole.truncated || whole.size != 60 || len(whole.lines) != 1 {
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

// TestHandler: the picture is served with the headers of the page; without an event there is
// none. Package previewtest has what the programs serve.
func TestHandler(t *testing.T) {
	service := event.NewService(&storetest.Memory{})
	text := func(s string) event.Field[string] { return event.Field[string]{Value: &s} }
	e, _, err := service.CreateEvent(t.Context(), event.CreateEventInput{Title: text("Picnic"), DateTime: text("2027-05-01T12:00:00Z"), Timezone: text("UTC")}, event.Key{})
	if err != nil {
		t.Fatal(err)
	}
	page := site.EventPages + e.Token.String()
	for request, want := range map[[2]string]string{
		{"GET", page + "/card.png"}:             "200 image/png public, max-age=60, stale-if-error=600 noindex true",
		{"HEAD", page + "/card.png"}:            "200 image/png public, max-age=60, stale-if-error=600 noindex false",
		{"GET", site.EventPages + "x/card.png"}: "404 text/plain; charset=utf-8 no-store noindex true",
		{"GET", page}:                           "404 text/plain; charset=utf-8 no-store noindex true",
	} {
		w := httptest.NewRecorder()
		NewHandler(service, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(request[0], request[1], nil))
		h := w.Header()
		if got := fmt.Sprintf("%d %s %s %s %t", w.Code, h.Get("Content-Type"), h.Get("Cache-Control"), h.Get("X-Robots-Tag"), w.Body.Len() > 0); got != want {
			t.Errorf("%q: %s, want %s", request, got, want)
		}
	}
}
