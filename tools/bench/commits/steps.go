package main

import (
	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

const (
	longestStepFile = 2000   // lines
	stepBudget      = 13_000 // tokens of a file that surely fit the default of a step
	largeStep       = 64_000 // a budget that every such file fits
)

// askSteps names random files in the words of a step: are they shown whole?
func (v *visit) askSteps(t *clones.Tandem, g *clones.Tree) error {
	left := mostSteps
	for _, i := range v.random(5).Perm(len(g.Files)) {
		f := g.Files[i]
		if left == 0 {
			break
		}
		if !f.Source() || len(f.Lines) < shortestFunction || len(f.Lines) > longestStepFile {
			continue
		}
		left--
		fits := clones.Count(f.Text(0, len(f.Lines))) <= stepBudget
		for what, budget := range map[string]int{stepDefault: 0, stepLarge: largeStep} {
			w, err := v.window(t, clones.Request{ID: f.Path, Purpose: "step", Budget: budget, Words: "Handle errors more carefully in " + f.Path + "."})
			if err != nil {
				return err
			}
			if budget > 0 || fits {
				v.counts.add(what, figures.One(clones.ShownWhole(w.Text, f.Lines)), 1)
			}
		}
	}
	return nil
}
