package main

import (
	"slices"
	"strings"

	"tandem/tools/bench/clones"
)

// namesAlone lists the identifiers of the best pieces, in the order of the
// alphabet: what a prompt that lists names and shows no code is worth.
func namesAlone(t *clones.Tree, pieces []clones.Piece, p *clones.Place, budget int) string {
	const perLine = 12
	seen := map[string]bool{}
	clones.EachWord(p.Text, func(w string) { seen[w] = true })
	var names []string
	left := budget
	for _, piece := range pieces {
		clones.EachWord(piece.File.Text(piece.First, piece.Last), func(w string) {
			if left > 0 && len(w) >= clones.ShortestTarget && !seen[w] && !p.Lang.Keywords[w] {
				seen[w] = true
				names = append(names, w)
				left -= clones.Count(w + ", ")
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
