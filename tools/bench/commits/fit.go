package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tandem/tools/bench/clones"

	"tandem/workspace/index"
	"tandem/workspace/similar"
)

// A lesson is one place of a commit: what workspace/similar knows of names and
// pairs there, and which of them the commit needed.
type lesson struct {
	clone        int
	names, pairs rows
	chunks       []taughtChunk
	words, goals int // targets: identifiers, and pairs
	left         []int
	bm25         []hits // by budget
}

// Rows are what is known of candidates, and whether they were needed.
type rows struct {
	x [][]float32
	y []bool
}

// A taughtChunk is a chunk with its tokens and what it shows of the goals.
type taughtChunk struct {
	similar.JudgedChunk
	tokens, heading int
	shows           score
}

// fitAll fits the weights on all clones and prints them; on the way it prints, as
// comments, what weights that were fitted on the other clones show.
func (b *bench) fitAll(ctx context.Context, clones []string, out io.Writer) error {
	var list []*lesson
	for i, dir := range clones {
		lessons, err := b.learn(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(dir), err)
		}
		for _, l := range lessons {
			l.clone = i
		}
		list = append(list, lessons...)
	}
	b.progress("")
	fmt.Fprintf(out, "package similar\n\n// The weights below were fitted by make bench-similar-fit; do not edit them.\n//\n")
	b.validate(out, list, len(clones))
	names, pairs := fitLessons(list)
	printWeights(out, "nameWeights", "numNameFeatures", names)
	printWeights(out, "pairWeights", "numPairFeatures", pairs)
	return nil
}

// learn draws commits of a clone.
func (b *bench) learn(ctx context.Context, dir string) ([]*lesson, error) {
	c, err := clones.OpenClone(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer c.Objects.Close()
	list, err := clones.History(ctx, c, b.within)
	if err != nil {
		return nil, err
	}
	changes, err := clones.NewDrawer(c, list, rand.New(rand.NewPCG(b.seed, 1))).Draw(ctx, b.commits, nil)
	if err != nil {
		return nil, err
	}
	forest := clones.NewForest(c)
	past := &past{clone: c, words: map[string][]string{}}
	var out []*lesson
	for i := range changes {
		b.progress("%s: commit %d of %d", c.Name, i+1, len(changes))
		t, err := forest.Read(ctx, changes[i].Parent)
		if err != nil {
			return nil, err
		}
		steps, err := past.before(ctx, changes[i].Parent)
		if err != nil {
			return nil, err
		}
		l, err := b.teach(ctx, t, c, &changes[i], steps)
		if err != nil {
			return nil, err
		}
		if l != nil {
			out = append(out, l)
		}
	}
	return out, nil
}

// teach makes a lesson of a commit; nil where the tree has nothing that it needed.
func (b *bench) teach(ctx context.Context, t *clones.Tree, c *clones.Clone, h *clones.Change, steps []similar.Step) (*lesson, error) {
	g := newGoals(t, h.Place)
	if len(g.names) == 0 {
		return nil, nil
	}
	p := h.Place
	ix, err := indexOf(t, c, h)
	if err != nil {
		return nil, err
	}
	corpus := similar.NewCorpus(ctx, ix, similar.Options{Steps: steps, Texts: func(ix *index.Index, id index.FileID) (string, bool) {
		text, err := ix.Text(id)
		return text, err == nil
	}})
	l := &lesson{words: len(g.names), goals: len(g.pairs)}
	at := offsetOf(p.Text, p.Line, p.Column)
	self, _ := ix.FileID(p.Path)
	corpus.Estimate(ix, similar.Query{Path: p.Path, Language: ix.Language(self), Text: p.Text, At: at, Trace: func(j *similar.Judged) {
		l.read(j, g, ix)
	}})
	ranked := clones.BM25(t, p.Query(), p.Path)
	for _, budget := range b.budgets {
		left := budget - regionOf(p, budget)
		text, _ := clones.Fill(ranked, left)
		s := g.judge(text)
		l.left, l.bm25 = append(l.left, left), append(l.bm25, hits{s.words.size(), s.pairs.size()})
	}
	return l, nil
}

func (l *lesson) read(j *similar.Judged, g *goals, ix *index.Index) {
	for _, n := range j.Names {
		_, needed := g.words[g.tree.Words.Numbers[n.Name]]
		l.names.x, l.names.y = append(l.names.x, n.Features), append(l.names.y, needed)
	}
	for _, p := range j.Pairs {
		_, needed := g.pairs[[2]clones.Word{g.tree.Words.Numbers[p.A], g.tree.Words.Numbers[p.B]}]
		l.pairs.x, l.pairs.y = append(l.pairs.x, p.Features), append(l.pairs.y, needed)
	}
	for _, c := range j.Chunks {
		name := ix.Path(c.File)
		f := g.tree.ByPath[name]
		if f == nil || !f.Source() || c.Last > len(f.Lines) {
			continue
		}
		text := f.Text(c.First-1, c.Last)
		l.chunks = append(l.chunks, taughtChunk{JudgedChunk: c, tokens: clones.Count(text), heading: clones.Count("# " + name + "\n"), shows: g.judge(text)})
	}
}

// indexOf indexes the tree before a commit, with the place's text.
func indexOf(t *clones.Tree, c *clones.Clone, h *clones.Change) (*index.Index, error) {
	var changes []index.Change
	for _, f := range t.Files {
		switch base := path.Base(f.Path); {
		case f.Path == h.Place.Path:
			changes = append(changes, index.Change{Path: f.Path, Text: h.Place.Text})
		case f.Source():
			changes = append(changes, index.Change{Path: f.Path, Text: strings.Join(f.Lines, "\n") + "\n"})
		case base == "go.mod" || base == "package.json" || base == "tsconfig.json" || base == "Cargo.toml":
			text, _, err := c.Objects.Read(h.Parent + ":" + f.Path)
			if err != nil {
				return nil, err
			}
			changes = append(changes, index.Change{Path: f.Path, Text: text})
		}
	}
	return index.New(changes...), nil
}

// offsetOf is the offset of a line and column, from 1.
func offsetOf(text string, line, column int) int {
	at := 0
	for range line - 1 {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at + column - 1
}

// regionOf is about what the text round a place takes of a budget: a third, or the
// whole of a short file.
func regionOf(p *clones.Place, budget int) int { return min(clones.Count(p.Text), budget*34/100) }

// fitLessons fits both models.
func fitLessons(list []*lesson) (names, pairs []float64) {
	random := rand.New(rand.NewPCG(1, 2))
	var n, p lessons
	for _, l := range list {
		n.draw(l.names, 0.05, random)
		p.draw(l.pairs, 0.02, random)
	}
	return n.fit(), p.fit()
}

// A lessons is rows drawn with weights: all that were needed, and some of the
// others.
type lessons struct {
	x    [][]float32
	y, w []float64
}

func (s *lessons) draw(r rows, part float64, random *rand.Rand) {
	for i, x := range r.x {
		switch {
		case r.y[i]:
			s.x, s.y, s.w = append(s.x, x), append(s.y, 1), append(s.w, 1)
		case random.Float64() < part:
			s.x, s.y, s.w = append(s.x, x), append(s.y, 0), append(s.w, 1/part)
		}
	}
}

const (
	newtonSteps = 15
	ridge       = 3 // of features scaled to a mean square of 1
)

// fit is logistic regression by Newton's method.
func (s *lessons) fit() []float64 {
	size := len(s.x[0])
	scale := make([]float64, size)
	for _, x := range s.x {
		for i, v := range x {
			scale[i] += float64(v) * float64(v) / float64(len(s.x))
		}
	}
	weights := make([]float64, size)
	for range newtonSteps {
		hessian := make([][]float64, size)
		for i := range hessian {
			hessian[i] = make([]float64, size+1)
		}
		for k, x := range s.x {
			p := chanceOf(weights, x)
			d, h := (s.y[k]-p)*s.w[k], max(p*(1-p)*s.w[k], 1e-12)
			for i, v := range x {
				if v == 0 {
					continue
				}
				row := hessian[i]
				row[size] += d * float64(v)
				for j := 0; j <= i; j++ {
					row[j] += h * float64(v) * float64(x[j])
				}
			}
		}
		for i, row := range hessian {
			penalty := ridge*scale[i] + 1e-6
			if i == 0 {
				penalty = 1e-6
			}
			row[size] -= penalty * weights[i]
			row[i] += penalty
			for j := range i {
				hessian[j][i] = row[j]
			}
		}
		largest := 0.0
		for i, step := range solve(hessian) {
			step = min(max(step, -2), 2)
			weights[i] += step
			largest = max(largest, math.Abs(step))
		}
		if largest < 1e-3 {
			break
		}
	}
	return weights
}

func chanceOf(weights []float64, x []float32) float64 {
	z := 0.0
	for i, w := range weights {
		z += w * float64(x[i])
	}
	return 1 / (1 + math.Exp(-z))
}

// solve solves linear equations, whose right sides are in the last column.
func solve(a [][]float64) []float64 {
	n := len(a)
	for c := range n {
		best := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		for r := c + 1; r < n; r++ {
			if f := a[r][c] / a[c][c]; f != 0 {
				for k := c; k <= n; k++ {
					a[r][k] -= f * a[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = a[i][n]
		for k := i + 1; k < n; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

// pairWorths are what pairs are tried to be worth, in names.
var pairWorths = []float64{0, 0.15, 0.3, 0.6, 1}

// validate prints what weights fitted on the other clones show, beside BM25.
func (b *bench) validate(out io.Writer, list []*lesson, clones int) {
	const parts = 5
	for bi, budget := range b.budgets {
		words, goals := 0, 0
		var simple hits
		for _, l := range list {
			words, goals = words+l.words, goals+l.goals
			simple.Words, simple.Pairs = simple.Words+l.bm25[bi].Words, simple.Pairs+l.bm25[bi].Pairs
		}
		fmt.Fprintf(out, "// %d tokens, %d places, %d identifiers, %d pairs: BM25 %.1f %% and %.1f %%\n", budget, len(list), words, goals,
			100*float64(simple.Words)/float64(words), 100*float64(simple.Pairs)/float64(goals))
	}
	found := map[[2]int]hits{} // by budget and worth
	words, goals := 0, 0
	for part := range min(parts, clones) {
		var train, test []*lesson
		for _, l := range list {
			if l.clone%parts == part {
				test = append(test, l)
			} else {
				train = append(train, l)
			}
		}
		if len(train) == 0 {
			train = test // one clone alone
		}
		names, pairs := fitLessons(train)
		for _, l := range test {
			words, goals = words+l.words, goals+l.goals
			for bi := range b.budgets {
				for wi, worth := range pairWorths {
					n, p := l.fill(names, pairs, worth, l.left[bi])
					h := found[[2]int{bi, wi}]
					found[[2]int{bi, wi}] = hits{h.Words + n, h.Pairs + p}
				}
			}
		}
	}
	for bi, budget := range b.budgets {
		for wi, worth := range pairWorths {
			h := found[[2]int{bi, wi}]
			fmt.Fprintf(out, "// %d tokens, pairs worth %g: %.1f %% and %.1f %%\n", budget, worth, 100*float64(h.Words)/float64(words), 100*float64(h.Pairs)/float64(goals))
		}
	}
}

// fill shows the chunks worth most for their tokens.
func (l *lesson) fill(names, pairs []float64, worth float64, budget int) (words, goals int) {
	left := make([]float64, 0, len(l.names.x)+len(l.pairs.x))
	for _, x := range l.names.x {
		left = append(left, chanceOf(names, x))
	}
	for _, x := range l.pairs.x {
		left = append(left, worth*chanceOf(pairs, x))
	}
	headed := map[index.FileID]bool{}
	density := func(c *taughtChunk) (float64, int) {
		cost, sum := c.tokens, 0.0
		if !headed[c.File] {
			cost += c.heading
		}
		for _, n := range c.Names {
			sum += left[n]
		}
		for _, p := range c.Pairs {
			sum += left[len(l.names.x)+int(p)]
		}
		return sum / float64(cost+3), cost
	}
	type entry struct {
		chunk   int
		density float64
	}
	queue := make([]entry, len(l.chunks))
	for i := range l.chunks {
		d, _ := density(&l.chunks[i])
		queue[i] = entry{i, d}
	}
	order := func(a, b entry) int { return cmp.Compare(b.density, a.density) }
	slices.SortStableFunc(queue, order)
	var shown score
	for len(queue) > 0 && budget > 12 {
		c := &l.chunks[queue[0].chunk]
		d, cost := density(c)
		if len(queue) > 1 && d < queue[1].density-1e-12 {
			at, _ := slices.BinarySearchFunc(queue[1:], entry{0, d}, order)
			number := queue[0].chunk
			copy(queue, queue[1:at+1])
			queue[at] = entry{number, d}
			continue
		}
		queue = queue[1:]
		if cost > budget {
			continue
		}
		budget -= cost
		headed[c.File] = true
		for _, n := range c.Names {
			left[n] *= 0.1
		}
		for _, p := range c.Pairs {
			left[len(l.names.x)+int(p)] *= 0.1
		}
		if shown.words == nil {
			shown = score{slices.Clone(c.shows.words), slices.Clone(c.shows.pairs)}
		} else {
			shown.words.merge(c.shows.words)
			shown.pairs.merge(c.shows.pairs)
		}
	}
	return shown.words.size(), shown.pairs.size()
}

func printWeights(out io.Writer, name, size string, weights []float64) {
	const perLine = 8
	fmt.Fprintf(out, "\nvar %s = [%s]float32{", name, size)
	for i, w := range weights {
		separator := " "
		if i%perLine == 0 {
			separator = "\n\t"
		}
		fmt.Fprintf(out, "%s%.4g,", separator, w)
	}
	fmt.Fprintln(out, "\n}")
}
