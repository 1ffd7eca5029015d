package main

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tandem/edits"
	"tandem/tools/bench/clones"
	"tandem/tools/bench/hunks"
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

// judge judges an offer by the text after the commit, "" if it does not touch the file.
func judge(now, want string, e edits.Edit) hunks.Verdict {
	if want == "" {
		return hunks.Wrong
	}
	return hunks.Judge(now, want, e)
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
