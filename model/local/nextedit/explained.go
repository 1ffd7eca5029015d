package nextedit

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/language"
)

// Explained reports whether the lines that an edit of a text takes away are lines that the
// user has removed or replaced elsewhere.
func Explained(src string, e edits.Edit, recent []workspace.RecentEdit) bool {
	var removed []string
	for _, r := range recent {
		removed = append(removed, linesBut(r.Old, r.New)...)
	}
	return !slices.ContainsFunc(vanishing(src, e), func(line string) bool { return !slices.Contains(removed, line) })
}

// vanishing are the lines that an edit of a text takes away, if it does not write as many.
func vanishing(src string, e edits.Edit) []string {
	from, to := lineSpan(src, e.Start, e.End)
	from, to = min(from, e.Start), max(to, e.End)
	old, now := src[from:to], src[from:e.Start]+e.New+src[e.End:to]
	gone := linesBut(old, now)
	if len(gone) <= len(linesBut(now, old)) {
		return nil
	}
	return gone
}

// linesBut are the lines of a text that another one has not, without blanks around them.
func linesBut(text, other string) (out []string) {
	has := map[string]bool{"": true}
	for line := range strings.Lines(other) {
		has[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !has[line] {
			out = append(out, line)
		}
	}
	return out
}

// related reports whether a place of a file without code is about the same key as one of the
// changes that it follows from.
func (f *follower) related(n NextEdit, made []example) bool {
	if !dataLanguages[language.OfFile(n.Path)] {
		return true
	}
	line := keyOf(lineAround(currentText(f.corpus, n.Path), []flat{{start: n.Edit.Start}}, 0))
	return slices.ContainsFunc(made, func(x example) bool { return keyOf(x.oldLine()) == line })
}

// keyOf is what a line of data is about: its first word.
func keyOf(line string) string {
	line = strings.TrimLeft(line, "- \t\"'{[<")
	if i := strings.IndexAny(line, ":= \t\"'>"); i >= 0 {
		line = line[:i]
	}
	return line
}
