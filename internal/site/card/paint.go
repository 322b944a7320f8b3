package card

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/vector"

	"turnout/internal/site"
)

// A canvas holds the amount of ink on each pixel. With one ink on one paper, a palette between
// the two suffices.
type canvas struct{ ink *image.Alpha }

func newCanvas(width, height int) canvas {
	return canvas{image.NewAlpha(image.Rect(0, 0, width, height))}
}

// opaque is the strength of ink that covers the paper; none takes it away.
const (
	opaque = 255
	none   = 0
)

// fill puts ink of a strength on the area of a path.
func (c canvas) fill(path *vector.Rasterizer, strength uint8) {
	shape := image.NewAlpha(c.ink.Rect)
	path.Draw(shape, shape.Rect, image.Opaque, image.Point{})
	for i, covered := range shape.Pix {
		if covered != 0 {
			c.ink.Pix[i] = uint8((int(c.ink.Pix[i])*(255-int(covered)) + int(strength)*int(covered) + 127) / 255)
		}
	}
}

func (c canvas) path() *vector.Rasterizer {
	return vector.NewRasterizer(c.ink.Rect.Dx(), c.ink.Rect.Dy())
}

func (c canvas) rectangle(r image.Rectangle, strength uint8) {
	draw.Draw(c.ink, r, image.NewUniform(color.Alpha{strength}), image.Point{}, draw.Src)
}

// text draws the lines of a block between two sides, from top downwards. Lines begin on the
// side where their direction of writing begins.
func (c canvas) text(b block, left, right, top int, strength uint8) {
	path := c.path()
	for i, line := range b.lines {
		x := left
		if b.direction == di.DirectionRTL {
			x = right - width(line)
		}
		baseline := top + i*b.lineHeight() + b.size*92/100
		runs := slices.SortedFunc(slices.Values(line), func(a, b shaping.Output) int { return cmp.Compare(a.VisualIndex, b.VisualIndex) })
		dot := float32(x)
		for _, run := range runs {
			dot = addRun(path, run, dot, float32(baseline))
		}
	}
	c.fill(path, strength)
}

// addRun adds the outlines of the glyphs of a run, and returns where the next begins.
func addRun(path *vector.Rasterizer, run shaping.Output, dot, baseline float32) float32 {
	scale := float32(run.Size) / 64 / float32(run.Face.Upem())
	for _, glyph := range run.Glyphs {
		x, y := dot+float32(glyph.XOffset)/64, baseline-float32(glyph.YOffset)/64
		at := func(p opentype.SegmentPoint) (float32, float32) { return x + p.X*scale, y - p.Y*scale }
		if outline, ok := run.Face.GlyphData(glyph.GlyphID).(font.GlyphOutline); ok {
			for _, segment := range outline.Segments {
				ax, ay := at(segment.Args[0])
				bx, by := at(segment.Args[1])
				cx, cy := at(segment.Args[2])
				switch segment.Op {
				case opentype.SegmentOpMoveTo:
					path.ClosePath()
					path.MoveTo(ax, ay)
				case opentype.SegmentOpLineTo:
					path.LineTo(ax, ay)
				case opentype.SegmentOpQuadTo:
					path.QuadTo(ax, ay, bx, by)
				case opentype.SegmentOpCubeTo:
					path.CubeTo(ax, ay, bx, by, cx, cy)
				}
			}
			path.ClosePath()
		}
		dot += float32(glyph.Advance) / 64
	}
	return dot
}

// addStroke adds the tally mark at a place, as a line with round ends.
func addStroke(path *vector.Rasterizer, place int, left, top float64) {
	const radius, steps = 4.5 / 2, 12
	curve := site.Stroke(place)
	at := func(t float64) (x, y float64) {
		u := 1 - t
		x = u*u*curve[0].X + 2*u*t*curve[1].X + t*t*curve[2].X
		y = u*u*curve[0].Y + 2*u*t*curve[1].Y + t*t*curve[2].Y
		return left + x, top + y
	}
	for i := range steps {
		ax, ay := at(float64(i) / steps)
		bx, by := at(float64(i+1) / steps)
		// Around each end half a circle, beginning across the line.
		across := math.Atan2(by-ay, bx-ax) + math.Pi/2
		for j := range 2 * steps {
			angle, x, y := across+math.Pi*float64(j)/(steps-1), ax, ay
			if j >= steps {
				angle, x, y = across+math.Pi*(1+float64(j-steps)/(steps-1)), bx, by
			}
			x, y = x+radius*math.Cos(angle), y+radius*math.Sin(angle)
			if j == 0 {
				path.MoveTo(float32(x), float32(y))
			} else {
				path.LineTo(float32(x), float32(y))
			}
		}
		path.ClosePath()
	}
}

// picture returns the canvas in the colours of an event.
func (c canvas) picture(paper, ink color.RGBA) *image.Paletted {
	palette := make(color.Palette, 256)
	for i := range palette {
		mix := func(from, to uint8) uint8 { return uint8((int(from)*(255-i) + int(to)*i + 127) / 255) }
		palette[i] = color.RGBA{mix(paper.R, ink.R), mix(paper.G, ink.G), mix(paper.B, ink.B), 255}
	}
	return &image.Paletted{Pix: c.ink.Pix, Stride: c.ink.Stride, Rect: c.ink.Rect, Palette: palette}
}
