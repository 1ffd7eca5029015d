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
type rareWords struct {
	list []string
	at   map[string]int // in list
}

func rareWordsNear(p *place, words string, ix *index.Index) *rareWords {
	df := map[string]int{}
	add := func(w string) {
		if _, ok := df[w]; !ok && !plainWords[strings.ToLower(w)] {
			df[w] = ix.DocFreq(w)
		}
	}
	eachWordIn(words, add)
	text, _ := p.near(nearBytes)
	eachWordIn(text, add)
	r := &rareWords{slices.Sorted(maps.Keys(df)), map[string]int{}}
	slices.SortStableFunc(r.list, func(x, y string) int { return sharedWorth(df[x]) - sharedWorth(df[y]) })
	for i, w := range r.list {
		r.at[w] = i
	}
	return r
}

// sharedBy is the reason of similar code: the words that it shares with the place.
func (r *rareWords) sharedBy(text string) string {
	var found []int
	eachWordIn(text, func(w string) {
		at, ok := r.at[w]
		if !ok || len(found) == mostSharedNamed && at >= found[len(found)-1] {
			return
		}
		if i, known := slices.BinarySearch(found, at); !known {
			found = slices.Insert(found, i, at)
			found = found[:min(len(found), mostSharedNamed)]
		}
	})
	if len(found) == 0 {
		return unshared
	}
	var out []string
	for _, at := range found {
		out = append(out, r.list[at])
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
