package index

import (
	"cmp"
	"slices"
)

// Nearest are the names of definitions within two edits of a name (a letter
// inserted, deleted or replaced, or two swapped), the nearest first and at most
// limit. The name itself is not among them.
func (ix *Index) Nearest(name string, limit int) []string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	seen := map[string]bool{name: true}
	most := min(2, (len(name)-1)/2)
	for _, seg := range ix.segments() {
		seg.named("", func(other string) bool {
			if len(other) < len(name)-most || len(other) > len(name)+most || seen[other] {
				return true
			}
			if d := distance(name, other, most); d <= most && len(ix.LookupIDs(other, nil)) > 0 {
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
		out = append(out, n.name)
	}
	return out
}

// maxDistanceName is the length of the longest names that distance compares.
const maxDistanceName = 128

// distance is the number of edits between two names, or most+1 if there are
// more than most.
func distance(a, b string, most int) int {
	if len(a) > maxDistanceName || len(b) > maxDistanceName || len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var rows [3][maxDistanceName + 1]int
	before, above, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], most+1)
}
