package event

import (
	"testing"
	"unicode"
)

// defaultIgnorable has the ranges of Default_Ignorable_Code_Point from the Unicode Character Database.
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
