// Package card draws the picture that messengers show of a link to an event, in the event's colour: the
// host, the title, the date, the place and the tally. All who see a link get the same one, in the event's language.
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
	"image/png"
	"slices"
	"strconv"
	"time"

	"github.com/go-text/typesetting/di"
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
	gap       = 12 // between words of the label

	mostStrokes = 40  // that fit beside the number that stands for the earlier guests
	strokes     = 800 // their width
)

// A sheet fills from its bottom upwards.
type sheet struct {
	ink, faded, lines *vector.Rasterizer // what holds, what no longer does, and the lines through it
	medium, heavy     *typesetter
	rightToLeft       bool
	bottom            int           // of the room that is left
	dates             *locale.Dates // of the event's language, or nil
	now               time.Time
}

// covered returns a text of a user, or "" if the fonts lack a part of it.
func (d *sheet) covered(text string) string {
	text = clean(text)
	if !d.medium.covers(text) {
		return ""
	}
	return text
}

// Draw returns the picture of an event as PNG, as of a moment. Lines through title and date say that the event is
// cancelled; a line through a former date or place, beside the new one, says that it has moved. So does a word after
// the host, if the site speaks the event's language.
func Draw(e event.Event, move *site.Move, now time.Time) ([]byte, error) {
	isOff := e.Cancelled && move == nil
	dates, state := locale.DatesOf(site.TextOf(e.Language)), ""
	if e.Cancelled {
		state = dates.StateOf(move != nil)
	}
	colour := site.Colours[site.ColourOf(e.Title)]
	paper, ink := colour.SRGB(), colour.Ink().SRGB()
	if isOff {
		paper = colour.Grey().SRGB()
	}
	faded := site.Mix(paper, ink, site.Faded)
	line := faded
	if isOff {
		line = site.Own.SRGB()
	}
	if move != nil {
		e = move.To
	}
	d := sheet{
		ink: newPath(), faded: newPath(), lines: newPath(),
		medium: &typesetter{weight: 600}, heavy: &typesetter{weight: 800, spacing: -2},
		rightToLeft: direction(clean(e.Title)) == di.DirectionRTL, bottom: pictureHeight - margin,
		dates: dates, now: now,
	}
	title, date, place := d.factsOf(e, move)
	d.head(d.covered(site.TextOf(e.Host)), state)
	if !isOff {
		d.guests(e.AttendeeCount)
	}
	d.fact(d.medium, place, factSize)
	d.fact(d.heavy, date, dateSize)
	d.title(title)
	var content bytes.Buffer
	err := png.Encode(&content, picture(paper, []layer{{d.lines, line}, {d.ink, ink}, {d.faded, faded}}))
	return content.Bytes(), err
}

// A fact is a text that holds, and one that no longer does. Either may be empty.
type fact struct{ now, former string }

// factsOf returns the facts of an event, or of the one that it has moved to. Characters that the fonts lack are left
// out; without a title, the date takes its place.
func (d *sheet) factsOf(e event.Event, move *site.Move) (title, date, place fact) {
	title.now, date.now, place.now = d.covered(e.Title), d.when(e), d.covered(site.InLine(e.Location))
	switch {
	case move == nil && e.Cancelled:
		title, date = fact{former: title.now}, fact{former: date.now}
	case move == nil:
	case move.Unread: // date and place are those before the move
		date, place = fact{former: date.now}, fact{}
	default:
		if move.Kind() == site.NewDate {
			date.former = d.when(move.From)
		}
		if from := d.covered(site.InLine(move.From.Location)); from != place.now {
			place.former = from
		}
	}
	if title == (fact{}) {
		title, date = date, fact{}
	}
	return title, date, place
}

func (d *sheet) when(e event.Event) string { return clean(d.dates.When(e, d.now)) }

// head adds the host, the word for what has become of the event, and the mark.
func (d *sheet) head(host, state string) {
	name := d.heavy.set("Turnout", labelSize, within, 1)
	mark := pictureWidth - margin - width(name.lines[0])
	d.text(d.ink, name, mark, top)
	mark -= 58
	d.tally(0, 5, mark, top, 42)
	words := []string{host, "·", state}
	if host == "" || state == "" {
		words = slices.DeleteFunc([]string{host, state}, func(text string) bool { return text == "" })
	}
	set := func(text string, most int) block { return d.heavy.set(text, labelSize, most, 1) }
	begin, room := margin, mark-2*margin
	for _, text := range words[min(1, len(words)):] { // the host is cut off where it is too long
		room -= gap + width(set(text, within).lines[0])
	}
	for _, text := range words {
		b := set(text, room)
		d.text(d.ink, b, begin, top)
		begin, room = begin+width(b.lines[0])+gap, within
	}
}

// guests adds the tally.
func (d *sheet) guests(count int) {
	if count == 0 {
		return
	}
	d.bottom -= marks
	first, begin := site.First(count, mostStrokes), margin
	if first > 0 {
		earlier := d.heavy.fit("+"+strconv.Itoa(first), factSize, within-strokes, marks)
		d.text(d.ink, earlier, begin, d.bottom+(marks-earlier.height())/2)
		begin += width(earlier.lines[0]) + 18
	}
	d.tally(first, count, begin, d.bottom, marks)
	d.bottom -= 14
}

// fact adds a line: what holds, and behind it what no longer does, which has a line of its own if it is too long.
func (d *sheet) fact(s *typesetter, f fact, size int) {
	if f == (fact{}) {
		return
	}
	if f.now == "" || f.former == "" {
		d.line(s, f, size)
		return
	}
	now := s.fit(f.now, size, within*2/3, size*5/4)
	small, begin := min(now.size, factSize), margin+width(now.lines[0])+28
	former := s.set(f.former, small, pictureWidth-margin-begin, 1)
	if former.truncated {
		d.line(s, fact{former: f.former}, factSize)
		d.line(s, fact{now: f.now}, size)
		return
	}
	d.bottom -= size * 5 / 4
	d.text(d.ink, now, margin, d.bottom)
	d.former(former, begin, d.bottom+(now.size-small)*92/100) // the same baseline
}

// line adds a line of what holds, or of what no longer does.
func (d *sheet) line(s *typesetter, f fact, size int) {
	d.bottom -= size * 5 / 4
	if f.now == "" {
		d.former(s.set(f.former, size, within, 1), margin, d.bottom)
	} else {
		d.text(d.ink, s.fit(f.now, size, within, size*5/4), margin, d.bottom)
	}
}

// title adds the title in the middle of the room that is left, as large as it fits.
func (d *sheet) title(f fact) {
	space := d.bottom - 16 - titleTop
	b := d.heavy.fit(cmp.Or(f.now, f.former), titleSize, within, space)
	begin, top := margin, titleTop+(space-b.height())/2
	if f.now == "" {
		d.former(b, begin, top)
	} else {
		d.text(d.ink, b, begin, top)
	}
}

// former adds a text with a line through it.
func (d *sheet) former(b block, begin, top int) {
	d.text(d.faded, b, begin, top)
	d.strike(b, begin, top)
}
