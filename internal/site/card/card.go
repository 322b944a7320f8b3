// Package card draws the picture that messengers show of a link to an event, in the event's colour: the
// line above its title, the title, a short date, the place and the tally.
//
// It is a package, and a function, of its own because of its fonts: they make
// the program some 6 MB larger, which would slow down the cold start of the page.
//
// Text is shaped by go-text/typesetting, HarfBuzz in Go, so that Arabic joins and bidirectional lines
// read in order. The site's typeface, all of it, is made by infra/tools/card-font; the others come from
// modules, pinned in go.mod:
//
//	Onest                  Latin, Cyrillic             183 KB  SIL Open Font License 1.1
//	Noto Sans Arabic Bold  Arabic                      178 KB  SIL Open Font License 1.1
//	DejaVu Sans Bold       Greek, Hebrew, and the rest 706 KB  Bitstream Vera license
//	Noto Sans JP Regular   Japanese                  4,548 KB  SIL Open Font License 1.1
//
// The font for Japanese covers many Chinese titles too. Korean would add another 5 MB, each of the scripts
// of India some 200 KB. A title in a script that no font covers is left out, and the date takes its place:
// missing glyphs are never drawn. Of a title with emoji the rest is drawn.
package card

import (
	"bytes"
	"cmp"
	"image/color"
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
	stateTop = 84 // below the mark
	marks    = 76 // the height of the tally

	titleSize    = 150
	stateSize    = 148 // of the word "Cancelled"
	subtitleSize = 84  // of the title below it
	dateSize     = 64
	factSize     = 46
	labelSize    = 40

	mostStrokes = 20 // that fit; a number stands for the earlier guests
)

// A sheet fills from its bottom upwards.
type sheet struct {
	layers        []layer
	path          *vector.Rasterizer // of the last layer
	medium, heavy *typesetter
	rightToLeft   bool
	bottom        int // of the room that is left
}

// in begins a layer of an ink.
func (d *sheet) in(ink color.RGBA) {
	d.path = vector.NewRasterizer(pictureWidth, pictureHeight)
	d.layers = append(d.layers, layer{d.path, ink})
}

func (d *sheet) add(b block) {
	d.bottom -= b.height() + 8
	d.text(b, margin, d.bottom)
}

// fill adds a text in the middle of the room below a top, as large as it fits.
func (d *sheet) fill(text string, size, top int) {
	space := d.bottom - 16 - top
	b := d.heavy.fit(text, size, within, space)
	d.text(b, margin, top+(space-b.height())/2)
}

// covered returns a text of a user, or "" if the fonts lack a part of it.
func (d *sheet) covered(text string) string {
	text = clean(text)
	if !d.medium.covers(text) {
		return ""
	}
	return text
}

// Draw returns the picture of an event as PNG. Characters that the fonts lack are left out;
// without a title, the date takes its place. Of an event that has moved the picture has the new facts.
func Draw(e event.Event, move *site.Move, l *locale.Locale, now time.Time) ([]byte, error) {
	colour, phase := site.Colours[site.ColourOf(e.Title)], site.PhaseOf(e, move, now)
	paper, ink := colour.SRGB(), colour.Ink().SRGB()
	if move != nil {
		e = move.To
	}
	d := sheet{
		medium: &typesetter{weight: 600}, heavy: &typesetter{weight: 800, spacing: -2},
		rightToLeft: l.Direction() == "rtl", bottom: pictureHeight - margin,
	}
	d.in(ink)
	name := d.heavy.set("Turnout", labelSize, within, 1)
	mark := pictureWidth - margin - width(name.lines[0])
	d.text(name, mark, top)
	mark -= 58
	d.tally(0, 5, mark, top, 42)

	title, date, state := d.covered(e.Title), clean(l.Short(e, now)), clean(phase.Kicker(l))
	if phase == site.Cancelled {
		paper = colour.Grey().SRGB()
		d.cancelled(title, date, state, site.Mix(paper, ink, site.Faded))
	} else {
		d.invitation(d.covered(phase.Host(e)), state, mark-margin)
		d.guests(e, l, now)
		if place := d.covered(site.TextOf(e.Location)); place != "" {
			d.add(d.medium.set(place, factSize, within, 1))
		}
		if title != "" {
			d.add(d.date(date))
			if move != nil && !move.Unread {
				d.add(d.heavy.set(news(move.Kind(), l), dateSize, within, 1))
			}
		}
		d.fill(cmp.Or(title, date), titleSize, titleTop)
	}
	var content bytes.Buffer
	err := png.Encode(&content, picture(paper, d.layers))
	return content.Bytes(), err
}

// news says what is new.
func news(kind site.Kind, l *locale.Locale) string {
	switch kind {
	case site.NewDate:
		return l.Text("server.newDate")
	case site.NewPlace:
		return l.Text("server.newPlace")
	}
	return l.Text("server.anew")
}

// date sets a date in one line.
func (d *sheet) date(date string) block { return d.heavy.fit(date, dateSize, within, dateSize*3/2) }

// invitation adds the line at the top: the host, if there is one, and the state.
func (d *sheet) invitation(host, state string, most int) {
	begin := margin
	if host != "" {
		state = "· " + state
		after := d.medium.set(state, labelSize, most, 1)
		line := d.heavy.set(host, labelSize, most-width(after.lines[0]), 1)
		d.text(line, begin, top)
		begin += width(line.lines[0]) + 12
	}
	d.text(d.medium.set(state, labelSize, most+margin-begin, 1), begin, top)
}

// guests adds the tally, and the number in words.
func (d *sheet) guests(e event.Event, l *locale.Locale, now time.Time) {
	if e.AttendeeCount == 0 {
		return
	}
	d.bottom -= marks
	first, earlier := site.Earlier(e.AttendeeCount, mostStrokes, l)
	begin := margin
	if first > 0 {
		line := d.heavy.set(earlier, factSize, within, 1)
		d.text(line, begin, d.bottom+(marks-line.height())/2)
		begin += width(line.lines[0]) + 18
	}
	begin = d.tally(first, e.AttendeeCount, begin, d.bottom, marks) + 30
	turnout := clean(site.PhaseOf(e, nil, now).Turnout(e.AttendeeCount, l))
	words := d.medium.fit(turnout, factSize, pictureWidth-margin-begin, marks)
	d.text(words, begin, d.bottom+(marks-words.height())/2)
	d.bottom -= 14
}

// cancelled adds the state, and what was to be.
func (d *sheet) cancelled(title, date, state string, faded color.RGBA) {
	d.in(faded)
	when := d.date(date)
	d.add(when)
	struck := d.bottom
	if title != "" {
		d.add(d.heavy.fit(title, subtitleSize, within, subtitleSize*5/2))
	}
	d.in(faded) // overlapping outlines of one layer may cancel each other out
	d.strike(when, margin, struck)
	d.in(site.Own.SRGB())
	d.fill(state, stateSize, stateTop)
}
