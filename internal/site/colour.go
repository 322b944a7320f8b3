package site

import (
	"fmt"
	"image/color"
	"math"
)

// A Colour is an oklch poster colour: lightness and chroma from 0 to 1, hue in degrees.
type Colour struct{ Lightness, Chroma, Hue float64 }

// Colours are the poster colours, as in src/styles/base.css.
var Colours = [8]Colour{
	{0.82, 0.155, 62}, {0.83, 0.14, 150}, {0.82, 0.1, 238}, {0.82, 0.12, 350},
	{0.88, 0.18, 118}, {0.81, 0.11, 300}, {0.84, 0.105, 190}, {0.79, 0.13, 30},
}

// SiteColour is the colour of non-event pages.
var SiteColour = Colour{0.875, 0.165, 92}

// Own is the colour of a guest's own stroke, of the word "Cancelled", and of lines through a cancelled event.
var Own = Colour{0.46, 0.19, 27}

const (
	// darker is the reduction of a poster's lightness in dark mode.
	darker = 0.06
	// greyed is the chroma of a cancelled event's poster.
	greyed = 0.018
	// Faded is the opacity of the ink on a cancelled event's poster.
	Faded = 0.75
)

// Grey returns the grey of a cancelled event, with the hue of its colour.
func (c Colour) Grey() Colour { return Colour{c.Lightness, greyed, c.Hue} }

// Ink returns the colour of text on a poster.
func (c Colour) Ink() Colour { return Colour{0.2, 0.03, c.Hue} }

// ColourOf returns the index in Colours for an event with this title. src/lib/head.tsx computes the same index, because
// both hash the code points as they were sent.
func ColourOf(title string) int {
	sum := 0
	for _, letter := range title {
		sum = (sum*31 + int(letter)) % 65521
	}
	return sum % len(Colours)
}

// Bars returns the theme colours of a page of this colour, in light and in dark mode.
func (c Colour) Bars() (day, night string) {
	hex := func(c Colour) string {
		rgb := c.SRGB()
		return fmt.Sprintf("#%02x%02x%02x", rgb.R, rgb.G, rgb.B)
	}
	dark := c
	dark.Lightness -= darker
	return hex(c), hex(dark)
}

// SRGB returns the colour in sRGB, clipped as browsers clip colours (CSS Color Module Level 4, section 9).
func (c Colour) SRGB() color.RGBA {
	sin, cos := math.Sincos(c.Hue * math.Pi / 180)
	a, b := c.Chroma*cos, c.Chroma*sin
	cube := func(x float64) float64 { return x * x * x }
	l := cube(c.Lightness + 0.3963377774*a + 0.2158037573*b)
	m := cube(c.Lightness - 0.1055613458*a - 0.0638541728*b)
	s := cube(c.Lightness - 0.0894841775*a - 1.2914855480*b)
	channel := func(linear float64) uint8 {
		value := 12.92 * linear
		if linear > 0.0031308 {
			value = 1.055*math.Pow(linear, 1/2.4) - 0.055
		}
		return uint8(math.Round(255 * min(max(value, 0), 1)))
	}
	return color.RGBA{
		channel(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		channel(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		channel(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
		255,
	}
}

// Mix returns a mixture in sRGB, in which `over` has the share and `under` has the rest.
func Mix(under, over color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return color.RGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 255}
}
