package main

import "strings"

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

// shownBody reports whether a prompt shows some code of a file and not only
// signatures: three lines in a row inside a fragment of it.
func shownBody(w *window, name string, lines []string) bool {
	const enough = 3
	for _, f := range w.Fragments {
		if f.Path != name || f.Kind == "cursor" || f.Kind == "import" || f.Kind == "map" {
			continue
		}
		first, last := max(f.StartLine-1, 0), min(f.EndLine, len(lines))
		if last-first >= enough && longestShown(w.Text, lines[first:last]) >= enough {
			return true
		}
	}
	return false
}
