package card

import (
	"bytes"
	"image/png"
	"time"

	"golang.org/x/image/vector"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// The size that messengers recommend.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// Layout, in pixels.
const (
	margin   = 64
	within   = pictureWidth - 2*margin
	top      = 52
	titleTop = 116
	marks    = 76 // the height of the tally

	titleSize = 150
	dateSize  = 64
	factSize  = 46
	labelSize = 40

	mostStrokes = 20 // that fit; the number beside them is exact
)

// Draw returns the picture of an event as PNG. Characters that the fonts lack are left out;
// without a title, the date takes its place. Of an event that has moved the picture has the new facts.
func Draw(e event.Event, move *site.Move, l *locale.Locale, now time.Time) ([]byte, error) {
	colour, kicker := site.Colours[site.ColourOf(e.Title)], site.PhaseOf(e, move, now).Kicker(l)
	if move != nil {
		e = move.To
	}
	c := canvas{vector.NewRasterizer(pictureWidth, pictureHeight), l.Direction() == "rtl"}
	text, heavy := &typesetter{weight: 600}, &typesetter{weight: 800, spacing: -2}

	name := heavy.set("Turnout", labelSize, within, 1)
	begin := pictureWidth - margin - width(name.lines[0])
	c.text(name, begin, top)
	c.tally(5, begin-58, top, 42)
	c.text(text.set(clean(kicker), labelSize, begin-58-margin, 1), margin, top)

	bottom := pictureHeight - margin
	if e.AttendeeCount > 0 {
		words := clean(site.PhaseOf(e, nil, now).Turnout(e.AttendeeCount, l))
		bottom -= marks
		begin := c.tally(min(e.AttendeeCount, mostStrokes), margin, bottom, marks) + 30
		line := text.fit(words, factSize, pictureWidth-margin-begin, marks)
		c.text(line, begin, bottom+(marks-line.height())/2)
		bottom -= 14
	}
	add := func(b block) {
		bottom -= b.height() + 8
		c.text(b, margin, bottom)
	}
	if e.Location != nil {
		if place := clean(*e.Location); place != "" && text.covers(place) {
			add(text.set(place, factSize, within, 1))
		}
	}
	title, date := clean(e.Title), clean(l.Short(e, now))
	if title == "" || !text.covers(title) {
		title = date
	} else {
		add(heavy.fit(date, dateSize, within, dateSize*3/2))
	}
	space := bottom - 16 - titleTop
	headline := heavy.fit(title, titleSize, within, space)
	c.text(headline, margin, titleTop+(space-headline.height())/2)

	var content bytes.Buffer
	ink := site.Colour{Lightness: 0.2, Chroma: 0.03, Hue: colour.Hue}
	err := png.Encode(&content, c.picture(colour.SRGB(), ink.SRGB()))
	return content.Bytes(), err
}
