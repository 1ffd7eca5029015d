package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// A piece is some lines of a file that a policy would show, and how much it
// wants to.
type piece struct {
	file        *file
	first, last int
	score       float64
}

// fill shows pieces in order until the budget is used up: a heading a piece,
// the last one cut after a line.
func fill(pieces []piece, budget int) (text string, shown []piece) {
	var out strings.Builder
	for _, p := range pieces {
		last := p.last
		body := p.file.path + "\n" + p.file.text(p.first, last)
		cost := count(body)
		for cost > budget && last > p.first+1 {
			last = max(p.first+1, p.first+min(last-p.first-1, (last-p.first)*budget/cost))
			body = p.file.path + "\n" + p.file.text(p.first, last)
			cost = count(body)
		}
		if cost > budget {
			break
		}
		out.WriteString(body)
		shown = append(shown, piece{p.file, p.first, last, p.score})
		if budget -= cost; last < p.last {
			break
		}
	}
	return out.String(), shown
}

// around is how many lines above and below a place make the query: 41 in all.
const around = 20

// query is the text round a place.
func (p *place) query() string {
	lines := strings.Split(p.text, "\n")
	return strings.Join(lines[max(0, p.line-1-around):min(len(lines), p.line+around)], "\n")
}

// The usual constants of BM25.
const bm25K, bm25B = 1.2, 0.75

// bm25 ranks the tree's chunks by a query; without is a file left out.
func bm25(t *tree, query, without string) []piece {
	asked := map[word]float64{} // then its weight
	eachWord(query, func(name string) {
		if w := t.words.numbers[name]; w != 0 {
			asked[w] = 0
		}
	})
	total, size := 0, 0
	eachChunk(t, without, func(_ *file, c *chunk) {
		total, size = total+1, size+c.size
		for _, term := range c.terms {
			if df, ok := asked[term.word]; ok {
				asked[term.word] = df + 1
			}
		}
	})
	for w, df := range asked {
		asked[w] = math.Log(1 + (float64(total)-df+0.5)/(df+0.5))
	}
	mean := float64(size) / float64(max(1, total))
	var out []piece
	eachChunk(t, without, func(f *file, c *chunk) {
		if s := bm25Score(asked, c, mean); s > 0 {
			out = append(out, piece{f, c.first, c.last, s})
		}
	})
	sortPieces(out)
	return out
}

// bm25Score adds up the weights of the asked words that a chunk has.
func bm25Score(weights map[word]float64, c *chunk, mean float64) float64 {
	score := 0.0
	norm := bm25K * (1 - bm25B + bm25B*float64(c.size)/mean)
	for _, term := range c.terms {
		if weight, ok := weights[term.word]; ok {
			tf := float64(term.count)
			score += weight * tf * (bm25K + 1) / (tf + norm)
		}
	}
	return score
}

func eachChunk(t *tree, without string, do func(*file, *chunk)) {
	for _, f := range t.files {
		if f.path != without {
			for _, c := range f.chunks {
				do(f, c)
			}
		}
	}
}

func sortPieces(pieces []piece) {
	slices.SortStableFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file.path, b.file.path), a.first-b.first)
	})
}

// openTabs ranks the chunks of open files by how alike their words and those
// round the place are.
func openTabs(t *tree, open []string, p *place) []piece {
	var out []piece
	query := map[word]bool{}
	eachWord(p.query(), func(name string) { query[t.words.numbers[name]] = true })
	for _, name := range open {
		f := t.byPath[name]
		if f == nil || name == p.path {
			continue
		}
		for _, c := range f.chunks {
			out = append(out, piece{f, c.first, c.last, jaccard(query, c)})
		}
	}
	sortPieces(out)
	return out
}

func jaccard(query map[word]bool, c *chunk) float64 {
	both := 0
	for _, term := range c.terms {
		if query[term.word] {
			both++
		}
	}
	return float64(both) / float64(max(1, len(query)+len(c.terms)-both))
}

// namesAlone lists the identifiers of the best pieces, in the order of the
// alphabet: what a prompt that lists names and shows no code is worth.
func namesAlone(t *tree, pieces []piece, p *place, budget int) string {
	const perLine = 12
	seen := map[string]bool{}
	eachWord(p.text, func(w string) { seen[w] = true })
	var names []string
	left := budget
	for _, piece := range pieces {
		eachWord(piece.file.text(piece.first, piece.last), func(w string) {
			if left > 0 && len(w) >= shortestTarget && !seen[w] && !p.lang.keywords[w] {
				seen[w] = true
				names = append(names, w)
				left -= count(w + ", ")
			}
		})
	}
	slices.Sort(names)
	var out strings.Builder
	for line := range slices.Chunk(names, perLine) {
		out.WriteString(strings.Join(line, ", ") + "\n")
	}
	return out.String()
}
