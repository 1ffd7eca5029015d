package main

import (
	"slices"
	"strings"
)

// shownWhole reports whether a prompt shows lines of a file one after the
// other, with whatever number before each; empty lines do not matter.
func shownWhole(prompt string, lines []string) bool {
	wanted, shown := filled(lines), filled(strings.Split(prompt, "\n"))
	for at := range shown {
		if common(wanted, shown[at:]) == len(wanted) {
			return true
		}
	}
	return len(wanted) == 0
}

// longestShown is how many of the lines, from any of them on, a prompt shows
// in one row.
func longestShown(prompt string, lines []string) int {
	wanted, shown := filled(lines), filled(strings.Split(prompt, "\n"))
	starts := map[string][]int{}
	for i, line := range shown {
		starts[line] = append(starts[line], i)
		if bare := unnumbered(line); bare != line {
			starts[bare] = append(starts[bare], i)
		}
	}
	longest := 0
	for i := 0; i < len(wanted) && longest < len(wanted)-i; i++ {
		for _, at := range starts[wanted[i]] {
			longest = max(longest, common(wanted[i:], shown[at:]))
		}
	}
	return longest
}

func common(wanted, shown []string) int {
	n := 0
	for n < len(wanted) && n < len(shown) && (wanted[n] == shown[n] || wanted[n] == unnumbered(shown[n])) {
		n++
	}
	return n
}

// filled are the lines that are not empty, trimmed.
func filled(lines []string) []string {
	var out []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// shortestBody is how many lines a definition has that is more than its
// signature.
const shortestBody = 3

// shownBody reports whether a prompt shows the body of some definition of a
// file: one inside the file's fragments whose lines all stand in the text.
func shownBody(w *window, f *file) bool {
	for _, d := range f.definitions() {
		if d.last-d.first >= shortestBody && w.covers(f.path, d) && shownWhole(w.Text, f.lines[d.first:d.last]) {
			return true
		}
	}
	return false
}

// covers reports whether one of a window's fragments of code holds a
// definition's first line.
func (w *window) covers(name string, d definition) bool {
	for _, f := range w.Fragments {
		if f.Path == name && f.Kind != "import" && f.Kind != "map" && f.StartLine <= d.first+1 && d.first+1 <= f.EndLine {
			return true
		}
	}
	return false
}

// heldBody is shownBody for pieces, which are code as it stands.
func heldBody(pieces []piece, f *file) bool {
	held := make([]bool, len(f.lines))
	for _, p := range pieces {
		if p.file.path == f.path {
			for i := p.first; i < p.last; i++ {
				held[i] = true
			}
		}
	}
	for _, d := range f.definitions() {
		if d.last-d.first >= shortestBody && !slices.Contains(held[d.first:d.last], false) {
			return true
		}
	}
	return false
}
