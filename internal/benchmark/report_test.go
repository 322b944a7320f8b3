package benchmark

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"text/tabwriter"
)

// A report is the table of make bench.
type report struct {
	t      *testing.T
	rows   []string
	missed int
}

// An aim is the desired ratio of a figure to its baseline.
type aim struct {
	text string
	met  func(float64) bool
}

func atMost(limit float64) aim {
	return aim{fmt.Sprintf("at most %.4g x", limit), func(x float64) bool { return x <= limit }}
}

func atLeast(limit float64) aim {
	return aim{fmt.Sprintf("at least %.4g x", limit), func(x float64) bool { return x >= limit }}
}

func (r *report) ratio(name string, figure, baseline float64, unit, of string, a aim) {
	verdict := "met"
	if !a.met(figure / baseline) {
		verdict = "MISSED"
		r.missed++
	}
	r.rows = append(r.rows, fmt.Sprintf("%s\t%.4g %s\t%.2f x %s (%.4g)\t%s\t%s",
		name, figure, unit, figure/baseline, of, baseline, a.text, verdict))
}

func (r *report) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nname\tfigure\tcompared with\taim\t\n%s\n", strings.Join(r.rows, "\n"))
	_ = w.Flush()
	fmt.Printf("\n%d aims are missed.\n", r.missed)
}
