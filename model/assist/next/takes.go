package next

import (
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
)

// How similar two lines must be for one to have become the other, and for one to be what a
// user has removed, with other names.
const (
	becomes   = 0.5
	sameAsOne = 0.6
)

// fewWords is how long a line is at least whose copy is no chance.
const fewWords = 12

// takes reports whether an edit of a text takes a line away, or writes a line of the text once
// more, and the user has not done the same elsewhere.
func takes(text string, e edits.Edit, recent []workspace.RecentEdit) bool {
	from := strings.LastIndexByte(text[:e.Start], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[e.End:], '\n'); i >= 0 {
		to = e.End + i
	}
	was, is := text[from:to], text[from:e.Start]+e.New+text[e.End:to]
	var removed, written []string
	for _, r := range recent {
		gone, _ := moved(r.Old, r.New)
		removed = append(removed, gone...)
		written = append(written, linesOf(r.New)...)
	}
	gone, added := moved(was, is)
	if slices.ContainsFunc(gone, func(line string) bool { return !slices.ContainsFunc(removed, like(line, sameAsOne)) }) {
		return true
	}
	others := linesOf(text[:from] + text[to:])
	return slices.ContainsFunc(added, func(line string) bool {
		return !slices.ContainsFunc(written, like(line, sameAsOne)) && slices.ContainsFunc(others, func(other string) bool {
			return len(other) >= fewWords && strings.Contains(line, other) && !strings.Contains(was, other)
		})
	})
}

// moved are the lines that a text no longer has, and all that it has now and had not: lines that
// have become others are not gone.
func moved(was, is string) (gone, added []string) {
	old, now := linesOf(was), linesOf(is)
	gone = slices.DeleteFunc(slices.Clone(old), func(line string) bool { return slices.Contains(now, line) })
	added = slices.DeleteFunc(slices.Clone(now), func(line string) bool { return slices.Contains(old, line) })
	if len(gone) == 1 && len(added) == 1 {
		return nil, added // one line is another now
	}
	left := slices.Clone(added)
	gone = slices.DeleteFunc(gone, func(line string) bool {
		i := slices.IndexFunc(left, like(line, becomes))
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		return i >= 0
	})
	return gone, added
}

func like(line string, least float64) func(string) bool {
	return func(other string) bool {
		longer := max(len(line), len(other))
		return line == other || float64(edits.Distance(line, other, longer)) <= (1-least)*float64(longer)
	}
}

// linesOf are the lines of a text that are not blank, without white space around them.
func linesOf(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
