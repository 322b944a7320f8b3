package card

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"

	"eliasnaur.com/font/noto/sans/arabic/bold"
	"eliasnaur.com/font/noto/sans/jp/regular"
	"eliasnaur.com/font/roboto/robotobold"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// fonts are searched for a rune in this order.
var fonts = []func() *font.Font{parsed(robotobold.TTF), parsed(bold.TTF), parsed(dejavusansbold.TTF), parsed(regular.TTF)}

func parsed(content []byte) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		loaded, err := font.ParseTTF(bytes.NewReader(content))
		if err != nil {
			panic(err) // a defect of the font, which every test finds
		}
		return loaded.Font
	})
}

// A typesetter shapes text. It is for one picture: faces are not safe for concurrent use, and
// cache their shaping.
type typesetter struct {
	faces  [4]*font.Face
	shaper shaping.HarfbuzzShaper
}

// face returns the first face that has a glyph for a rune, or nil.
func (s *typesetter) face(r rune) *font.Face {
	for i, parsed := range fonts {
		if _, ok := parsed().NominalGlyph(r); ok {
			return s.at(i)
		}
	}
	return nil
}

func (s *typesetter) at(i int) *font.Face {
	if s.faces[i] == nil {
		s.faces[i] = font.NewFace(fonts[i]())
	}
	return s.faces[i]
}

// ResolveFace implements [shaping.Fontmap].
func (s *typesetter) ResolveFace(r rune) *font.Face {
	if face := s.face(r); face != nil {
		return face
	}
	return s.at(0)
}

// covers reports whether the fonts have a glyph for each visible rune.
func (s *typesetter) covers(text string) bool {
	for _, r := range text {
		if !unicode.IsSpace(r) && !joiner(r) && s.face(r) == nil {
			return false
		}
	}
	return true
}

// pictographs are emoji and their modifiers, except joiners.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x20e3, 0x20e3, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23fa, 1}, {0x25aa, 0x25fe, 1}, {0x2600, 0x27bf, 1},
		{0x2934, 0x2935, 1}, {0x2b05, 0x2b55, 1}, {0x3030, 0x303d, 13}, {0x3297, 0x3299, 2}, {0xfe00, 0xfe0f, 1},
	},
	R32: []unicode.Range32{{0x1f000, 0x1faff, 1}, {0xe0020, 0xe007f, 1}},
}

// joiner reports whether a rune joins letters, or keeps them apart.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// mostMarks bounds the marks of a letter: piled up, they leave their line.
const mostMarks = 3

// clean returns a text in composed form without emoji, controls and piled-up
// marks, and with single spaces.
func clean(text string) string {
	var b strings.Builder
	marks, letter := 0, false
	for _, r := range norm.NFC.String(text) {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), unicode.Is(pictographs, r):
			b.WriteByte(' ')
			marks, letter = 0, false
		case joiner(r):
			if letter {
				b.WriteRune(r)
			}
		case unicode.Is(unicode.Cf, r):
		case unicode.IsMark(r):
			if marks++; letter && marks <= mostMarks {
				b.WriteRune(r)
			}
		default:
			b.WriteRune(r)
			marks, letter = 0, unicode.IsLetter(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// direction is the direction of the first strong rune (Unicode Bidirectional Algorithm, rule
// P2).
func direction(text string) di.Direction {
	for _, r := range text {
		properties, _ := bidi.LookupRune(r)
		switch properties.Class() {
		case bidi.L:
			return di.DirectionLTR
		case bidi.R, bidi.AL:
			return di.DirectionRTL
		}
	}
	return di.DirectionLTR
}

// A block is text in lines.
type block struct {
	lines     []shaping.Line
	size      int // of the font, in pixels
	direction di.Direction
	truncated bool
}

func (b block) lineHeight() int { return b.size * 118 / 100 }

func (b block) height() int { return len(b.lines) * b.lineHeight() }

// width returns the width of a line.
func width(line shaping.Line) int {
	var sum fixed.Int26_6
	for _, run := range line {
		sum += run.Advance
	}
	return sum.Ceil()
}

// set breaks a text into lines that are at most this wide, and cuts it off with an ellipsis
// after that number of lines, or never if it is 0.
func (s *typesetter) set(text string, size, most, lines int) block {
	runes := []rune(text)
	b := block{size: size, direction: direction(text)}
	config := shaping.WrapConfig{Direction: b.direction, TruncateAfterLines: lines}
	config.Truncator = s.shape([]rune("…"), size, b.direction)[0]
	var wrapper shaping.LineWrapper
	wrapped, truncated := wrapper.WrapParagraph(config, most, runes, shaping.NewSliceIterator(s.shape(runes, size, b.direction)))
	b.lines, b.truncated = wrapped, truncated > 0
	return b
}

func (s *typesetter) shape(text []rune, size int, d di.Direction) (runs []shaping.Output) {
	var segmenter shaping.Segmenter
	whole := shaping.Input{Text: text, RunEnd: len(text), Direction: d, Size: fixed.I(size)}
	for _, input := range segmenter.Split(whole, s) {
		runs = append(runs, s.shaper.Shape(input))
	}
	return runs
}

// fit sets a text in the largest size in which all of it fits into a width and a height, or
// else as much of it as fits in the smallest size.
func (s *typesetter) fit(text string, sizes []int, most, height int) (b block) {
	for _, size := range sizes {
		b = s.set(text, size, most, 0)
		if b.height() <= height && !slices.ContainsFunc(b.lines, func(line shaping.Line) bool { return width(line) > most }) {
			return b
		}
		b = s.set(text, size, most, height/b.lineHeight())
	}
	return b
}
