package task

import (
	"maps"
	"slices"

	"tandem/workspace/state"
)

// Waits returns for each step of a checked plan the steps that have to end before it
// starts: those that it names, and earlier ones whose files meet its own. Files meet
// where one step writes what the other reads or writes; a step that does not say what it
// writes meets every other.
func Waits(steps []state.Step) [][]int {
	reach := reachable(steps)
	for i := range steps {
		for j := range i {
			if reach[j][i] || reach[i][j] || !meet(steps[i], steps[j]) {
				continue
			}
			precede(reach, j, i)
		}
	}
	out := make([][]int, len(steps))
	for i, before := range reach {
		out[i] = slices.Sorted(maps.Keys(before))
	}
	return out
}

// precede records that step first ends before step then starts, and whatever waits for it.
func precede(reach []map[int]bool, first, then int) {
	before := maps.Clone(reach[first])
	before[first] = true
	for i := range reach {
		if i == then || reach[i][then] {
			maps.Copy(reach[i], before)
		}
	}
}

func meet(a, b state.Step) bool {
	if len(a.Writes) == 0 || len(b.Writes) == 0 {
		return true
	}
	return len(common(a.Writes, b.Writes)) > 0 || len(common(a.Writes, b.Reads)) > 0 || len(common(a.Reads, b.Writes)) > 0
}
