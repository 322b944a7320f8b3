package event

import (
	"strings"
	"unicode"
)

// IsBlank reports whether s has no visible character.
func IsBlank(s string) bool {
	return strings.IndexFunc(s, isVisible) < 0
}

// isVisible uses Unicode's properties: a character is invisible if it has the
// property White_Space or Default_Ignorable_Code_Point, or the general category
// Cc (control characters). No property marks symbols whose glyph is empty.
func isVisible(r rune) bool {
	if '!' <= r && r <= '~' {
		return true
	}
	return !unicode.In(r, unicode.White_Space, unicode.Cc, emptySymbols) && !isDefaultIgnorable(r)
}

// isDefaultIgnorable derives the property Default_Ignorable_Code_Point, as
// DerivedCoreProperties.txt of the Unicode Character Database does.
func isDefaultIgnorable(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector) &&
		!unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark, visibleFormats)
}

var (
	// emptySymbols are BRAILLE PATTERN BLANK and MUSICAL SYMBOL NULL NOTEHEAD.
	emptySymbols = &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}},
	}

	// visibleFormats are interlinear annotations and Egyptian format controls.
	visibleFormats = &unicode.RangeTable{
		R16: []unicode.Range16{{Lo: 0xfff9, Hi: 0xfffb, Stride: 1}},
		R32: []unicode.Range32{{Lo: 0x13430, Hi: 0x13440, Stride: 1}},
	}
)
