package site

import "math"

// A tally group has five marks, and this width and height.
const (
	GroupSize   = 5
	GroupWidth  = 60
	GroupHeight = 56
)

// A Point has coordinates inside a tally group.
type Point struct{ X, Y float64 }

// Stroke returns the mark at a place, counted from 0, as a quadratic curve with a start, a control point and an end.
// The mark's shape depends on the place. The site's script draws the same marks.
func Stroke(place int) [3]Point {
	// Round to one decimal: a page has a hundred strokes. float64(…) prevents a fused multiply-add, so that Go and
	// the script agree.
	near := func(x float64, place int, reach float64) float64 {
		x += (float64((place*7919+31)%97)/96 - 0.5) * 2 * reach
		return math.Floor(float64(x*10)+0.5) / 10
	}
	inGroup := place % GroupSize
	if inGroup == GroupSize-1 { // the fifth mark crosses the others
		return [3]Point{{3, near(40, place, 3)}, {28, near(31, place+1, 3)}, {57, near(12, place+2, 3)}}
	}
	x := float64(10 + 13*inGroup)
	return [3]Point{
		{near(x, place, 1.5), near(5, place+3, 2)},
		{near(x, place+1, 3), 28},
		{near(x, place+2, 1.5), near(51, place+5, 2)},
	}
}

// First returns the place of the first mark to draw. Only the last groups are drawn, and a number replaces earlier
// marks.
func First(end, most int) int {
	tooMany := max(0, end-most)
	groups := (tooMany + GroupSize - 1) / GroupSize // rounded up to whole groups
	return groups * GroupSize
}
