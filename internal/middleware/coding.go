package middleware

import (
	"strconv"
	"strings"
)

// Coding returns the offered content coding with the greatest weight in an Accept-Encoding header (RFC 9110, section
// 12.5.3). Of equal weights, the first offered coding wins. Offered names are in lower case. Coding returns "" if the
// header names no offered coding with a weight above 0. A wildcard names no coding, because every client reads a
// response without a coding. The weight of "identity" does not count: some lists are short enough only if compressed.
func Coding(accepted string, offered ...string) string {
	greatest, chosen := 0.0, ""
	for _, coding := range offered {
		if weight := weightOf(coding, accepted); weight > greatest {
			greatest, chosen = weight, coding
		}
	}
	return chosen
}

// weightOf returns the weight of a content coding in an Accept-Encoding header, or 0 if the header does not name it.
func weightOf(coding, accepted string) float64 {
	for element := range strings.SplitSeq(strings.ToLower(accepted), ",") {
		name, weight, weighted := strings.Cut(strings.Join(strings.Fields(element), ""), ";q=")
		switch {
		case name != coding:
		case !weighted:
			return 1
		default:
			q, _ := strconv.ParseFloat(weight, 64) // 0 if it is no number
			return q
		}
	}
	return 0
}
