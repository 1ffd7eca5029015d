// Package hunks turns a commit into the edits of a user who makes it hunk by hunk, and
// judges an edit that was offered in between by what the commit makes.
//
// **Invariant**: what a step expects depends on the two versions of a file alone; whoever
// is judged never sees the later one. Reading commits and asking engines are deliberately
// not here.
package hunks

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"tandem/edits"
)

// A Step is one hunk of a commit, as an edit of the text that the earlier ones left.
type Step struct {
	Path string
	Edit edits.Edit
}

// Steps are the hunks between the versions of files, by path, in the order of paths and
// lines. A file that is in one of them only takes no part.
func Steps(before, after map[string]string) []Step {
	var paths []string
	for p := range before {
		if _, ok := after[p]; ok {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var out []Step
	for _, p := range paths {
		shift := 0
		for _, d := range udiff.Lines(before[p], after[p]) {
			out = append(out, Step{p, edits.Edit{Span: edits.Span{Start: d.Start + shift, End: d.End + shift}, New: d.New}})
			shift += len(d.New) - (d.End - d.Start)
		}
	}
	return out
}

// A Verdict is what an offered edit is worth.
type Verdict int

// The verdicts.
const (
	Wrong  Verdict = iota
	Partly         // it leads nearer to what the commit makes
	Right          // the lines that it makes are the commit's, at their place
)

// String is the verdict in a word.
func (v Verdict) String() string { return [...]string{"wrong", "partly", "right"}[v] }

// Judge compares an edit of a text with the text that the commit makes in the end.
func Judge(now, want string, e edits.Edit) Verdict {
	after := now[:e.Start] + e.New + now[e.End:]
	was, is := distance(now, want), distance(after, want)
	from := strings.LastIndexByte(after[:e.Start], '\n') + 1
	to := e.Start + len(e.New)
	if i := strings.IndexByte(after[to:], '\n'); i >= 0 {
		to += i
	} else {
		to = len(after)
	}
	lines := after[from:to]
	switch {
	case is < was && (strings.Contains("\n"+want+"\n", "\n"+lines+"\n") || strings.TrimSpace(lines) == ""):
		return Right
	case closer(now, after, want):
		return Partly
	}
	return Wrong
}

// distance is how many lines of two texts differ.
func distance(a, b string) (n int) {
	for _, d := range udiff.Lines(a, b) {
		n += max(strings.Count(a[d.Start:d.End], "\n"), strings.Count(d.New, "\n"))
	}
	return n
}

// closer reports whether an edit brings a text nearer to another, word by word.
func closer(now, after, want string) bool {
	words := func(s string) string { return strings.Join(strings.Fields(s), "\n") + "\n" }
	size := func(a string) (n int) {
		a = words(a)
		for _, d := range udiff.Lines(a, words(want)) {
			n += strings.Count(a[d.Start:d.End], "\n") + strings.Count(d.New, "\n")
		}
		return n
	}
	return size(after) < size(now)
}
