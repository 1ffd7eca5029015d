package main

import (
	"fmt"
	"slices"
)

// A bar is a demand and whether it is met.
type bar struct {
	What     string `json:"what"`
	Measured string `json:"measured"`
	Wanted   string `json:"wanted"`
	Pass     bool   `json:"pass"`
}

const (
	fewestRepositories, fewestIdentifiers = 6, 2000
	fewestCommits, fewestIdentifiersEach  = 120, 200
)

// identifierBars are what tandem is to show of all identifiers, and of what
// the oracle shows, by budget.
var identifierBars = map[int][2]float64{8000: {60, 80}, 3000: {50, 75}}

func (r *report) atLeast(what string, measured, wanted float64, unit string) {
	r.Bars = append(r.Bars, bar{what, fmt.Sprintf("%.1f%s", measured, unit), fmt.Sprintf("≥ %g%s", wanted, unit), measured >= wanted})
}

func (r *report) atMost(what string, measured, wanted float64, unit string) {
	r.Bars = append(r.Bars, bar{what, fmt.Sprintf("%.1f%s", measured, unit), fmt.Sprintf("≤ %g%s", wanted, unit), measured <= wanted})
}

// judge compares what was measured with what is wanted.
func (r *report) judge() {
	all := r.together()
	if len(all.Places) > 0 {
		r.judgeSamples()
		for _, budget := range r.Budgets {
			r.judgeIdentifiers(budget)
		}
		r.judgeWaste(all)
	}
	r.judgeAsked(all)
	if len(all.Shares) > 0 {
		r.atLeast("shared prefix, mean", 100*mean(all.Shares), 97, " %")
		r.atMost("shared prefix, pairs below half", all.broken().percent(), 3, " %")
	}
	r.judgeTimes(all)
}

// judgeSamples says whether there is enough to judge by.
func (r *report) judgeSamples() {
	identifiers, fewest, fewestOf := 0, 1<<30, 1<<30
	for _, one := range r.Repositories {
		targets := 0
		for _, p := range one.Places {
			targets += len(p.Targets)
		}
		identifiers, fewest, fewestOf = identifiers+targets, min(fewest, targets), min(fewestOf, len(one.Places))
	}
	r.atLeast("sample: repositories", float64(len(r.Repositories)), fewestRepositories, "")
	r.atLeast("sample: identifiers", float64(identifiers), fewestIdentifiers, "")
	r.atLeast("sample: commits of the smallest repository", float64(fewestOf), fewestCommits, "")
	r.atLeast("sample: identifiers of the smallest repository", float64(fewest), fewestIdentifiersEach, "")
}

func (r *report) judgeIdentifiers(budget int) {
	wanted, known := identifierBars[budget]
	mine, best := r.row(pooled, budget, ours), r.row(pooled, budget, byOracle)
	if !known || mine == nil {
		return
	}
	r.atLeast(fmt.Sprintf("identifiers at %d", budget), mine.Words.percent(), wanted[0], " %")
	r.atLeast(fmt.Sprintf("identifiers at %d, of the oracle's", budget), ratio(mine.Words, best.Words)*100, wanted[1], " %")
	if budget != slices.Max(r.Budgets) {
		return
	}
	r.atLeast(fmt.Sprintf("pairs at %d, times BM25's", budget), ratio(mine.Pairs, r.row(pooled, budget, byBM25).Pairs), 1.3, "")
	for _, policy := range []string{byBM25, byTabs} {
		below := ""
		for _, one := range r.Repositories {
			if l := r.row(one.Name, budget, policy); l != nil && l.WordsHigh < 0 {
				below += one.Name + " "
			}
		}
		r.Bars = append(r.Bars, bar{fmt.Sprintf("identifiers at %d: repositories below %s", budget, policy), below, "none", below == ""})
	}
}

// ratio of two shares.
func ratio(a, b share) float64 {
	if b.Hits == 0 {
		return 0
	}
	return a.percent() / b.percent()
}

func (r *report) judgeWaste(all *repository) {
	budget := slices.Max(r.Budgets)
	w := all.waste(budget)
	r.atMost(fmt.Sprintf("context at %d: definitions that the place cannot mean", budget), w.percent(w.Unreachable), 2, " %")
	r.atMost(fmt.Sprintf("context at %d: headings", budget), w.percent(w.Headings), 8, " %")
	r.atMost(fmt.Sprintf("context at %d: repeated names", budget), w.percent(w.Repeated), 5, " %")
}

func (r *report) judgeAsked(all *repository) {
	for _, form := range forms {
		if s := all.functions(form); s.Trials > 0 {
			r.atLeast("functions whole, by "+form, s.percent(), 100, " %")
		}
	}
	if mine, theirs := all.messages(); mine.Trials > 0 {
		r.atLeast("commit messages: files shown with a body", mine.percent(), 40, " %")
		r.atLeast("commit messages: times BM25's", ratio(mine, theirs), 1.3, "")
	}
	if s := all.callees(); s.Trials > 0 {
		r.atLeast("edits: called functions shown whole", s.percent(), 90, " %")
	}
	if fits, large := all.steps(); large.Trials > 0 {
		r.atLeast("step files whole, default budget, where they fit", fits.percent(), 100, " %")
		r.atLeast("step files whole, 64000 tokens", large.percent(), 100, " %")
	}
}

// timeBars are the most milliseconds in the same function and at a new place.
var timeBars = map[int][2]float64{3_000: {1, 5}, 8_000: {2, 8}, 128_000: {10, 20}}

func (r *report) judgeTimes(all *repository) {
	for _, t := range all.Times {
		wanted := timeBars[t.Budget]
		r.atMost(fmt.Sprintf("window of %d, same function, p50", t.Budget), median(t.Same), wanted[0], " ms")
		r.atMost(fmt.Sprintf("window of %d, new place, p50", t.Budget), median(t.New), wanted[1], " ms")
	}
}
