package main

import (
	"math/rand/v2"

	"tandem/tools/bench/clones"
)

const (
	longestStepFile = 2000   // lines
	stepBudget      = 13_000 // tokens of a file that surely fit the default of a step
	largeStep       = 64_000 // a budget that every such file fits
)

// An asked step says whether the file that its words name was shown whole.
type askedStep struct {
	Path    string `json:"path"`
	Tokens  int    `json:"tokens"`
	Fits    bool   `json:"fits_default"`
	Default bool   `json:"whole_at_default"`
	Large   bool   `json:"whole_at_64000"`
}

// askSteps names random files in the words of a step.
func askSteps(t *clones.Tandem, g *clones.Tree, most int, random *rand.Rand, refused func(error) error) ([]askedStep, error) {
	var out []askedStep
	for _, i := range random.Perm(len(g.Files)) {
		f := g.Files[i]
		if len(out) == most {
			break
		}
		if !f.Source() || len(f.Lines) < shortestFunction || len(f.Lines) > longestStepFile {
			continue
		}
		step := askedStep{Path: f.Path, Tokens: clones.Count(f.Text(0, len(f.Lines)))}
		step.Fits = step.Tokens <= stepBudget
		for _, budget := range []int{0, largeStep} {
			w, err := t.Ask(clones.Request{ID: f.Path, Purpose: "step", Budget: budget, Text: true,
				Words: "Handle errors more carefully in " + f.Path + "."})
			if err := refused(err); err != nil {
				return nil, err
			}
			whole := w != nil && clones.ShownWhole(w.Text, f.Lines)
			if budget == 0 {
				step.Default = whole
			} else {
				step.Large = whole
			}
		}
		out = append(out, step)
	}
	return out, nil
}
