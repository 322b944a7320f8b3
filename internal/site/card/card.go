// Package card draws an event's card, the image that messengers show for a link to the event. In the event's colour,
// the card shows the host, the title, the date, the place and the tally. Everybody who sees the link gets the same
// card, in the event's language.
//
// The card has its own package and its own Lambda function because of the fonts. They add some 6 MB to the function
// code, which would slow down the cold start of the function for event pages.
//
// go-text/typesetting, which is HarfBuzz in Go, shapes the text, so that Arabic letters join and bidirectional lines
// read in order. infra/tools/card-font makes the font file of the whole typeface of the site. The other fonts come from
// modules, pinned in go.mod:
//
//	Onest                  Latin, Cyrillic             183 KB  SIL Open Font License 1.1
//	Noto Sans Arabic Bold  Arabic                      178 KB  SIL Open Font License 1.1
//	DejaVu Sans Bold       Greek, Hebrew, and the rest 706 KB  Bitstream Vera license
//	Noto Sans JP Regular   Japanese                  4,548 KB  SIL Open Font License 1.1
//
// The font for Japanese covers many Chinese titles too. Korean would add another 5 MB, and each script of India some
// 200 KB. Missing glyphs are never drawn. If no font covers a title's script, the card omits the title, and the date
// takes the title's place. From a title with emoji, the card omits only the emoji.
package card

import (
	"bytes"
	"cmp"
	"image/png"
	"slices"
	"strconv"
	"time"

	"github.com/go-text/typesetting/di"

	"turnout/internal/event"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

// Messengers recommend a card of this size.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// Lengths and sizes are in pixels.
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

	mostStrokes = 40  // strokes that fit beside the number of earlier guests
	strokes     = 800 // the width of these strokes
)

// A sheet is a card to be drawn, which fills from the bottom upwards.
type sheet struct {
	ink, faded, lines shapes // valid facts, former facts, and the lines through former facts
	medium, heavy     *typesetter
	rightToLeft       bool
	bottom            int           // the lower edge of the room that is left
	dates             *locale.Dates // formats of the event's language, or nil
	now               time.Time
}

// covered returns a user's text without emoji, or "" if the fonts do not cover the text.
func (d *sheet) covered(text string) string {
	text = clean(text)
	if !d.medium.covers(text) {
		return ""
	}
	return text
}

// Draw returns an event's card as PNG. Lines through title and date say that the event is cancelled. A line through a
// former date or place, beside the new one, says that the event has moved. If the site has the event's language, a word
// after the host says the same.
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

// A fact has a valid text (now) and a text that is no longer valid (former). Either may be empty.
type fact struct{ now, former string }

// factsOf returns the facts of an event, or of the event to which the event has moved. It omits texts that the fonts do
// not cover. If there is no title, the date takes the title's place.
func (d *sheet) factsOf(e event.Event, move *site.Move) (title, date, place fact) {
	title.now, date.now, place.now = d.covered(e.Title), d.when(e), d.covered(site.InLine(e.Location))
	switch {
	case move == nil && e.Cancelled:
		title, date = fact{former: title.now}, fact{former: date.now}
	case move == nil:
	case move.Unread: // the known date and place are from before the move
		date, place = fact{former: date.now}, fact{}
	default:
		if from := d.when(move.From); move.Kind() == site.NewDate && from != date.now {
			date.former = from
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

// when returns the date of an event in one line. If the first and the last day have no room, it returns the start.
func (d *sheet) when(e event.Event) string {
	days := clean(d.dates.Days(e, d.now))
	if d.heavy.set(days, smallest, within, 1).truncated {
		e.EndDateTime = nil
		days = clean(d.dates.When(e, d.now))
	}
	return days
}

// head adds the host, the word for a cancelled or moved event, and the name Turnout.
func (d *sheet) head(host, state string) {
	name := d.heavy.set("Turnout", labelSize, within, 1)
	mark := pictureWidth - margin - width(name.lines[0])
	d.text(&d.ink, name, mark, top)
	mark -= 58
	d.tally(0, 5, mark, top, 42)
	words := []string{host, "·", state}
	if host == "" || state == "" {
		words = slices.DeleteFunc([]string{host, state}, func(text string) bool { return text == "" })
	}
	set := func(text string, most int) block { return d.heavy.set(text, labelSize, most, 1) }
	begin, room := margin, mark-2*margin
	for _, text := range words[min(1, len(words)):] { // only the host may be cut off
		room -= gap + width(set(text, within).lines[0])
	}
	for _, text := range words {
		b := set(text, room)
		d.text(&d.ink, b, begin, top)
		begin, room = begin+width(b.lines[0])+gap, within
	}
}

// guests adds the tally of the guests.
func (d *sheet) guests(count int) {
	if count == 0 {
		return
	}
	d.bottom -= marks
	first, begin := site.First(count, mostStrokes), margin
	if first > 0 {
		earlier := d.heavy.fit("+"+strconv.Itoa(first), factSize, within-strokes, marks)
		d.text(&d.ink, earlier, begin, d.bottom+(marks-earlier.height())/2)
		begin += width(earlier.lines[0]) + 18
	}
	d.tally(first, count, begin, d.bottom, marks)
	d.bottom -= 14
}

// fact adds a line with the valid text, and after it the former text. If both do not fit in one line, the former text
// gets its own line.
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
	d.text(&d.ink, now, margin, d.bottom)
	d.former(former, begin, d.bottom+(now.size-small)*92/100) // both texts have one baseline
}

// line adds a line with the valid text, or with the former text if there is no valid text.
func (d *sheet) line(s *typesetter, f fact, size int) {
	d.bottom -= size * 5 / 4
	if f.now == "" {
		d.former(s.fit(f.former, size, within, size*5/4), margin, d.bottom)
	} else {
		d.text(&d.ink, s.fit(f.now, size, within, size*5/4), margin, d.bottom)
	}
}

// title adds the title in the middle of the remaining room, in the largest size that fits.
func (d *sheet) title(f fact) {
	space := d.bottom - 16 - titleTop
	b := d.heavy.fit(cmp.Or(f.now, f.former), titleSize, within, space)
	begin, top := margin, titleTop+(space-b.height())/2
	if f.now == "" {
		d.former(b, begin, top)
	} else {
		d.text(&d.ink, b, begin, top)
	}
}

// former adds a text with a line through it.
func (d *sheet) former(b block, begin, top int) {
	d.text(&d.faded, b, begin, top)
	d.strike(b, begin, top)
}
