package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"text/tabwriter"
)

// A report is everything that was measured.
type report struct {
	Seed         uint64        `json:"seed"`
	Seconds      float64       `json:"seconds"`
	Budgets      []int         `json:"budgets"`
	Rows         []row         `json:"rows"`
	Bars         []bar         `json:"bars"`
	Repositories []*repository `json:"repositories"`
}

// A row is what one policy showed in one repository, or in all (name "all").
type row struct {
	Repository string `json:"repository"`
	Budget     int    `json:"budget"`
	Policy     string `json:"policy"`
	Commits    int    `json:"commits"`
	Words      share  `json:"identifiers"`
	Pairs      share  `json:"pairs"`
	// The 95 % interval of tandem's share minus the policy's, in points.
	WordsLow  float64 `json:"identifiers_low"`
	WordsHigh float64 `json:"identifiers_high"`
	PairsLow  float64 `json:"pairs_low"`
	PairsHigh float64 `json:"pairs_high"`
}

// pooled is the name of all repositories together.
const pooled = "all"

// summarize computes rows and bars from what the repositories have.
func (r *report) summarize() {
	for _, budget := range r.Budgets {
		var with []*repository
		for _, one := range r.Repositories {
			if len(one.Places) > 0 {
				with = append(with, one)
				r.addRows(one.Name, budget, []*repository{one})
			}
		}
		if len(with) > 0 {
			r.addRows(pooled, budget, with)
		}
	}
	r.judge()
}

// addRows adds a row for every policy.
func (r *report) addRows(name string, budget int, of []*repository) {
	for _, policy := range policies {
		line := row{Repository: name, Budget: budget, Policy: policy}
		var words, pairs [][]sample
		for _, one := range of {
			w, p := samples(one.Places, budget, policy)
			words, pairs = append(words, w), append(pairs, p)
			line.Commits += len(w)
			for i := range w {
				line.Words.add(w[i].theirs, w[i].trials)
				line.Pairs.add(p[i].theirs, p[i].trials)
			}
		}
		if policy != ours {
			random := rand.New(rand.NewPCG(r.Seed, 11))
			line.WordsLow, line.WordsHigh = interval(words, random)
			line.PairsLow, line.PairsHigh = interval(pairs, random)
		}
		r.Rows = append(r.Rows, line)
	}
}

// samples are tandem and a policy at each place.
func samples(places []*probed, budget int, policy string) (words, pairs []sample) {
	for _, p := range places {
		mine, theirs := p.Found[budget][ours], p.Found[budget][policy]
		words = append(words, sample{mine.Words, theirs.Words, len(p.Targets)})
		pairs = append(pairs, sample{mine.Pairs, theirs.Pairs, p.Pairs})
	}
	return words, pairs
}

// row finds a row; nil where nothing was measured.
func (r *report) row(repository string, budget int, policy string) *row {
	for i := range r.Rows {
		if l := &r.Rows[i]; l.Repository == repository && l.Budget == budget && l.Policy == policy {
			return l
		}
	}
	return nil
}

// print writes the tables.
func (r *report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	r.printSamples(table)
	r.printProbe(table)
	r.printOthers(table)
	r.printBars(table)
	table.Flush()
	fmt.Fprintf(out, "\nseed %d, %.0f s\n", r.Seed, r.Seconds)
}

func (r *report) printSamples(out io.Writer) {
	fmt.Fprintln(out, "REPOSITORY\tCOMMITS\tIDENTIFIERS\tOF THEM IN A LINE THAT COUNTS\tPAIRS\tSECONDS\tREFUSED")
	for _, one := range r.Repositories {
		targets, reachable, pairs, refused := 0, 0, 0, 0
		for _, p := range one.Places {
			targets, reachable, pairs = targets+len(p.Targets), reachable+p.Reachable, pairs+p.Pairs
		}
		for _, n := range one.Refused {
			refused += n
		}
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%.0f\t%d\n", one.Name, len(one.Places), targets, reachable, pairs, one.Seconds, refused)
	}
}

// printProbe prints shares, and in brackets the interval of the difference.
func (r *report) printProbe(out io.Writer) {
	if len(r.Rows) == 0 {
		return
	}
	fmt.Fprintln(out, "\nREPOSITORY\tBUDGET\tPOLICY\tIDENTIFIERS\tTANDEM MINUS POLICY, 95 %\tPAIRS\tTANDEM MINUS POLICY, 95 %")
	for _, l := range r.Rows {
		words, pairs := "", ""
		if l.Policy != ours {
			words = fmt.Sprintf("%+.1f … %+.1f", l.WordsLow, l.WordsHigh)
			pairs = fmt.Sprintf("%+.1f … %+.1f", l.PairsLow, l.PairsHigh)
		}
		share := fmt.Sprintf("%.1f %%", l.Pairs.percent())
		if l.Policy == byOracle {
			share, pairs = "", "" // it seeks identifiers and stops when it has them
		}
		fmt.Fprintf(out, "%s\t%d\t%s\t%.1f %%\t%s\t%s\t%s\n", l.Repository, l.Budget, l.Policy, l.Words.percent(), words, share, pairs)
	}
}

// printOthers prints what is not in rows, by repository.
func (r *report) printOthers(out io.Writer) {
	fmt.Fprintln(out, "\nREPOSITORY\tWHAT\tSHARE OR TIME\tOF")
	for _, one := range append(append([]*repository{}, r.Repositories...), r.together()) {
		for _, f := range one.figures(r.Budgets) {
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
