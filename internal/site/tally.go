package site

// GroupWidth and GroupHeight are the size of a tally group, which is five marks.
const (
	GroupWidth  = 60
	GroupHeight = 56
)

// A Point is in the coordinates of a tally group.
type Point struct{ X, Y float64 }

// Stroke returns the mark at a place, counted from 0, as a quadratic curve: its
// start, its control point, and its end. Its shape depends on the place. The site's
// script draws the same.
func Stroke(place int) [3]Point {
	wobble := func(place int, reach float64) float64 {
		return (float64((place*7919+31)%97)/96 - 0.5) * 2 * reach
	}
	if place%5 == 4 {
		return [3]Point{{3, 40 + wobble(place, 3)}, {28, 31 + wobble(place+1, 3)}, {57, 12 + wobble(place+2, 3)}}
	}
	x := float64(10 + place%5*13)
	return [3]Point{
		{x + wobble(place, 1.5), 5 + wobble(place+3, 2)},
		{x + wobble(place+1, 3), 28},
		{x + wobble(place+2, 1.5), 51 + wobble(place+5, 2)},
	}
}
