package task

import (
	"fmt"
	"slices"
	"strings"

	"tandem/workspace/state"
)

// A Problem is a reason why a plan is not run. Step is its index, or -1 for the plan.
type Problem struct {
	Step    int
	Message string // a sentence that names the step
	// Order is true if the plan can be run all the same: the steps that it concerns run in
	// the order of the plan.
	Order bool
}

// maxProblems bounds how many problems are listed: a plan of 500 steps has them all again
// and again.
const maxProblems = 12

// checkPlan returns what is wrong with a plan, before anything of it runs.
func checkPlan(steps []state.Step, files taskFiles, settings Settings) []Problem {
	agents := settings.agentNames()
	if len(steps) == 0 {
		return []Problem{{-1, "The plan has no steps.", false}}
	}
	if settings.MaxSteps > 0 && len(steps) > settings.MaxSteps {
		return []Problem{{-1, fmt.Sprintf("The plan has %d steps, and %d is the most.", len(steps), settings.MaxSteps), false}}
	}
	var out []Problem
	add := func(i int, order bool, format string, args ...any) {
		if len(out) < maxProblems {
			out = append(out, Problem{i, fmt.Sprintf("Step %d ", i+1) + fmt.Sprintf(format, args...), order})
		}
	}
	created := map[string]bool{}
	for _, s := range steps {
		for _, path := range s.Writes {
			created[path] = true
		}
	}
	for i, s := range steps {
		if s.Lane != Fast && s.Lane != Deep && !slices.Contains(agents, s.Lane) {
			add(i, false, "has the lane %s, which there is not: it is one of %s.", strings.ToUpper(s.Lane), strings.ToUpper(strings.Join(append([]string{Fast, Deep}, agents...), ", ")))
		}
		for _, path := range s.Writes {
			if why := files.Refuse(path, true); why != "" {
				add(i, false, "writes %s: %s.", path, why)
			}
		}
		for _, path := range s.Reads {
			if why := files.Refuse(path, false); why != "" {
				add(i, false, "reads %s: %s.", path, why)
			} else if !files.Exists(path) && !created[path] {
				add(i, false, "reads %s, which does not exist and which no step creates.", path)
			}
		}
		for _, n := range s.After {
			switch {
			case n < 0 || n >= len(steps):
				add(i, false, "comes after a step that there is not.")
			case n == i:
				add(i, false, "comes after itself.")
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	if cycle := cycleIn(steps); cycle != nil {
		return []Problem{{cycle[0], fmt.Sprintf("Steps %s wait for each other.", numbers(cycle)), false}}
	}
	reach := reachable(steps)
	for i := range steps {
		for j := range i {
			if both := common(steps[i].Writes, steps[j].Writes); len(both) > 0 && !reach[i][j] && !reach[j][i] {
				add(i, true, "and step %d both write %s, and none is after the other.", j+1, strings.Join(both, ", "))
			}
		}
	}
	return out
}

func numbers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n+1))
	}
	return strings.Join(out, ", ")
}

func common(a, b []string) []string {
	var out []string
	for _, path := range a {
		if slices.Contains(b, path) {
			out = append(out, path)
		}
	}
	return out
}

// cycleIn returns steps that wait for each other, or nil.
func cycleIn(steps []state.Step) []int {
	const running, over = 1, 2
	state := make([]int, len(steps))
	var path, found []int
	var visit func(int) bool
	visit = func(i int) bool {
		switch state[i] {
		case over:
			return false
		case running:
			found = slices.Clone(path[slices.Index(path, i):])
			return true
		}
		state[i] = running
		path = append(path, i)
		for _, n := range steps[i].After {
			if visit(n) {
				return true
			}
		}
		path = path[:len(path)-1]
		state[i] = over
		return false
	}
	for i := range steps {
		if visit(i) {
			slices.Sort(found)
			return found
		}
	}
	return nil
}

// reachable returns for each step which steps have to end before it, directly or not. The
// plan must have no cycle.
func reachable(steps []state.Step) []map[int]bool {
	out := make([]map[int]bool, len(steps))
	var visit func(int) map[int]bool
	visit = func(i int) map[int]bool {
		if out[i] != nil {
			return out[i]
		}
		out[i] = map[int]bool{}
		for _, n := range steps[i].After {
			out[i][n] = true
			for m := range visit(n) {
				out[i][m] = true
			}
		}
		return out[i]
	}
	for i := range steps {
		visit(i)
	}
	return out
}
