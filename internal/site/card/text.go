package card

import (
	"bytes"
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"eliasnaur.com/font/noto/sans/arabic/bold"
	"eliasnaur.com/font/noto/sans/jp/regular"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

//go:embed onest/onest.ttf
var onest []byte

// fonts has the fonts in the order of preference.
var fonts = []func() *font.Font{parsed(onest), parsed(bold.TTF), parsed(dejavusansbold.TTF), parsed(regular.TTF)}

func parsed(content []byte) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		loaded, err := font.ParseTTF(bytes.NewReader(content))
		if err != nil {
			panic(err) // the font is damaged, which every test would find
		}
		return loaded.Font
	})
}

// A typesetter shapes text in one weight of Onest. Each card needs its own typesetter, because faces cache their
// shaping and are not safe for concurrent use.
type typesetter struct {
	weight  float32
	spacing fixed.Int26_6 // distance between letters, for a size of one pixel
	faces   [4]*font.Face
	shaper  shaping.HarfbuzzShaper // cannot be shared, because it would shape another weight like the first
}

// face returns the first face that has a glyph for each rune of a text, or nil.
func (s *typesetter) face(text string) *font.Face {
	for i, parsed := range fonts {
		lacks := func(r rune) bool {
			_, ok := parsed().NominalGlyph(r)
			return !ok && !joiner(r)
		}
		if !strings.ContainsFunc(text, lacks) {
			return s.at(i)
		}
	}
	return nil
}

func (s *typesetter) at(i int) *font.Face {
	if s.faces[i] == nil {
		s.faces[i] = font.NewFace(fonts[i]())
		s.faces[i].SetVariations([]font.Variation{{Tag: opentype.MustNewTag("wght"), Value: s.weight}})
	}
	return s.faces[i]
}

// ResolveFace implements [shaping.Fontmap].
func (s *typesetter) ResolveFace(rune) *font.Face { return s.at(0) }

// facesOf returns the face of each rune. The letters of a word share a face if a font has all these letters.
func (s *typesetter) facesOf(text string) (faces []*font.Face) {
	for word := range strings.SplitAfterSeq(text, " ") {
		shared := s.face(strings.Map(func(r rune) rune {
			if letter(r) {
				return r
			}
			return -1
		}, word))
		for _, r := range word {
			face := s.face(string(r))
			if letter(r) {
				face = cmp.Or(shared, face)
			}
			faces = append(faces, cmp.Or(face, s.at(0)))
		}
	}
	return faces
}

// covers reports whether the fonts have a glyph for each visible rune.
func (s *typesetter) covers(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return s.face(string(r)) == nil })
}

// pictographs are emoji and their modifiers, except joiners.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x20e3, 0x20e3, 1}, {0x231a, 0x231b, 1}, {0x23e9, 0x23fa, 1}, {0x25aa, 0x25fe, 1}, {0x2600, 0x27bf, 1},
		{0x2934, 0x2935, 1}, {0x2b05, 0x2b55, 1}, {0x3030, 0x303d, 13}, {0x3297, 0x3299, 2}, {0xfe00, 0xfe0f, 1},
	},
	R32: []unicode.Range32{{0x1f000, 0x1faff, 1}, {0xe0020, 0xe007f, 1}},
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || joiner(r) }

// joiner reports whether a rune is a zero-width joiner or non-joiner. Both change the shape of letters.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// longest is the service's limit for a place in code points; the limits of a card's other texts are lower. An import
// admits longer texts, whose layout would take minutes.
const longest = 500

// cut returns a text unchanged up to longest code points, or else its beginning with an ellipsis.
func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > longest {
			return text[:i] + "…"
		}
	}
	return text
}

// clean returns a text in composed form, with a bounded length and single spaces, and without emoji, control characters
// and piled-up marks.
func clean(text string) string {
	var b strings.Builder
	marks, letter := 0, false
	for _, r := range norm.NFC.String(cut(text)) {
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
			marks++
			if letter && marks <= 3 { // more marks on one letter would reach into other lines
				b.WriteRune(r)
			}
		default:
			b.WriteRune(r)
			marks, letter = 0, unicode.IsLetter(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// direction returns the direction of the first strong rune (Unicode Bidirectional Algorithm, rule P2).
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

// A block is a text that is divided into lines.
type block struct {
	lines     []shaping.Line
	size      int        // font size in pixels
	light     *font.Face // the only font that is not bold
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

// set wraps a text to a width. If lines > 0, set truncates the text after that many lines, with an ellipsis.
func (s *typesetter) set(text string, size, most, lines int) block {
	runes, d := []rune(text), direction(text)
	config := shaping.WrapConfig{Direction: d, TruncateAfterLines: lines}
	config.Truncator = s.shape([]rune("…"), size, d)[0]
	var wrapper shaping.LineWrapper
	wrapped, truncated := wrapper.WrapParagraph(config, most, runes, shaping.NewSliceIterator(s.shape(runes, size, d)))
	return block{wrapped, size, s.faces[3], truncated > 0}
}

// shape shapes a text in runs. A new run begins if the direction, the script or the face changes.
func (s *typesetter) shape(text []rune, size int, d di.Direction) (runs []shaping.Output) {
	var segmenter shaping.Segmenter
	faces := s.facesOf(string(text))
	whole := shaping.Input{Text: text, RunEnd: len(text), Direction: d, Size: fixed.I(size)}
	for _, run := range segmenter.Split(whole, s) {
		begin := run.RunStart
		for end := begin + 1; end <= run.RunEnd; end++ {
			if end < run.RunEnd && faces[end] == faces[begin] {
				continue
			}
			part := run
			part.RunStart, part.RunEnd, part.Face = begin, end, faces[begin]
			shaped := s.shaper.Shape(part)
			if part.Face == s.faces[0] {
				shaped.AddLetterSpacing(s.spacing*fixed.Int26_6(size), false, false)
			}
			runs = append(runs, shaped)
			begin = end
		}
	}
	return runs
}

// smallest is the smallest font size. A text that does not fit in this size is cut off.
const smallest = 36

// fit sets a text in the largest size in which the whole text fits into a width and a height. If no size fits, fit sets
// the beginning of the text in the smallest size.
func (s *typesetter) fit(text string, size, most, height int) block {
	tooWide := func(line shaping.Line) bool { return width(line) > most }
	for size > smallest {
		b := s.set(text, size, most, 0)
		if b.height() <= height && !slices.ContainsFunc(b.lines, tooWide) {
			return b
		}
		size = max(size*9/10, smallest)
	}
	lines := height / block{size: size}.lineHeight()
	return s.set(text, size, most, lines)
}
