package event

import (
	"strings"
	"testing"
	"unicode"
)

// The ranges of Default_Ignorable_Code_Point, as the Unicode Character Database
// lists them.
var defaultIgnorable = [][2]rune{
	{0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
	{0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
	{0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

func TestIsVisible(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := !unicode.IsSpace(r) && !unicode.IsControl(r) && r != 0x2800 && r != 0x1d159
		for _, ignorable := range defaultIgnorable {
			want = want && (r < ignorable[0] || r > ignorable[1])
		}
		if isVisible(r) != want {
			t.Errorf("%U: visible %v", r, !want)
		}
	}
}

func TestIsBlank(t *testing.T) {
	for _, s := range []string{
		"", " ", "\t\r\n", "\x00", "\x1b", "\x7f", "\u0085", "\u00a0", "\u3000", "\u2028",
		"\u200b", "\u2060", "\ufeff", "\u00ad", "\u3164", "\uffa0", "\u115f", "\u17b4", "\u180e", "\ufe0f",
		"\u202e", "\u2066", "\u2800", "\U0001d159", "\U000e0041\U000e007f", "\U000e0100",
		strings.Repeat(" \u200d", 50),
	} {
		if !isBlank(s) {
			t.Errorf("%+q is not blank", s)
		}
	}
	for _, s := range []string{
		"a", "~", "!", ".", "\u00e9", "\u0301", "\u0600", "\U000110bd", "\ufff9", "\U00013430", "\ue000", "\ufffc", "\ufffd", "\U0010ffff",
		"\u200bx", "x\u200b", "\u2801", "\U0001f468\u200d\U0001f469", "\u3164\u1100",
	} {
		if isBlank(s) {
			t.Errorf("%+q is blank", s)
		}
	}
}
