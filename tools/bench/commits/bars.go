package main

import "fmt"

// A bar is a demand and whether it is met.
type bar struct {
	What     string `json:"what"`
	Measured string `json:"measured"`
	Wanted   string `json:"wanted"`
	Pass     bool   `json:"pass"`
}

func (r *report) atLeast(what string, measured, wanted float64, unit string) {
	r.Bars = append(r.Bars, bar{what, fmt.Sprintf("%.1f%s", measured, unit), fmt.Sprintf("≥ %g%s", wanted, unit), measured >= wanted})
}

// judge compares what was measured with what is wanted.
func (r *report) judge() {
	all := r.together()
	r.judgeAsked(all)
}

// ratio of two shares.
func ratio(a, b share) float64 {
	if b.Hits == 0 {
		return 0
	}
	return a.percent() / b.percent()
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
