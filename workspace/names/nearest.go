package names

import (
	"iter"
	"math"
	"strings"

	"tandem/edits"
)

// nearest is the candidate that the author of name most likely meant, "" when
// none is near. Names that differ only in case beat names with a few wrong
// letters, which beat names that begin or end with one another.
func nearest(name string, candidates iter.Seq[string]) string {
	return nearestBy(name, candidates, 0.5)
}

// nearestBy is nearest with what a candidate has to have in common with the name at least: of
// import paths, which have much in common anyway, it is more.
func nearestBy(name string, candidates iter.Seq[string], least float64) string {
	best, held, folded := "", least, fold(name)
	for c := range candidates {
		if c == name || c == "" || c == "_" {
			continue
		}
		score := similarity(folded, fold(c), held)
		first := best == "" || c < best // among equals
		if score > held || score == held && first {
			best, held = c, score
		}
	}
	return best
}

// misspelt reports whether a name differs from another by few of its letters, or in case alone.
func misspelt(name, from string) bool {
	return similarity(fold(name), fold(from), misspeltLeast) >= misspeltLeast
}

// misspeltLeast is how similar a misspelt name is at least: a quarter of its letters is wrong.
const misspeltLeast = 0.75

// leastPart is the length of the shortest name that is part of another one on purpose.
const leastPart = 4

// similarity is how similar two folded names are, from 0 to 1: less than misspeltLeast where one is
// only the beginning or end of the other, at least half of it; 0, or less than least, where they are
// not near: most candidates are not, and that is soon seen.
func similarity(a, b string, least float64) (score float64) {
	if a == b {
		return 1
	}
	short, long := a, b
	if len(a) > len(b) {
		short, long = b, a
	}
	if len(long) > 80 || 2*len(short) < len(long) {
		return 0
	}
	if len(short) >= leastPart && (strings.HasPrefix(long, short) || strings.HasSuffix(long, short)) {
		score = 0.25 + 0.5*float64(len(short))/float64(len(long))
	}
	most := min(len(long)/4, int(math.Ceil((1-max(score, least))*float64(len(long)))))
	if d := edits.Distance(a, b, most); d <= most {
		score = 1 - float64(d)/float64(len(long))
	}
	if swapped(a, b) {
		score = max(score, swappedScore)
	}
	return score
}

// swappedScore is how similar two names are that differ by two neighbours that were typed in the
// other order, however short they are: near, and not certainly misspelt.
const swappedScore = 0.7

// swapped reports whether two names of at least three letters differ by that alone.
func swapped(a, b string) bool {
	if len(a) != len(b) || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// fold is a name without case and underscores.
func fold(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", ""))
}
