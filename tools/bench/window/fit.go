package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/language"
	"tandem/workspace/rank"
)

// A row holds the features and the label of one candidate of one sample.
type row struct {
	x      []float32
	wanted bool
	weight float32
	used   bool
	group  string
}

// groups holds the languages that have their own weights.
var groups = map[string]string{"go": "Go", "python": "Python", "rust": "Rust",
	"typescript": "Script", "typescriptreact": "Script", "javascript": "Script", "javascriptreact": "Script"}

// keepOne is the number of unused, unwanted candidates that one row represents: one
// in keepOne is kept, with that weight.
const keepOne = 10

// fit prints the weights of workspace/rank, fitted to lines of the trees.
func fit(out io.Writer, roots []string, seed uint64, count int) error {
	var rows []row
	for _, root := range roots {
		more, err := gatherRows(root, seed, count)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, root, len(more), "rows")
		rows = append(rows, more...)
	}
	fmt.Fprint(out, "package rank\n\n// The weights below were fitted by make bench-window-fit; do not edit them.\n")
	start := map[bool][]float64{}
	for _, group := range []string{"Any", "Go", "Python", "Script", "Rust"} {
		fmt.Fprintf(out, "\nvar weights%s = weights{\n", group)
		for _, used := range []bool{true, false} {
			var own []row
			for _, r := range rows {
				if r.used == used && (group == "Any" || r.group == group) {
					own = append(own, r)
				}
			}
			w := train(own, start[used])
			if group == "Any" {
				start[used] = w
			}
			printWeights(out, used, w)
		}
		fmt.Fprintln(out, "}")
	}
	return nil
}

func printWeights(out io.Writer, used bool, w []float64) {
	name := "unused"
	if used {
		name = "used"
	}
	fmt.Fprintf(out, "\t%s: features{\n", name)
	for i, v := range w {
		if v != 0 {
			fmt.Fprintf(out, "\t\t%s: %.4g,\n", rank.FeatureNames[i], v)
		}
	}
	fmt.Fprintln(out, "\t},")
}

// gatherRows ranks candidates for lines of a tree and records which were wanted.
func gatherRows(root string, seed uint64, count int) ([]row, error) {
	t, err := readTree(root, false)
	if err != nil {
		return nil, err
	}
	ix, _, err := index.Build(context.Background(), index.Options{Root: root})
	if err != nil {
		return nil, err
	}
	base := rank.NewBase(ix)
	random := rand.New(rand.NewPCG(seed, 99))
	var rows []row
	for _, s := range draw(t, seed, count) {
		text := strings.Join(s.lines, "\n")
		now := ix.With(index.Change{Path: s.path, Text: text})
		wanted := map[string]bool{}
		for _, g := range s.targets {
			wanted[g.name] = true
		}
		lang := language.OfFile(s.path)
		trace := func(d index.DefID, x []float32, used bool) {
			r := row{wanted: wanted[now.Def(d).Name], weight: 1, used: used, group: groups[lang]}
			if !r.wanted && !used {
				if random.IntN(keepOne) != 0 {
					return
				}
				r.weight = keepOne
			}
			r.x = slices.Clone(x)
			rows = append(rows, r)
		}
		base.Of(now).Rank(rank.Query{Path: s.path, Text: text, Line: s.line - 1, Language: lang, Trace: trace}, nil)
	}
	return rows, nil
}

const (
	epochs = 12
	pace   = 0.3  // learning rate of AdaGrad
	decay  = 2e-5 // regularization towards the start, per row
)

// train fits a logistic model by stochastic gradient descent, from start.
func train(rows []row, start []float64) []float64 {
	n := len(rank.FeatureNames)
	if start == nil {
		start = make([]float64, n)
	}
	w, squares := slices.Clone(start), make([]float64, n)
	random := rand.New(rand.NewPCG(1, 1))
	for range epochs {
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			step(w, start, squares, r)
		}
	}
	return w
}

// step moves w by one row.
func step(w, start, squares []float64, r row) {
	z := 0.0
	for i, x := range r.x {
		z += w[i] * float64(x)
	}
	slope := 1 / (1 + math.Exp(-z))
	if r.wanted {
		slope--
	}
	slope *= float64(r.weight)
	for i, x := range r.x {
		if x == 0 {
			continue
		}
		g := slope*float64(x) + decay*(w[i]-start[i])
		squares[i] += g * g
		w[i] -= pace * g / math.Sqrt(squares[i]+1e-3)
	}
}
