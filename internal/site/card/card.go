package card

import (
	"bytes"
	"image"
	"image/png"

	"github.com/go-text/typesetting/di"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// The size that messengers recommend.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// The layout, in pixels.
const (
	margin     = 72
	ruleTop    = 440 // between the title and the facts
	ruleHeight = 4
	factsTop   = ruleTop + 28
	factsRight = 800
	tallyTop   = 538
	labelSize  = 34
	factSize   = 36
)

// mostStrokes is the number of tally marks that fit; the number beside them is exact.
const mostStrokes = 20

var (
	titleSizes = []int{120, 108, 96, 84, 74, 66, 58, 50, 44, 40}
	dateSizes  = []int{factSize, 32, 28}
)

// Draw returns the picture of an event as PNG. Characters that the fonts lack are left out;
// without a title, the date takes its place. Of an event that has moved the picture has the new facts.
func Draw(e event.Event, move *site.Move, l *locale.Locale) ([]byte, error) {
	set, direction := &typesetter{}, di.DirectionLTR
	c := newCanvas(pictureWidth, pictureHeight)
	right, top := pictureWidth-margin, margin-12
	if l.Direction() == "rtl" {
		direction = di.DirectionRTL
	}

	state, colour := "", site.Colours[site.ColourOf(e.Title)]
	switch {
	case move != nil:
		state, e = l.Text("state.moved"), move.To
	case e.Cancelled:
		state = l.Text("state.cancelled")
	}
	if state != "" {
		label := set.set(clean(state), labelSize, factsRight, 1)
		left := begin(direction, width(label.lines[0])+40)
		box := image.Rect(left, top, left+width(label.lines[0])+40, top+label.height()+28)
		c.rectangle(box, opaque)
		c.text(label, box.Min.X+20, box.Max.X-20, top+16, none)
		top = box.Max.Y + 24
	}

	title, date := clean(e.Title), clean(l.When(e))
	if title == "" || !set.covers(title) {
		title, date = date, ""
	}
	c.text(set.fit(title, titleSizes, right-margin, ruleTop-20-top), margin, right, top, opaque)

	c.rectangle(image.Rect(margin, ruleTop, right, ruleTop+ruleHeight), opaque)
	line, left := factsTop, begin(direction, factsRight-margin)
	fact := func(b block) {
		b.direction = direction
		c.text(b, left, left+factsRight-margin, line, opaque)
		line += b.height() + 6
	}
	if date != "" {
		fact(set.fit(date, dateSizes, factsRight-margin, 2*factSize))
	}
	if e.Location != nil {
		if place := clean(*e.Location); place != "" && set.covers(place) {
			fact(set.set(place, factSize-4, factsRight-margin, 1))
		}
	}
	drawTally(c, set, e.AttendeeCount, l, direction)

	var content bytes.Buffer
	ink := site.Colour{Lightness: 0.2, Chroma: 0.03, Hue: colour.Hue}
	err := png.Encode(&content, c.picture(colour.SRGB(), ink.SRGB()))
	return content.Bytes(), err
}

// begin returns the left edge of a box of this width at the margin where lines in this
// direction begin.
func begin(direction di.Direction, width int) int {
	if direction == di.DirectionRTL {
		return pictureWidth - margin - width
	}
	return margin
}

// end is the same at the other margin.
func end(direction di.Direction, width int) int {
	return pictureWidth - width - begin(direction, width)
}

// drawTally draws the number of guests, and as many marks as fit; for none, nothing.
func drawTally(c canvas, set *typesetter, count int, l *locale.Locale, direction di.Direction) {
	const gap = 14
	if count == 0 {
		return
	}
	shown := min(count, mostStrokes)
	groups := (shown + 4) / 5
	left := end(direction, groups*site.GroupWidth+(groups-1)*gap)
	marks := c.path()
	for place := range shown {
		group := place / 5
		if direction == di.DirectionRTL {
			group = groups - 1 - group
		}
		addStroke(marks, place, float64(left+group*(site.GroupWidth+gap)), tallyTop)
	}
	c.fill(marks, opaque)
	number := set.set(l.Number(count), 64, pictureWidth-margin-factsRight, 1)
	wide := width(number.lines[0])
	c.text(number, end(direction, wide), end(direction, wide)+wide, factsTop-8, opaque)
}
