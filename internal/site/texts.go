package site

import (
	"strings"

	"turnout/internal/event"
)

// TextOf returns an optional text. A text that is not set, or is blank, becomes "", because a page would show an empty
// line for a blank text.
func TextOf(text *string) string {
	if text == nil || event.IsBlank(*text) {
		return ""
	}
	return *text
}

// InLines returns a place without blank lines, as src/lib/text.ts does. Many organizers write an address in several
// lines.
func InLines(place *string) string { return strings.Join(linesOf(place), "\n") }

// InLine returns a place in one line.
func InLine(place *string) string {
	lines := linesOf(place)
	for i, line := range lines[:max(len(lines)-1, 0)] {
		lines[i] = strings.TrimRight(line, ",،、")
	}
	return strings.Join(lines, ", ")
}

func linesOf(place *string) (lines []string) {
	for line := range strings.FieldsFuncSeq(TextOf(place), isLineEnd) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

func isLineEnd(r rune) bool { return strings.ContainsRune("\n\v\f\r\u0085\u2028\u2029", r) }
