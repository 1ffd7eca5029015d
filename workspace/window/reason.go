package window

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// sharing is the reason of similar code: the words that it shares with the place.
func (p *picker) sharing(text string) string {
	if p.shared == nil {
		p.rare = p.rareWords()
		p.shared = make(map[string]int, len(p.rare))
		for i, w := range p.rare {
			p.shared[w] = i
		}
	}
	var found []int
	eachWordIn(text, func(w string) {
		at, ok := p.shared[w]
		if !ok || len(found) == mostSharedNamed && at >= found[len(found)-1] {
			return
		}
		i, known := slices.BinarySearch(found, at)
		if known {
			return
		}
		found = slices.Insert(found, i, at)
		found = found[:min(len(found), mostSharedNamed)]
	})
	if len(found) == 0 {
		return unshared
	}
	var out []string
	for _, at := range found {
		out = append(out, p.rare[at])
	}
	return "similar code: shares " + strings.Join(out, ", ")
}

// mostSharedNamed is how many shared words a reason names.
const mostSharedNamed = 3

// unshared is the reason of similar code that shares no rare word with the place.
const unshared = "similar code"

// rareWords are the words of the user and of the lines near the place, the
// rarest in the workspace first.
func (b *picker) rareWords() []string {
	df := map[string]int{}
	add := func(text string) {
		eachWordIn(text, func(w string) {
			if _, ok := df[w]; !ok && !plainWords[strings.ToLower(w)] {
				df[w] = b.ix.DocFreq(w)
			}
		})
	}
	add(b.req.Words)
	text, at := b.query()
	add(text[max(0, at-rareReach):min(len(text), at+rareReach)])
	words := slices.Sorted(maps.Keys(df))
	slices.SortStableFunc(words, func(x, y string) int { return sharedWorth(df[x]) - sharedWorth(df[y]) })
	return words
}

const rareReach = 3000 // bytes on either side of the place

// sharedWorth orders words by how few files use them; those that no code uses
// come last.
func sharedWorth(files int) int {
	if files == 0 {
		return math.MaxInt32
	}
	return files
}
