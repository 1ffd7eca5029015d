package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A report is everything that was measured.
type report struct {
	Seed         uint64        `json:"seed"`
	Seconds      float64       `json:"seconds"`
	Bars         []bar         `json:"bars"`
	Repositories []*repository `json:"repositories"`
}

// pooled is the name of all repositories together.
const pooled = "all"

// print writes the tables.
func (r *report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	r.printFigures(table)
	r.printBars(table)
	table.Flush()
	fmt.Fprintf(out, "\nseed %d, %.0f s\n", r.Seed, r.Seconds)
}

// printFigures prints what was measured, by repository.
func (r *report) printFigures(out io.Writer) {
	fmt.Fprintln(out, "REPOSITORY\tWHAT\tSHARE OR TIME\tOF")
	for _, one := range append(append([]*repository{}, r.Repositories...), r.together()) {
		for _, f := range one.figures() {
			fmt.Fprintf(out, "%s\t%s\t%s\t%d\n", one.Name, f.what, f.value(), f.of)
		}
		for why, times := range one.Refused {
			fmt.Fprintf(out, "%s\trefused: %s\t%d\t\n", one.Name, why, times)
		}
	}
}

func (r *report) printBars(out io.Writer) {
	fmt.Fprintln(out, "\nBAR\tMEASURED\tWANTED\t")
	for _, b := range r.Bars {
		said := "pass"
		if !b.Pass {
			said = "FAIL"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", b.What, b.Measured, b.Wanted, said)
	}
}
