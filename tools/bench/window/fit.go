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
	"time"

	"tandem/workspace/index"
	"tandem/workspace/rank"
)

type row struct {
	x    []float32
	y    bool
	w    float32
	used bool
}

func buildModel(root string) (*index.Index, *rank.Model) {
	ix, _, err := index.Build(context.Background(), index.Options{Root: root})
	if err != nil {
		panic(err)
	}
	start := time.Now()
	m := rank.NewBase(ix).Of(ix)
	fmt.Fprintln(os.Stderr, root, ix.NumFiles(), "files; model in", time.Since(start))
	return ix, m
}

func fit(out io.Writer, roots []string, seed uint64, count int) error {
	random := rand.New(rand.NewPCG(seed, 99))
	var rows []row
	for _, root := range roots {
		t, err := readTree(root)
		if err != nil {
			return err
		}
		ix, m := buildModel(root)
		var took time.Duration
		samples := draw(t, seed, count)
		for _, s := range samples {
			q := query(ix, s)
			want := map[string]bool{}
			for _, g := range s.targets {
				want[g.name] = true
			}
			q.Trace = func(d index.DefID, x []float32, used bool) {
				y := want[ix.Def(d).Name]
				x = slices.Clone(x)
				w := float32(1)
				if !y && !used {
					if random.IntN(10) != 0 {
						return
					}
					w = 10
				}
				rows = append(rows, row{x, y, w, used})
			}
			start := time.Now()
			m.Rank(q, nil)
			took += time.Since(start)
		}
		fmt.Fprintln(os.Stderr, root, len(samples), "samples", took/time.Duration(max(1, len(samples))), "each", len(rows), "rows")
	}
	for _, used := range []bool{true, false} {
		w := train(rows, used)
		name := "weightsNew"
		if used {
			name = "weightsUsed"
		}
		fmt.Fprintf(out, "var %s = [numFeatures]float32{", name)
		for i, v := range w {
			if v != 0 {
				fmt.Fprintf(out, "%s: %.4g, ", rank.FeatureNames[i], v)
			}
		}
		fmt.Fprintln(out, "}")
	}
	return nil
}

func query(ix *index.Index, s sample) rank.Query {
	q := rank.Query{Path: s.path, Text: strings.Join(s.lines, "\n"), Line: s.line - 1, Language: index.Language(s.path)}
	return q
}

func train(rows []row, used bool) []float64 {
	var sub []row
	for _, r := range rows {
		if r.used == used {
			sub = append(sub, r)
		}
	}
	n := len(sub[0].x)
	w, g2 := make([]float64, n), make([]float64, n)
	random := rand.New(rand.NewPCG(1, 1))
	for epoch := range 12 {
		loss := 0.0
		random.Shuffle(len(sub), func(i, j int) { sub[i], sub[j] = sub[j], sub[i] })
		for _, r := range sub {
			z := 0.0
			for i, x := range r.x {
				z += w[i] * float64(x)
			}
			p := 1 / (1 + math.Exp(-z))
			d := p
			if r.y {
				d = p - 1
				loss -= math.Log(p + 1e-12)
			} else {
				loss -= float64(r.w) * math.Log(1-p+1e-12)
			}
			d *= float64(r.w)
			for i, x := range r.x {
				if x == 0 {
					continue
				}
				gr := d*float64(x) + 1e-6*w[i]
				g2[i] += gr * gr
				w[i] -= 0.3 * gr / math.Sqrt(g2[i]+1e-3)
			}
		}
		fmt.Fprintln(os.Stderr, used, epoch, loss/float64(len(sub)))
	}
	return w
}
