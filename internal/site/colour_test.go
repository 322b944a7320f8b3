package site

import (
	"encoding/json"
	"fmt"
	"image/color"
	"strings"
	"testing"
)

// TestColoursMatchTheScript: the script gives each title the colour that it has on the page
// and in the picture, whatever its letters are, and there are as many of each.
func TestColoursMatchTheScript(t *testing.T) {
	titles := []string{
		"", "P", "Picnic", "picnic", "Picnic ", "Café", "Cafe\u0301", "花見 2027", "عيد ميلاد سعيد", "🎉", "👩‍👩‍👧‍👦 & 🏳️‍🌈",
		"\U0010ffff\ufffd", "\x00\ufeff\u2028\u202e", "a\u0300\u0301\u0302", strings.Repeat("W", 200), strings.Repeat("\U0010ffff", 200),
	}
	for n := range 400 {
		titles = append(titles, fmt.Sprint("Book club ", n))
	}
	list, err := json.Marshal(titles)
	if err != nil {
		t.Fatal(err)
	}
	var count [len(Colours)]int
	for i, want := range script(t, "lib/head.js", `export function colourOf.*?\n\}\n`, string(list)+".map(colourOf)").Export().([]any) {
		got := ColourOf(titles[i])
		if int64(got) != want {
			t.Errorf("%q has the colour %d, in the script %v", titles[i], got, want)
		}
		count[got]++
	}
	for colour, n := range count {
		if n < 40 {
			t.Errorf("%d of %d titles have the colour %d", n, len(titles), colour)
		}
	}
}

// The colours of the stylesheet, and those of the browser's bars before it is loaded.
func TestColoursMatchTheStylesheet(t *testing.T) {
	base := read(t, "styles/base.css")
	for i, c := range Colours {
		rule := fmt.Sprintf(`[data-colour="%d"] { --hue: %v; --depth: %v; --light: %v; }`, i, c.Hue, c.Chroma, c.Lightness)
		if !strings.Contains(base, rule) {
			t.Errorf("styles/base.css lacks %s", rule)
		}
	}
	if n := strings.Count(base, `[data-colour="`); n != len(Colours) {
		t.Errorf("styles/base.css has %d colours", n)
	}
	for _, rule := range []string{
		fmt.Sprintf("--hue: %v;\n  --depth: %v;\n  --light: %v;", siteColour.Hue, siteColour.Chroma, siteColour.Lightness),
		fmt.Sprintf("--poster: oklch(calc(var(--light) - %v) var(--depth) var(--hue));", darker),
	} {
		if !strings.Contains(base, rule) {
			t.Errorf("styles/base.css lacks %s", rule)
		}
	}
}

// TestColours of CSS Color Module Level 4: the primaries of sRGB, white, black, and a grey
// from each part of its transfer function.
func TestColours(t *testing.T) {
	for c, want := range map[Colour]color.RGBA{
		{Lightness: 0.627955, Chroma: 0.257683, Hue: 29.2339}:  {255, 0, 0, 255},
		{Lightness: 0.866440, Chroma: 0.294827, Hue: 142.4953}: {0, 255, 0, 255},
		{Lightness: 0.452014, Chroma: 0.313214, Hue: 264.0520}: {0, 0, 255, 255},
		{Lightness: 1}:    {255, 255, 255, 255},
		{Lightness: 0.12}: {6, 6, 6, 255},
		{Lightness: 0.6}:  {128, 128, 128, 255},
		{}:                {0, 0, 0, 255},
	} {
		if got := c.SRGB(); got != want {
			t.Errorf("%v is %v, want %v", c, got, want)
		}
	}
	grey := Colour{Lightness: 0.6}.bars()["bars"]
	if night := (Colour{Lightness: 0.6 + darker}).bars()["barsAtNight"]; grey != "#808080" || night != grey {
		t.Errorf("the browser's bars are %v, and at night %v", grey, night)
	}
}
