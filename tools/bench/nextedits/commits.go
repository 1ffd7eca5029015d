package main

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"tandem/edits"
	"tandem/tools/bench/clones"
	"tandem/tools/client"
	"tandem/workspace/language"
)

// Bounds of a replayed commit: larger ones are imports or renames of folders.
const (
	maxHunks     = 40
	maxFileBytes = 400 << 10
)

// lineAt is the line of a text at an offset.
func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return line
}

// newest are the hashes of the newest commits.
func newest(c *clones.Clone, most int) ([]string, error) {
	out, err := c.Git(context.Background(), "log", "--no-merges", "--format=%H", "-n", strconv.Itoa(most))
	return strings.Fields(string(out)), err
}

// changed are the source files that a commit changes, before and after it; lacks says that the
// repository lacks the content of some.
func changed(c *clones.Clone, commit string) (before, after map[string]string, lacks bool, err error) {
	paths, err := c.Modified(context.Background(), commit)
	if err != nil {
		return nil, nil, false, err
	}
	before, after, lacks, err = c.Versions(commit, slices.DeleteFunc(paths, func(path string) bool { return language.OfFile(path) == "" }))
	maps.DeleteFunc(before, func(path, text string) bool { return max(len(text), len(after[path])) > maxFileBytes })
	return before, after, lacks, err
}

// A step is one hunk of a commit, as an edit of the text that the earlier ones left.
type step struct {
	Path string
	Edit edits.Edit
}

// stepsOf are the hunks between the versions of files, by path, in the order of paths and
// lines. A file that is in one of them only takes no part.
func stepsOf(before, after map[string]string) []step {
	var paths []string
	for p := range before {
		if _, ok := after[p]; ok {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	var out []step
	for _, p := range paths {
		shift := 0
		for _, d := range udiff.Lines(before[p], after[p]) {
			out = append(out, step{p, edits.Edit{Span: edits.Span{Start: d.Start + shift, End: d.End + shift}, New: d.New}})
			shift += len(d.New) - (d.End - d.Start)
		}
	}
	return out
}

// typed is a step as it is typed into the text that the earlier ones left: what stays before and
// behind it, and what is written between. New lines are typed behind the line before them.
func (s step) typed(text string) (head, added, tail string, removes bool) {
	old, now := text[s.Edit.Start:s.Edit.End], s.Edit.New
	lead, trail := client.Common(old, now)
	head, added, tail = text[:s.Edit.Start+lead], now[lead:len(now)-trail], text[s.Edit.End-trail:]
	if removes = lead+trail < len(old); removes {
		return head, added, tail, true
	}
	for strings.Contains(added, "\n") && added[0] != '\n' && head != "" && head[len(head)-1] == added[len(added)-1] {
		head, added, tail = head[:len(head)-1], added[len(added)-1:]+added[:len(added)-1], added[len(added)-1:]+tail
	}
	return head, added, tail, false
}

// A verdict is what an offered edit is worth.
type verdict int

// The verdicts.
const (
	wrong  verdict = iota
	partly         // it leads nearer to what the commit makes
	right          // the lines that it makes are the commit's, at their place
)

// String is the verdict in a word.
func (v verdict) String() string { return [...]string{"wrong", "partly", "right"}[v] }

// judge compares an edit of a text with the text that the commit makes in the end, "" if it
// does not touch the file.
func judge(now, want string, e edits.Edit) verdict {
	if want == "" {
		return wrong
	}
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
		return right
	case closer(now, after, want):
		return partly
	}
	return wrong
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
