package main

import "tandem/tools/bench/clones"

// A candidate is lines that the oracle may show, with the targets they show.
type candidate struct {
	clones.Piece
	shows set
	cost  float64 // about its tokens; exact counting waits until it is chosen
}

const (
	bytesAToken   = 3.5
	largestBlock  = 120  // lines of a definition that the oracle considers
	mostBlocksFor = 4000 // lines with a target whose definitions are considered
)

// oracle shows the chunks and definitions that add most targets a token: it
// knows the answer, so it says what could be reached.
func oracle(g *goals, budget int) string {
	list := candidates(g)
	covered := newSet(len(g.names))
	text := ""
	for {
		best := bestCandidate(list, covered)
		if best == nil {
			return text
		}
		more, shown := clones.Fill([]clones.Piece{best.Piece}, budget)
		if len(shown) == 0 || shown[0].Last < best.Last {
			best.shows = newSet(len(g.names)) // too large for what is left
			continue
		}
		text += more
		budget -= clones.Count(more)
		covered.merge(best.shows)
	}
}

// bestCandidate is nil where nothing adds to what is covered.
func bestCandidate(list []candidate, covered set) *candidate {
	var best *candidate
	most := 0.0
	for i := range list {
		if n := list[i].shows.gain(covered); n > 0 {
			if worth := float64(n) / list[i].cost; worth > most {
				best, most = &list[i], worth
			}
		}
	}
	return best
}

// candidates are the chunks with a target and the definitions around targets.
func candidates(g *goals) []candidate {
	var out []candidate
	blocks := 0
	for _, f := range g.tree.Files {
		if f.Path == g.place.Path || !f.Source() {
			continue
		}
		marked := g.markedLines(f)
		if len(marked) == 0 {
			continue
		}
		for _, c := range f.Chunks {
			out = appendCandidate(out, g, marked, clones.Piece{File: f, First: c.First, Last: c.Last})
		}
		if blocks += len(marked); blocks > mostBlocksFor {
			continue
		}
		for _, d := range f.Definitions() {
			if d.Last-d.First <= largestBlock {
				out = appendCandidate(out, g, marked, clones.Piece{File: f, First: d.First, Last: d.Last})
			}
		}
	}
	return out
}

// markedLines are the lines of a file that show targets.
func (g *goals) markedLines(f *clones.File) map[int]set {
	var out map[int]set
	for i, line := range f.Code {
		for at, w := range line {
			number, ok := g.words[w]
			if !ok {
				continue
			}
			g.eachTrio(line, at, func(trio) {
				if out == nil {
					out = map[int]set{}
				}
				if out[i] == nil {
					out[i] = newSet(len(g.names))
				}
				out[i].add(number)
			})
		}
	}
	return out
}

func appendCandidate(list []candidate, g *goals, marked map[int]set, p clones.Piece) []candidate {
	c := candidate{Piece: p}
	for line := p.First; line < p.Last; line++ {
		if s := marked[line]; s != nil {
			if c.shows == nil {
				c.shows = newSet(len(g.names))
			}
			c.shows.merge(s)
		}
		c.cost += float64(len(p.File.Lines[line])+1) / bytesAToken
	}
	if c.shows == nil {
		return list
	}
	c.cost += float64(len(p.File.Path)) / bytesAToken
	return append(list, c)
}
