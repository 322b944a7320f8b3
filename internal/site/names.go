package site

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// sameName reports whether people take two names for the same name, as in src/lib/text.ts.
func sameName(a, b string) bool { return comparable(a) == comparable(b) }

// comparable simplifies a name for comparison: people vary the apostrophes, hyphens, spaces and accents of a name.
func comparable(name string) string {
	text := strings.ToLower(norm.NFKD.String(name))
	var b strings.Builder
	for _, r := range text {
		switch plain, ok := plainLetters[r]; {
		case ok:
			b.WriteString(plain)
		case !isUnread(r):
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return strings.TrimSpace(text)
	}
	return b.String()
}

// isUnread recognizes characters that people may omit from a name. Accents of Latin, Arabic and Hebrew letters do not
// tell names apart. Marks that are vowels, as in Hindi and Thai, do.
func isUnread(r rune) bool {
	if unicode.Is(unicode.M, r) {
		isVowel := unicode.Is(unicode.Other_Alphabetic, r)
		return !isVowel || unicode.In(r, unicode.Inherited, unicode.Arabic, unicode.Hebrew)
	}
	return unicode.In(r, unicode.P, unicode.Sk, unicode.Z, unicode.Cc, unicode.Cf) ||
		0x2b0 <= r && r <= 0x2ff || strings.ContainsRune("\u0640\u115f\u1160\u2800", r)
}

// plainLetters has replacements of letters that Unicode does not decompose.
var plainLetters = map[rune]string{
	'ı': "i", 'ł': "l", 'ø': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ŧ': "t",
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ς': "σ", 'ґ': "г",
	'ך': "כ", 'ם': "מ", 'ן': "נ", 'ף': "פ", 'ץ': "צ", 'ة': "ه", 'ى': "ي", 'ی': "ي", 'ک': "ك",
}
