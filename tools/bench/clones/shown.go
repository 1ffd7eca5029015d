package clones

import (
	"slices"
	"strings"
)

// ShownWhole reports whether a prompt shows lines of a file one after the
// other, with whatever number before each; empty lines do not matter.
func ShownWhole(prompt string, lines []string) bool {
	wanted, shown := filled(lines), filled(strings.Split(prompt, "\n"))
	for at := range shown {
		if common(wanted, shown[at:]) == len(wanted) {
			return true
		}
	}
	return len(wanted) == 0
}

func common(wanted, shown []string) int {
	n := 0
	for n < len(wanted) && n < len(shown) && (wanted[n] == shown[n] || wanted[n] == Unnumbered(shown[n])) {
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

// ShownBody reports whether a prompt shows the body of some definition of a
// file: one inside the file's fragments whose lines all stand in the text.
func ShownBody(w *Window, f *File) bool {
	for _, d := range f.Definitions() {
		if d.Last-d.First >= shortestBody && w.covers(f.Path, d) && ShownWhole(w.Text, f.Lines[d.First:d.Last]) {
			return true
		}
	}
	return false
}

// covers reports whether one of a window's fragments of code holds a
// definition's first line.
func (w *Window) covers(name string, d Definition) bool {
	for _, f := range w.Fragments {
		if f.Path == name && f.Kind != "import" && f.Kind != "map" && f.StartLine <= d.First+1 && d.First+1 <= f.EndLine {
			return true
		}
	}
	return false
}

// HeldBody is shownBody for pieces, which are code as it stands.
func HeldBody(pieces []Piece, f *File) bool {
	held := make([]bool, len(f.Lines))
	for _, p := range pieces {
		if p.File.Path == f.Path {
			for i := p.First; i < p.Last; i++ {
				held[i] = true
			}
		}
	}
	for _, d := range f.Definitions() {
		if d.Last-d.First >= shortestBody && !slices.Contains(held[d.First:d.Last], false) {
			return true
		}
	}
	return false
}

// Unnumbered takes a line number, or the mark of a changed line, from a line.
func Unnumbered(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	if rest == line {
		rest = strings.TrimLeft(line, "+-")
	} else {
		rest = strings.TrimLeft(rest, " ")
		rest = rest[min(len(rest), len(rest)-len(strings.TrimLeft(rest, ":|\t")), 1):]
	}
	return strings.TrimSpace(rest)
}
