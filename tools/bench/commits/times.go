package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"tandem/tools/bench/clones"
)

// timedBudgets are the budgets at which windows are timed.
var timedBudgets = []int{3_000, 8_000, 128_000}

// A timing is how long windows of one budget took, in milliseconds.
type timing struct {
	Budget int       `json:"budget"`
	Same   []float64 `json:"same_function"`
	New    []float64 `json:"new_place"`
}

// timeWindows asks at random places, and again with a letter typed there.
func timeWindows(t *clones.Tandem, g *clones.Tree, places int, random *rand.Rand, refused func(error) error) ([]timing, error) {
	var sources []*clones.File
	for _, f := range g.Files {
		if f.Source() && clones.Written(f.Path, "") {
			sources = append(sources, f)
		}
	}
	if len(sources) == 0 {
		return nil, nil
	}
	var out []timing
	for i, budget := range append([]int{timedBudgets[0]}, timedBudgets...) { // the first round warms up
		timed := timing{Budget: budget}
		for range places {
			f := sources[random.IntN(len(sources))]
			line := random.IntN(len(f.Lines))
			for _, typed := range []string{"", "x"} {
				lines := append([]string{}, f.Lines...)
				lines[line] += typed
				w, err := t.Ask(clones.Request{ID: fmt.Sprint(budget), File: f.Path, Line: line + 1, Column: len(lines[line]) + 1, Budget: budget,
					Purpose: "complete", Overlay: map[string]string{f.Path: strings.Join(lines, "\n") + "\n"}})
				if err := refused(err); err != nil {
					return nil, err
				}
				switch {
				case w == nil:
				case typed == "":
					timed.New = append(timed.New, w.MS)
				default:
					timed.Same = append(timed.Same, w.MS)
				}
			}
		}
		if i > 0 {
			out = append(out, timed)
		}
	}
	return out, nil
}
