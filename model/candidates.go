package model

import "strings"

// Distinct keeps the first of candidates that say the same but for white
// space at line ends and blank lines around, in the order given.
func Distinct[T any](candidates []T, text func(T) string) []T {
	seen := map[string]bool{}
	var out []T
	for _, c := range candidates {
		key := essence(text(c))
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, c)
	}
	return out
}

func essence(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
