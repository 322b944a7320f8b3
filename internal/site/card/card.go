package card

import (
	"bytes"
	"image"
	"image/png"

	"turnout/internal/event"
	"turnout/internal/site"
)

// The size that messengers recommend.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// The places of things, in pixels.
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

// mostStrokes is how many tally marks fit; the number beside them is exact.
const mostStrokes = 20

var (
	titleSizes = []int{120, 108, 96, 84, 74, 66, 58, 50, 44, 40}
	dateSizes  = []int{factSize, 32, 28}
)

// Draw returns the picture of an event as PNG. What the fonts do not cover is
// left out; without a title, the date takes its place.
func Draw(e event.Event, l *site.Locale) ([]byte, error) {
	set := &typesetter{}
	c := newCanvas(pictureWidth, pictureHeight)
	right, top := pictureWidth-margin, margin-12

	if e.Cancelled {
		label := set.set(clean(l.Text("state.cancelled")), labelSize, factsRight, 1)
		box := image.Rect(margin, top, margin+width(label.lines[0])+40, top+label.height()+28)
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
	line := factsTop
	if date != "" {
		when := set.fit(date, dateSizes, factsRight-margin, 2*factSize)
		c.text(when, margin, factsRight, line, opaque)
		line += when.height() + 6
	}
	if e.Location != nil {
		if place := clean(*e.Location); place != "" && set.covers(place) {
			c.text(set.set(place, factSize-4, factsRight-margin, 1), margin, factsRight, line, opaque)
		}
	}
	drawTally(c, set, e.AttendeeCount, l, right)

	var content bytes.Buffer
	colour := site.Colours[site.ColourOf(e.Title)]
	ink := site.Colour{Lightness: 0.2, Chroma: 0.03, Hue: colour.Hue}
	err := png.Encode(&content, c.picture(colour.SRGB(), ink.SRGB()))
	return content.Bytes(), err
}

// drawTally draws the number of guests, and as many marks as fit; for none, nothing.
func drawTally(c canvas, set *typesetter, count int, l *site.Locale, right int) {
	const gap = 14
	if count == 0 {
		return
	}
	shown := min(count, mostStrokes)
	groups := (shown + 4) / 5
	left := right - groups*site.GroupWidth - (groups-1)*gap
	marks := c.path()
	for place := range shown {
		addStroke(marks, place, float64(left+place/5*(site.GroupWidth+gap)), tallyTop)
	}
	c.fill(marks, opaque)
	number := set.set(l.Number(count), 64, right-factsRight, 1)
	c.text(number, right-width(number.lines[0]), right, factsTop-8, opaque)
}
