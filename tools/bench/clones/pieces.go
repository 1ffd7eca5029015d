package clones

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// A piece is some lines of a file that a policy would show, and how much it
// wants to.
type Piece struct {
	File        *File
	First, Last int
	Score       float64
}

// Fill shows pieces in order until the budget is used up: a heading a piece,
// the last one cut after a line.
func Fill(pieces []Piece, budget int) (text string, shown []Piece) {
	var out strings.Builder
	for _, p := range pieces {
		last := p.Last
		body := p.File.Path + "\n" + p.File.Text(p.First, last)
		cost := Count(body)
		for cost > budget && last > p.First+1 {
			last = max(p.First+1, p.First+min(last-p.First-1, (last-p.First)*budget/cost))
			body = p.File.Path + "\n" + p.File.Text(p.First, last)
			cost = Count(body)
		}
		if cost > budget {
			break
		}
		out.WriteString(body)
		shown = append(shown, Piece{p.File, p.First, last, p.Score})
		if budget -= cost; last < p.Last {
			break
		}
	}
	return out.String(), shown
}

// The usual constants of BM25.
const bm25K, bm25B = 1.2, 0.75

// BM25 ranks the tree's chunks by a query; without is a file left out.
func BM25(t *Tree, query, without string) []Piece {
	asked := map[string]float64{} // in how many chunks a word is, then its weight
	EachWord(query, func(w string) { asked[w] = 0 })
	total, size := 0, 0
	eachChunk(t, without, func(_ *File, c *chunk) {
		total, size = total+1, size+c.size
		for w := range asked {
			if c.words[w] > 0 {
				asked[w]++
			}
		}
	})
	for w, df := range asked {
		asked[w] = math.Log(1 + (float64(total)-df+0.5)/(df+0.5))
	}
	mean := float64(size) / float64(max(1, total))
	var out []Piece
	eachChunk(t, without, func(f *File, c *chunk) {
		if s := bm25Score(asked, c, mean); s > 0 {
			out = append(out, Piece{f, c.First, c.Last, s})
		}
	})
	SortPieces(out)
	return out
}

// bm25Score adds up the weights of the asked words that a chunk has.
func bm25Score(weights map[string]float64, c *chunk, mean float64) float64 {
	score := 0.0
	norm := bm25K * (1 - bm25B + bm25B*float64(c.size)/mean)
	for _, w := range slices.Sorted(maps.Keys(weights)) { // in one order, so that sums are the same
		tf := float64(c.words[w])
		score += weights[w] * tf * (bm25K + 1) / (tf + norm)
	}
	return score
}

func eachChunk(t *Tree, without string, do func(*File, *chunk)) {
	for _, f := range t.Files {
		if f.Path != without {
			for _, c := range f.Chunks {
				do(f, c)
			}
		}
	}
}

func SortPieces(pieces []Piece) {
	slices.SortStableFunc(pieces, func(a, b Piece) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File.Path, b.File.Path), a.First-b.First)
	})
}
