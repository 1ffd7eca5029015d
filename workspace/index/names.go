package index

import (
	"cmp"
	"iter"
	"runtime"
	"slices"
	"strings"

	"tandem/edits"
)

// Prefix are the names of definitions that begin with prefix, in order, at
// most limit.
func Prefix(ix *Index, prefix string, limit int) []string {
	defer runtime.KeepAlive(ix)
	var out []string
	for _, seg := range ix.state().segs {
		n := 0
		seg.named(prefix, func(name string) bool {
			if len(ix.LookupIDs(name)) > 0 {
				out = append(out, strings.Clone(name))
				n++
			}
			return n < limit
		})
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(limit, len(out))]
}

// maxNearName is the length of the longest names that Nearest compares.
const maxNearName = 128

// Nearest are the names of definitions within two edits of a name (a letter
// inserted, deleted or replaced, or two swapped), the nearest first and at most
// limit. The name itself is not among them.
func Nearest(ix *Index, name string, limit int) []string {
	defer runtime.KeepAlive(ix)
	type near struct {
		name     string
		distance int
	}
	if len(name) > maxNearName {
		return nil
	}
	var found []near
	seen := map[string]bool{name: true}
	most := min(2, (len(name)-1)/2)
	for _, seg := range ix.state().segs {
		seg.named("", func(other string) bool {
			if len(other) < len(name)-most || len(other) > len(name)+most || seen[other] {
				return true
			}
			if d := edits.Distance(name, other, most); d <= most && len(ix.LookupIDs(other)) > 0 {
				seen[other] = true
				found = append(found, near{other, d})
			}
			return true
		})
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, n := range found[:min(limit, len(found))] {
		out = append(out, strings.Clone(n.name))
	}
	return out
}

// Names yields every name that code uses or defines, each once. A name is valid until the index
// is garbage.
func Names(ix *Index) iter.Seq[string] {
	return func(yield func(string) bool) {
		defer runtime.KeepAlive(ix)
		for i, seg := range ix.state().segs {
			for id := range uint32(seg.numNames()) {
				name := seg.name(id)
				earlier := func(s *segment) bool { _, known := s.nameID(name); return known }
				if !slices.ContainsFunc(ix.state().segs[:i], earlier) && !yield(name) {
					return
				}
			}
		}
	}
}
