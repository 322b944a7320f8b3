package card

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/vector"

	"turnout/internal/site"
)

// A layer has the shapes that have the same ink.
type layer struct {
	shapes shapes
	ink    color.RGBA
}

// An outline adds itself to a rasterizer.
type outline func(path *vector.Rasterizer)

// shapes are outlines, in groups. A rasterizer adds up the coverage of its outlines. This makes notches in the edges of
// outlines that overlap, so such outlines are in several groups.
type shapes [][]outline

// add adds an outline to the group with this index.
func (s *shapes) add(group int, o outline) {
	for len(*s) <= group {
		*s = append(*s, nil)
	}
	(*s)[group] = append((*s)[group], o)
}

// coverage returns the greatest coverage of each pixel by a group. One rasterizer, which takes 3 MB, draws all groups.
func (s shapes) coverage() *image.Alpha {
	all := image.NewAlpha(image.Rect(0, 0, pictureWidth, pictureHeight))
	amount := image.NewAlpha(all.Rect)
	var path vector.Rasterizer
	for _, group := range s {
		path.Reset(pictureWidth, pictureHeight)
		path.DrawOp = draw.Src
		for _, o := range group {
			o(&path)
		}
		path.Draw(amount, amount.Rect, image.Opaque, image.Point{})
		for at, ink := range amount.Pix {
			all.Pix[at] = max(all.Pix[at], ink)
		}
	}
	return all
}

// left returns the left edge of a part that has this width, and begins at this distance from the side on which lines
// begin.
func (d *sheet) left(begin, width int) int {
	if d.rightToLeft {
		return pictureWidth - begin - width
	}
	return begin
}

// text adds the lines of a block from top downwards.
func (d *sheet) text(to *shapes, b block, begin, top int) {
	visually := func(a, b shaping.Output) int { return cmp.Compare(a.VisualIndex, b.VisualIndex) }
	for i, line := range b.lines {
		runs := slices.SortedFunc(slices.Values(line), visually)
		dot := site.Point{X: float64(d.left(begin, width(line))), Y: float64(top + i*b.lineHeight() + b.size*92/100)}
		for _, run := range runs {
			if run.Face == b.light { // a round pen makes the light font as bold as the others
				for i := range 8 {
					x, y := onCircle(dot, float64(b.size)/64, float64(i)*math.Pi/4)
					to.add(1+i, func(path *vector.Rasterizer) { addRun(path, run, x, y) })
				}
			}
			x, y := float32(dot.X), float32(dot.Y)
			to.add(0, func(path *vector.Rasterizer) { addRun(path, run, x, y) })
			for _, glyph := range run.Glyphs {
				dot.X += float64(glyph.Advance) / 64
			}
		}
	}
}

// strike adds a line through each line of a block.
func (d *sheet) strike(b block, begin, top int) {
	for i, line := range b.lines {
		left, y := d.left(begin, width(line)), float32(top+i*b.lineHeight()+b.size*62/100)
		right, thick := float32(left+width(line)), float32(b.size)/12
		d.lines.add(0, func(path *vector.Rasterizer) {
			path.MoveTo(float32(left), y)
			path.LineTo(right, y)
			path.LineTo(right, y+thick)
			path.LineTo(float32(left), y+thick)
			path.ClosePath()
		})
	}
}

// tally adds the marks from first up to count, scaled to a height. first must begin a group of five.
func (d *sheet) tally(first, count, begin, top, height int) {
	scale := float64(height) / site.GroupHeight
	for first < count {
		strokes := min(site.GroupSize, count-first)
		wide := int(min(site.GroupWidth, 10+13*float64(strokes)) * scale)
		left := float64(d.left(begin, wide))
		for i := range strokes {
			place := first + i
			d.ink.add(0, func(path *vector.Rasterizer) { addStroke(path, place, left, float64(top), scale) })
		}
		begin += int((site.GroupWidth + 14) * scale)
		first += strokes
	}
}

// addRun adds the outlines of a run's glyphs.
func addRun(path *vector.Rasterizer, run shaping.Output, dot, baseline float32) {
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
}

// addStroke adds the outline of the tally mark at a place, which has round ends.
func addStroke(path *vector.Rasterizer, place int, left, top, scale float64) {
	const steps = 12
	radius := 4.5 / 2 * scale
	curve := site.Stroke(place)
	// at returns a point of the curve, and the angle across the curve.
	at := func(step int) (point site.Point, across float64) {
		t := float64(step) / steps
		u := 1 - t
		x := u*u*curve[0].X + 2*u*t*curve[1].X + t*t*curve[2].X
		y := u*u*curve[0].Y + 2*u*t*curve[1].Y + t*t*curve[2].Y
		dx := u*(curve[1].X-curve[0].X) + t*(curve[2].X-curve[1].X)
		dy := u*(curve[1].Y-curve[0].Y) + t*(curve[2].Y-curve[1].Y)
		return site.Point{X: left + x*scale, Y: top + y*scale}, math.Atan2(dy, dx) + math.Pi/2
	}
	begin, across := at(0)
	path.MoveTo(onCircle(begin, radius, across))
	addHalfCircle(path, begin, radius, across)
	for step := range steps + 1 {
		point, across := at(step)
		path.LineTo(onCircle(point, radius, across+math.Pi))
	}
	end, across := at(steps)
	addHalfCircle(path, end, radius, across+math.Pi)
	for step := range steps + 1 {
		point, across := at(steps - step)
		path.LineTo(onCircle(point, radius, across))
	}
	path.ClosePath()
}

// addHalfCircle adds lines around a centre, from an angle to the opposite angle.
func addHalfCircle(path *vector.Rasterizer, centre site.Point, radius, angle float64) {
	const steps = 11
	for i := range steps + 1 {
		path.LineTo(onCircle(centre, radius, angle+math.Pi*float64(i)/steps))
	}
}

func onCircle(centre site.Point, radius, angle float64) (x, y float32) {
	sin, cos := math.Sincos(angle)
	return float32(centre.X + radius*cos), float32(centre.Y + radius*sin)
}

// picture returns an image of the layers on paper. If two layers overlap, the layer with more ink is visible. Each
// layer has its own part of the palette, from the paper's colour to the layer's ink.
func picture(paper color.RGBA, layers []layer) *image.Paletted {
	steps, palette := 256/len(layers), color.Palette{}
	all := image.NewPaletted(image.Rect(0, 0, pictureWidth, pictureHeight), nil)
	most := make([]uint8, len(all.Pix))
	for i, l := range layers {
		for step := range steps {
			palette = append(palette, site.Mix(paper, l.ink, float64(step)/float64(steps-1)))
		}
		for at, ink := range l.shapes.coverage().Pix {
			if ink > most[at] {
				most[at], all.Pix[at] = ink, uint8(i*steps+int(ink)*(steps-1)/255)
			}
		}
	}
	all.Palette = palette
	return all
}
