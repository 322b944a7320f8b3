package benchmark

import (
	"fmt"
	"os"
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

// ratio compares a figure with the figure of a baseline. The aim is met if the figure is at most `most` times as large.
func (r *report) ratio(name string, figure, baseline float64, unit, of string, most float64) {
	verdict := "met"
	if figure/baseline > most {
		verdict = "MISSED"
		r.missed++
	}
	fmt.Fprintf(r.table, "%s\t%.4g %s\t%.2f x %s (%.4g)\tat most %.4g x\t%s\n",
		name, figure, unit, figure/baseline, of, baseline, most, verdict)
}

func (r *report) print() {
	_ = r.table.Flush()
	fmt.Printf("\n%d aims are missed.\n", r.missed)
}
