package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"tandem/edits/hunks"
	"tandem/model/local/nextedit"
	"tandem/tools/bench/figures"
)

// How the weights are fitted.
const (
	ridge      = 4.0 // against weights that few examples give
	rounds     = 25  // of Newton's method
	leastRight = 85  // percent, of what is shown: the bar and a margin
	mostWrong  = 5
	mostNoise  = 0.5 // in each class

	grid = 0.03 // between the chances that are tried; what is chosen is one more, since other repositories are not as those of the fit
)

// fitted fits the weights of the built-in engine's decision to what was noted of
// repositories, and writes them to a Go file, "" for none. Each repository is judged by
// weights and a threshold that come from the others.
func fitted(files []string, weights string) ([]figures.Row, error) {
	var steps []step
	for _, name := range files {
		list, err := figures.ReadLog[step](name)
		if err != nil {
			return nil, err
		}
		steps = append(steps, list...)
	}
	var names []string
	for _, s := range steps {
		if !slices.Contains(names, s.Repository) {
			names = append(names, s.Repository)
		}
	}
	var all tally
	var quiet, shown int
	for _, name := range names {
		own, others := parted(steps, func(s step) bool { return s.Repository == name })
		t, q, n := judged(own, decide(others))
		fmt.Printf("%-24s %4d hunks, spoke at %d: right %d, partly %d, wrong %d; %d single, shown at %d\n", name, t.hunks, t.spoke, t.right, t.partly, t.wrong, q, n)
		all.add(t)
		quiet, shown = quiet+q, shown+n
	}
	d := decide(steps)
	if weights != "" {
		if err := os.WriteFile(weights, weightsFile(d, names), 0o600); err != nil {
			return nil, err
		}
	}
	own, _, _ := judged(steps, d)
	return append(historyRows("each repository by the others", all, quiet, shown),
		figures.Row{What: "all by themselves: right", Value: figures.Percent(own.right, own.spoke), None: true, Note: fmt.Sprintf("wrong %.1f %%, speaks at %.1f %%", figures.Percent(own.wrong, own.spoke), figures.Percent(own.spoke, own.hunks))}), nil
}

func parted(steps []step, own func(step) bool) (yes, no []step) {
	for _, s := range steps {
		if own(s) {
			yes = append(yes, s)
		} else {
			no = append(no, s)
		}
	}
	return yes, no
}

// decide fits the decision of each class.
func decide(steps []step) (d nextedit.Decisions) {
	for class := range d {
		of := ofClass(steps, class)
		d[class].Weights = regress(of)
		d[class].Repeated, d[class].Once = threshold(scored(of, d), class)
	}
	return d
}

// ofClass are steps with the places of one class alone, without those that are offered
// whatever the decision.
func ofClass(steps []step, class int) []step {
	out := slices.Clone(steps)
	for i, s := range out {
		out[i].Places = slices.DeleteFunc(slices.Clone(s.Places), func(p noted) bool { return p.Evidence.Class() != class || p.Evidence.Follows() })
	}
	return out
}

// A weighed is one place with its share in the fit: a place that is considered at many
// steps of a commit counts once.
type weighed struct {
	together nextedit.Evidence
	right    float64
	weight   float64
}

func samplesOf(steps []step) (out []weighed) {
	type once struct{ commit, key string }
	seen := map[once]int{}
	for _, s := range steps {
		for _, p := range s.Places {
			seen[once{s.Commit, p.Title}]++
		}
	}
	for _, s := range steps {
		for _, p := range s.Places {
			right := 0.0
			if p.Verdict == hunks.Right {
				right = 1
			}
			out = append(out, weighed{p.Evidence.Together(), right, 1 / math.Sqrt(float64(seen[once{s.Commit, p.Title}]))})
		}
	}
	return out
}

// regress fits a logistic regression with Newton's method.
func regress(steps []step) (w nextedit.Evidence) {
	const n = nextedit.NumEvidence
	samples := samplesOf(steps)
	for range rounds {
		var gradient nextedit.Evidence
		var curve [n]nextedit.Evidence
		for i := range gradient {
			gradient[i] = -ridge * w[i]
			curve[i][i] = ridge
		}
		for _, s := range samples {
			p := logistic(s.together, w)
			g, c := s.weight*(s.right-p), s.weight*max(p*(1-p), 1e-6)
			for i, x := range s.together {
				if x == 0 {
					continue
				}
				gradient[i] += g * x
				for j, y := range s.together {
					curve[i][j] += c * x * y
				}
			}
		}
		step := solved(curve, gradient)
		for i := range w {
			w[i] += step[i]
		}
	}
	return w
}

func logistic(e, w nextedit.Evidence) float64 {
	sum := 0.0
	for i, x := range e {
		sum += x * w[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// solved solves a system of linear equations whose matrix is positive definite.
func solved(a [nextedit.NumEvidence]nextedit.Evidence, b nextedit.Evidence) nextedit.Evidence {
	n := len(b)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b
}

// scored are steps whose places have their chances by some decisions.
func scored(steps []step, d nextedit.Decisions) []step {
	out := slices.Clone(steps)
	for i, s := range out {
		out[i].Places = slices.Clone(s.Places)
		for j := range s.Places {
			out[i].Places[j].chance = s.Places[j].Evidence.Chance(d)
		}
	}
	return out
}

// judged is what would be shown by some decisions: the most probable place of
// each step, unless it was dismissed.
func judged(steps []step, d nextedit.Decisions) (t tally, quiet, shown int) {
	return shownOf(scored(steps, d), d)
}

// shownOf is judged of steps whose places have their chances.
func shownOf(steps []step, d nextedit.Decisions) (t tally, quiet, shown int) {
	refused := map[string]bool{}
	for _, s := range steps {
		at := -1
		for i, p := range s.Places {
			if p.Evidence.Enough(p.chance, d) && (at < 0 || p.chance > s.Places[at].chance) {
				at = i
			}
		}
		if s.Single {
			quiet++
			shown += min(at+1, 1)
			continue
		}
		t.hunks++
		if at < 0 {
			continue
		}
		if key := s.Commit + "\x00" + s.Places[at].Key; !refused[key] {
			refused[key] = t.judged(s.Places[at].Verdict)
		}
	}
	return t, quiet, shown
}

// threshold are the chances from which most of a class is shown within the bars and their
// margins.
func threshold(steps []step, class int) (repeated, once float64) {
	repeated, once = 0.95, 0.95 // nearly nothing
	most := 0
	for r := 0.50; r < 0.96; r += grid {
		for o := 0.50; o < 0.96; o += grid {
			var d nextedit.Decisions
			d[class].Repeated, d[class].Once = r, o
			t, quiet, shown := shownOf(steps, d)
			if t.spoke > most && figures.Percent(t.right, t.spoke) >= leastRight && figures.Percent(t.wrong, t.spoke) <= mostWrong && figures.Percent(shown, quiet) <= mostNoise {
				repeated, once, most = r, o, t.spoke
			}
		}
	}
	return repeated + grid, once + grid
}

func weightsFile(d nextedit.Decisions, names []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated by make fit-next-edits REPOS=DIR. DO NOT EDIT.\n// DIR had %s.\n\npackage nextedit\n\n// decisions are fitted on the history of repositories.\nvar decisions = Decisions{\n", strings.Join(slices.Sorted(slices.Values(names)), ", "))
	for class, name := range []string{"Code", "NoCode"} {
		fmt.Fprintf(&b, "\t%s: {Repeated: %.2f, Once: %.2f, Weights: Evidence{\n", name, d[class].Repeated, d[class].Once)
		for _, x := range d[class].Weights {
			fmt.Fprintf(&b, "\t\t%.3f,\n", x)
		}
		b.WriteString("\t}},\n")
	}
	b.WriteString("}\n")
	return []byte(b.String())
}
