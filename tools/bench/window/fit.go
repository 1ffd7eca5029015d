package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"tandem/workspace/index"
	"tandem/workspace/rank"
	"tandem/workspace/tokens"
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

func fit(roots []string, seed uint64, count int) {
	random := rand.New(rand.NewPCG(seed, 99))
	var rows []row
	for _, root := range roots {
		t, err := readTree(root)
		if err != nil {
			panic(err)
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
		fmt.Printf("var %s = [numFeatures]float32{", name)
		for i, v := range w {
			if v != 0 {
				fmt.Printf("%s: %.4g, ", rank.FeatureNames[i], v)
			}
		}
		fmt.Println("}")
	}
}

func query(ix *index.Index, s sample) rank.Query {
	q := rank.Query{Path: s.path, Text: strings.Join(s.lines, "\n"), Line: s.line - 1, Language: index.Language(s.path)}
	scan := index.Scan("", s.path, q.Text)
	q.Imports = scan.Imports
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

// evaluate packs candidates and measures recall without the program.
func evaluate(root string, seed uint64, count int, budgets []int, verbose bool) {
	t, err := readTree(root)
	if err != nil {
		panic(err)
	}
	ix, m := buildModel(root)
	samples := draw(t, seed, count)
	type score struct{ line, usable, first [2]int }
	results := make([]score, len(budgets))
	total, firsts := 0, 0
	var took time.Duration
	var cands []rank.Candidate
	for _, s := range samples {
		q := query(ix, s)
		start := time.Now()
		cands = m.Rank(q, cands[:0])
		took += time.Since(start)
		type item struct {
			c     rank.Candidate
			value float64
			cost  int
		}
		items := make([]item, len(cands))
		for i, c := range cands {
			cost := tokens.Count(ix.SigText(c.Def))
			items[i] = item{c, float64(c.Score) / (float64(cost) + 8), cost}
		}
		slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.value, a.value) })
		for bi, budget := range budgets {
			left := float64(budget) * 0.97
			if budget <= 8000 {
				left = float64(budget) - 500
			}
			covered := map[string][][2]int{}
			for _, it := range items {
				p := ix.Path(it.c.Def.File())
				cost := it.cost
				if covered[p] == nil {
					cost += 12
				}
				if float64(cost) > left {
					continue
				}
				left -= float64(cost)
				d := ix.Def(it.c.Def)
				covered[p] = append(covered[p], [2]int{d.StartLine, d.SigEndLine})
			}
			if left > 0 {
				for _, id := range m.Popular() {
					if left <= 20 {
						break
					}
					d := ix.Def(id)
					p := ix.Path(id.File())
					covered[p] = append(covered[p], [2]int{d.StartLine, d.SigEndLine})
					left -= float64(tokens.Count(ix.SigText(id))) + 4
				}
			}
			for _, g := range s.targets {
				hit, usable := false, false
				for _, d := range g.defs {
					h, u := t.covers(covered[d.path], d)
					hit, usable = hit || h, usable || u
				}
				r := &results[bi]
				count := func(c *[2]int, ok bool) {
					c[1]++
					if ok {
						c[0]++
					}
				}
				count(&r.line, hit)
				count(&r.usable, usable)
				if g.firstUse {
					count(&r.first, hit)
				}
				if verbose && !hit && bi == len(budgets)-1 {
					var kinds []string
					for _, d := range g.defs {
						kinds = append(kinds, d.kind+"@"+d.path)
					}
					fmt.Printf("MISS first=%v %s at %s:%d  defs %.200s\n", g.firstUse, g.name, s.path, s.line, strings.Join(kinds, " "))
				}
				if bi == 0 {
					total++
					if g.firstUse {
						firsts++
					}
				}
			}
		}
	}
	fmt.Printf("%s seed %d: %d lines, %d targets, %d first uses, rank %v\n", path.Base(root), seed, len(samples), total, firsts, took/time.Duration(max(1, len(samples))))
	for i, b := range budgets {
		r := results[i]
		pc := func(c [2]int) float64 { return 100 * float64(c[0]) / float64(max(1, c[1])) }
		fmt.Printf("  %6d: line %.1f usable %.1f first %.1f\n", b, pc(r.line), pc(r.usable), pc(r.first))
	}
}

// covers reports whether line ranges hold a definition's line, and all that is
// needed to use it.
func (t *tree) covers(ranges [][2]int, d tag) (line, usable bool) {
	end := t.usable(d)
	for _, r := range ranges {
		if r[0] <= d.line && d.line <= r[1] {
			line = true
			usable = usable || end <= r[1]
		}
	}
	return line, usable
}
