package site

import "turnout/internal/event"

// A Colour is that of an event's poster in CSS's oklch: lightness and
// chroma from 0 to 1, hue in degrees. Colours are those of static/styles/base.css.
type Colour struct{ Lightness, Chroma, Hue float64 }

var Colours = [8]Colour{
	{0.82, 0.155, 62}, {0.83, 0.14, 150}, {0.82, 0.1, 238}, {0.82, 0.12, 350},
	{0.88, 0.18, 118}, {0.81, 0.11, 300}, {0.84, 0.105, 190}, {0.79, 0.13, 30},
}

// ColourOf returns the place of an event's colour in Colours.
func ColourOf(t event.Token) int { return int(t[0]>>4) % len(Colours) }
