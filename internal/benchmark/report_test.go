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
	t    *testing.T
	rows [][5]string
}

// An aim is the desired value of a figure, or of its ratio to a baseline.
type aim struct {
	text string
	met  func(float64) bool
}

func atMost(limit float64) aim {
	return aim{fmt.Sprintf("at most %.4g", limit), func(x float64) bool { return x <= limit }}
}

func atLeast(limit float64) aim {
	return aim{fmt.Sprintf("at least %.4g", limit), func(x float64) bool { return x >= limit }}
}

func (a aim) verdict(x float64) string {
	if a.met(x) {
		return "met"
	}
	return "MISSED"
}

// figure adds a figure whose aim is a number of the same unit.
func (r *report) figure(name string, figure float64, unit string, a aim) {
	r.add(name, fmt.Sprintf("%.4g %s", figure, unit), "", a.text, a.verdict(figure))
}

// ratio adds a figure whose aim is a multiple of its baseline.
func (r *report) ratio(name string, figure, baseline float64, unit, of string, a aim) {
	r.add(name, fmt.Sprintf("%.4g %s", figure, unit),
		fmt.Sprintf("%.2f x %s (%.4g)", figure/baseline, of, baseline), a.text+" x", a.verdict(figure/baseline))
}

// must adds a figure that does not depend on the machine, and fails the run if it
// misses its aim.
func (r *report) must(name, figure, want string, met bool) {
	verdict := "met"
	if !met {
		verdict = "MISSED"
		r.t.Errorf("%s: %s, want %s", name, figure, want)
	}
	r.add(name, figure, "", want, verdict)
}

func (r *report) add(row ...string) { r.rows = append(r.rows, [5]string(row)) }

func (r *report) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nname\tfigure\tcompared with\taim\t")
	missed := 0
	for _, row := range r.rows {
		fmt.Fprintln(w, strings.Join(row[:], "\t"))
		if row[4] == "MISSED" {
			missed++
		}
	}
	_ = w.Flush()
	fmt.Printf("\n%d aims are missed.\n", missed)
}
