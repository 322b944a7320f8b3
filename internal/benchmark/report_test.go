package benchmark

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"text/tabwriter"
)

// A report is the table of make bench.
type report struct {
	t      *testing.T // the test of the part that is measured
	table  *tabwriter.Writer
	missed int
}

func newReport() *report {
	r := &report{table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	fmt.Fprint(r.table, "\nname\tfigure\tcompared with\taim\t\n")
	return r
}

// ratio compares a figure with the figure of a baseline, both in the unit. The aim is met if the figure's median is at
// most `most` times as large.
func (r *report) ratio(name string, figure, baseline values, unit, of string, most float64) {
	ratio, verdict := figure.median()/baseline.median(), "met"
	if ratio > most {
		verdict = "MISSED"
		r.missed++
	}
	fmt.Fprintf(r.table, "%s\t%s\t%.2f x %s: %s\tat most %.4g x\t%s\n",
		name, figure.in(unit), ratio, of, baseline.in(unit), most, verdict)
}

// values has the measurements of a figure, one for each turn.
type values []float64

func (v values) median() float64 {
	sorted := slices.Sorted(slices.Values(v))
	return (sorted[(len(v)-1)/2] + sorted[len(v)/2]) / 2
}

// in returns the median in its unit, and the least and the greatest of several values.
func (v values) in(unit string) string {
	number := func(f float64) string { return fmt.Sprintf("%.*f", max(0, 2-int(math.Log10(f))), f) }
	if len(v) == 1 {
		return number(v[0]) + " " + unit
	}
	return fmt.Sprintf("%s %s (%s to %s)", number(v.median()), unit, number(slices.Min(v)), number(slices.Max(v)))
}

func (r *report) print() {
	_ = r.table.Flush()
	fmt.Printf("\n%d aims are missed.\n", r.missed)
}
