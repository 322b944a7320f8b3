package middleware

import (
	"strconv"
	"strings"
)

// Coding returns the content coding to which an Accept-Encoding header gives the greatest weight (RFC 9110, section
// 12.5.3), of those that a server offers in lower case. Among equals it is the first offered. Coding returns "" if the
// header names none of them with a weight above 0, or gives "identity" a greater weight. A wildcard names none: every
// client reads a response without a coding.
func Coding(accepted string, offered ...string) string {
	greatest, chosen := 0.0, ""
	for _, coding := range offered {
		if weight := weightOf(coding, accepted); weight > greatest {
			greatest, chosen = weight, coding
		}
	}
	if weightOf("identity", accepted) > greatest {
		return ""
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
