package names

import (
	"iter"
	"math"
	"strings"

	"tandem/edits"
)

// nearest is the candidate that the author of name most likely meant, "" when
// none is similar. Names that differ only in case beat names with a few wrong
// letters, which beat names with a common beginning or end.
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
	a, b := fold(name), fold(from)
	longer := max(len(a), len(b))
	return a == b || 4*edits.Distance(a, b, longer) <= longer
}

// similarity is how similar two folded names are, from 0 to 1, or less than that where it is
// less than least: most candidates are not, and that is soon seen.
func similarity(a, b string, least float64) (score float64) {
	if a == b {
		return 1
	}
	longer := max(len(a), len(b))
	if short := min(len(a), len(b)); short*4 < longer || longer > 80 {
		return 0
	}
	if shared := max(edits.CommonPrefix(a, b), edits.CommonSuffix(a, b)); shared >= 3 {
		score = 0.45 + 0.5*float64(shared)/float64(longer)
	}
	most := int(math.Ceil((1 - max(score, least)) * float64(longer)))
	return max(score, 1-float64(edits.Distance(a, b, most))/float64(longer))
}

// fold is a name without case and underscores.
func fold(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", ""))
}
