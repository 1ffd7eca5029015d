package edits

import (
	"slices"
	"strings"
)

// checkPlaceholders checks the rules that redaction needs: a placeholder
// represents the bytes at its own place, so each must be exactly where it was,
// between the same unchanged lines, and none may be new.
func checkPlaceholders(before, after map[string]string, find func(string) []Span) *Error {
	for path, text := range after {
		old, existed := before[path]
		if existed && old == text {
			continue
		}
		if reason := placeholderFault(old, text, find); reason != "" {
			if !existed {
				reason = "it puts a redaction placeholder into a new file"
			}
			return &Error{Code: CodeUnsafe, Path: path, Message: path + ": " + reason}
		}
	}
	for path, text := range before {
		if _, kept := after[path]; !kept && len(find(text)) > 0 {
			return &Error{Code: CodeUnsafe, Path: path, Message: path + ": it removes a file that holds a redacted secret"}
		}
	}
	return nil
}

// placeholderFault returns what is wrong with the placeholders of a changed
// text, or "".
func placeholderFault(old, text string, find func(string) []Span) string {
	was, is := find(old), find(text)
	if len(is) > len(was) {
		return "it adds a redaction placeholder, which stands for nothing there"
	}
	if len(is) < len(was) {
		return "it removes or alters a redaction placeholder, and with it the secret that it stands for"
	}
	if len(was) == 0 {
		return ""
	}
	partner := partners(lineTexts(old), lineTexts(text))
	for i := range was {
		if old[was[i].Start:was[i].End] != text[is[i].Start:is[i].End] {
			return "it alters or reorders redaction placeholders"
		}
		from, to := strings.Count(old[:was[i].Start], "\n"), strings.Count(text[:is[i].Start], "\n")
		if partner[from] != to && !sameGap(partner, from, to) {
			return "it moves a redaction placeholder to another line"
		}
	}
	return ""
}

func lineTexts(s string) []string { return strings.Split(s, "\n") }

// partners maps each old line to the new line that it is unchanged as, or -1.
func partners(old, new []string) []int {
	at := make([]int, len(old))
	i, j := 0, 0
	for _, l := range appendDiff(nil, old, new) {
		switch l.Op {
		case Keep:
			at[i] = j
			i, j = i+1, j+1
		case Remove:
			at[i] = -1
			i++
		default:
			j++
		}
	}
	return at
}

// sameGap reports whether the changed line from and the new line to lie
// between the same unchanged lines: then the line was edited, not moved.
func sameGap(partner []int, from, to int) bool {
	if partner[from] >= 0 {
		return false
	}
	above := slices.MaxFunc(append([]int{-1}, partner[:from]...), func(a, b int) int { return a - b })
	below := -1
	for _, p := range partner[from+1:] {
		if p >= 0 {
			below = p
			break
		}
	}
	return to > above && (below < 0 || to < below)
}
