package site

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"turnout/internal/site/static"
)

// The colours of the stylesheet, and the theme colours before it is loaded.
func TestColoursMatchTheStylesheet(t *testing.T) {
	base := string(static.Read("styles/base.css"))
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
		fmt.Sprintf("--hue: %v;\n  --depth: %v;\n  --light: %v;", SiteColour.Hue, SiteColour.Chroma, SiteColour.Lightness),
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
	day, _ := Colour{Lightness: 0.6}.Bars()
	if _, night := (Colour{Lightness: 0.6 + darker}).Bars(); day != "#808080" || night != day {
		t.Errorf("the browser's bars are %v, and at night %v", day, night)
	}
}
