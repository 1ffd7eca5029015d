package window

import (
	"maps"
	"math"
	"slices"
	"strings"

	"tandem/workspace/index"
)

// rareWords are the words of the user and of the lines near a place, the rarest in the
// workspace first.
type rareWords []string

func rareWordsNear(p *place, words string, ix *index.Index) rareWords {
	df := map[string]int{}
	add := func(w string) {
		if _, ok := df[w]; !ok && !plainWords[strings.ToLower(w)] {
			df[w] = ix.DocFreq(w)
		}
	}
	eachWordIn(words, add)
	text, _ := p.near(nearBytes)
	eachWordIn(text, add)
	out := slices.Sorted(maps.Keys(df))
	slices.SortStableFunc(out, func(x, y string) int { return sharedWorth(df[x]) - sharedWorth(df[y]) })
	return out
}

// sharedBy is the reason of similar code: the words that it shares with the place.
func (r rareWords) sharedBy(text string) string {
	in := map[string]bool{}
	eachWordIn(text, func(w string) { in[w] = true })
	var out []string
	for _, w := range r {
		if in[w] && len(out) < mostSharedNamed {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return unshared
	}
	return "similar code: shares " + strings.Join(out, ", ")
}

// mostSharedNamed is how many shared words a reason names.
const mostSharedNamed = 3

// unshared is the reason of similar code that shares no rare word with the place.
const unshared = "similar code"

// sharedWorth orders words by how few files use them; those that no code uses
// come last.
func sharedWorth(files int) int {
	if files == 0 {
		return math.MaxInt32
	}
	return files
}
