package site

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"turnout/internal/site/src"
)

// TestColoursMatchTheStylesheet: the colours in Go are the stylesheet's. Its theme colours apply before the stylesheet
// is loaded.
func TestColoursMatchTheStylesheet(t *testing.T) {
	base := string(src.Read("styles/base.css")) + string(src.Read("styles/poster.css"))
	for i, c := range Colours {
		rule := fmt.Sprintf(`[data-colour="%d"] { --hue: %v; --depth: %v; --light: %v; }`,
			i, c.Hue, c.Chroma, c.Lightness)
		if !strings.Contains(base, rule) {
			t.Errorf("styles/base.css lacks %s", rule)
		}
	}
	if n := strings.Count(base, `[data-colour="`); n != len(Colours) {
		t.Errorf("styles/base.css has %d colours", n)
	}
	c := SiteColour
	for _, rule := range []string{
		fmt.Sprintf("--hue: %v;\n  --depth: %v;\n  --light: %v;", c.Hue, c.Chroma, c.Lightness),
		fmt.Sprintf("--poster: oklch(calc(var(--light) - %v) var(--depth) var(--hue));", darker),
		fmt.Sprintf("[data-off] { --depth: %v; }", greyed),
		fmt.Sprintf("--own: oklch(%v %v %v);", Own.Lightness, Own.Chroma, Own.Hue),
		fmt.Sprintf("--on-poster: oklch(%v %v var(--hue));", Colour{}.Ink().Lightness, Colour{}.Ink().Chroma),
		fmt.Sprintf("color: oklch(%v %v var(--hue) / %v);", Colour{}.Ink().Lightness, Colour{}.Ink().Chroma, Faded),
	} {
		if !strings.Contains(base, rule) {
			t.Errorf("styles/base.css lacks %s", rule)
		}
	}
}

// TestContrast: text on a poster has enough contrast (WCAG 2.2, criterion 1.4.3) in each colour and on the grey of a
// cancelled event, in light and in dark mode.
func TestContrast(t *testing.T) {
	luminance := func(c color.RGBA) float64 {
		linear := func(channel uint8) float64 {
			value := float64(channel) / 255
			if value <= 0.04045 {
				return value / 12.92
			}
			return math.Pow((value+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	for _, colour := range Colours {
		for _, light := range []float64{0, darker} {
			colour.Lightness -= light
			grey, ink := colour.Grey().SRGB(), colour.Ink().SRGB()
			for name, c := range map[string]struct {
				text, paper color.RGBA
				least       float64
			}{
				"text": {ink, colour.SRGB(), 4.5}, "text of a cancelled event": {Mix(grey, ink, Faded), grey, 4.5},
				"the word Cancelled": {Own.SRGB(), grey, 3}, // large text needs less contrast
				"a guest's stroke":   {Own.SRGB(), colour.SRGB(), 3},
			} {
				if got := (luminance(c.paper) + 0.05) / (luminance(c.text) + 0.05); got < c.least {
					t.Errorf("%s on %v: contrast %.2f, want %v", name, colour, got, c.least)
				}
			}
		}
	}
}

// TestColours: SRGB converts the examples of CSS Color Module Level 4, which are the primaries of sRGB, white, black,
// and a grey from each part of sRGB's transfer function.
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

// TestColoursWithoutOKLCH: browsers without oklch have a value for each colour that base.css derives, in both modes.
func TestColoursWithoutOKLCH(t *testing.T) {
	derived, rest, found := strings.Cut(string(src.Read("styles/base.css")), "@supports not (color: oklch(0 0 0)) {")
	fixed, _, ended := strings.Cut(rest, "\n}\n")
	if !found || !ended {
		t.Fatal("styles/base.css has no colours for browsers without oklch")
	}
	names := func(css, value string) (all []string) {
		for _, match := range regexp.MustCompile(`(?m)^ +(--[a-z-]+): `+value).FindAllStringSubmatch(css, -1) {
			all = append(all, match[1])
		}
		return all
	}
	want, got := names(derived, `oklch\(`), names(fixed, `#`)
	if len(want) < 20 || !slices.Equal(got, want) {
		t.Errorf("with oklch, the light and the dark colours are %q, and without it %q", want, got)
	}
}
