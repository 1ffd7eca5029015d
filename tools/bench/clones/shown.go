package clones

import "strings"

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

// unnumbered takes a line number, or the mark of a changed line, from a line.
func unnumbered(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	if rest == line {
		rest = strings.TrimLeft(line, "+-")
	} else {
		rest = strings.TrimLeft(rest, " ")
		rest = rest[min(len(rest), len(rest)-len(strings.TrimLeft(rest, ":|\t")), 1):]
	}
	return strings.TrimSpace(rest)
}
