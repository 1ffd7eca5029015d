package names

import (
	"iter"
	"maps"
	"strings"

	"tandem/edits"
)

func mapsKeys[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// nearest is the candidate that the author of name most likely meant, "" when
// none is similar. Names that differ only in case beat names with a few wrong
// letters, which beat names with a common beginning or end.
func nearest(name string, candidates iter.Seq[string]) string {
	return nearestBy(name, candidates, 0.5)
}

// nearestPath is nearest for import paths, which have much in common anyway.
func nearestPath(name string, candidates iter.Seq[string]) string {
	return nearestBy(name, candidates, 0.75)
}

func nearestBy(name string, candidates iter.Seq[string], least float64) string {
	best, held := "", 0.0
	for c := range candidates {
		if c == name || c == "" || c == "_" {
			continue
		}
		score := similarity(name, c)
		if score > held || score == held && best != "" && c < best {
			best, held = c, score
		}
	}
	if held < least {
		return ""
	}
	return best
}

// misspelt reports whether a name differs from another by few of its letters, or in case alone.
func misspelt(name, from string) bool {
	a, b := fold(name), fold(from)
	longer := max(len(a), len(b))
	return a == b || 4*edits.Distance(a, b, longer) <= longer
}

// similarity is how similar two names are, from 0 to 1.
func similarity(a, b string) float64 {
	la, lb := fold(a), fold(b)
	if la == lb {
		return 1
	}
	longer := max(len(la), len(lb))
	if short := min(len(la), len(lb)); short*4 < longer || longer > 80 {
		return 0
	}
	near := 1 - float64(edits.Distance(la, lb, longer))/float64(longer)
	shared := edits.CommonPrefix(la, lb)
	if s := edits.CommonSuffix(la, lb); s > shared {
		shared = s
	}
	if shared >= 3 {
		near = max(near, 0.45+0.5*float64(shared)/float64(longer))
	}
	return near
}

// fold is a name without case and underscores.
func fold(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", ""))
}
