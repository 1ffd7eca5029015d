package similar

import (
	"math/bits"
	"path"
	"strings"

	"tandem/workspace/index"
	"tandem/workspace/terms"
)

// What a stem counts more in the names that a file defines, and in its own.
const (
	inDefined = 2
	inStem    = 4
	inFolder  = 1
	filesB    = 0.5 // bm25B of files: long ones do say more
)

// Files returns the files of code that words may mean, the best first, at most so many. It ranks
// them by the stems of the words in their paths, in what they define and in what they use, and
// sets the weights of the words.
func Files(ix *index.Index, words *terms.Query, most int) []Hit {
	counts := map[index.FileID][]float32{} // how often each has each term
	add := func(id index.FileID, match uint64, n float32) {
		if counts[id] == nil && match != 0 {
			counts[id] = make([]float32, words.Len())
		}
		for ; match != 0; match &= match - 1 {
			counts[id][bits.TrailingZeros64(match)] += n
		}
	}
	for name := range index.Names(ix) {
		match := words.Match(name)
		if match == 0 {
			continue
		}
		for _, use := range ix.Uses(name) {
			add(use.File, match, 1)
		}
		for _, id := range ix.LookupIDs(name) {
			if !ix.Brief(id).Local {
				add(id.File(), match, inDefined)
			}
		}
	}
	code, size := 0, 0
	found := make([]int, words.Len()) // how many files have each term
	for _, id := range ix.Files() {
		f, _ := ix.File(id)
		if !isCode(f.Language) {
			delete(counts, id)
			continue
		}
		code, size = code+1, size+f.Size
		base := path.Base(f.Path)
		add(id, words.Match(strings.TrimSuffix(base, path.Ext(base))), inStem)
		add(id, words.Match(path.Dir(f.Path)), inFolder)
		for t, n := range counts[id] {
			found[t] += min(1, int(n))
		}
	}
	for t, n := range found {
		words.Weights[t] = rarity(code, n)
	}
	var out []Hit
	for id, has := range counts {
		f, _ := ix.File(id)
		hit, norm := Hit{File: id}, bm25K*(1-filesB+filesB*float32(f.Size)/(float32(size)/float32(code)))
		for t, n := range has {
			hit.Score += words.Weights[t] * n * (bm25K + 1) / (n + norm)
		}
		out = append(out, hit)
	}
	return best(ix, out, most)
}
