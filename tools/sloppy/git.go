package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"tandem/tools/bench/clones"
	"tandem/workspace/role"
)

// bounds of what is taken from a repository
const (
	maxFileSize = 200 << 10
	perCommit   = 2
)

// readChanges takes changed files from commits of a repository, chosen by seed. A commit of
// which a part is missing, as in a partial clone, is left out.
func readChanges(c *clones.Clone, want int, seed uint64) ([]change, error) {
	list, err := c.Git(context.Background(), "rev-list", "--no-merges", "--min-parents=1", "--all")
	if err != nil {
		return nil, err
	}
	commits := strings.Fields(string(list))
	random := rand.New(rand.NewPCG(seed, uint64(len(commits))))
	random.Shuffle(len(commits), func(i, j int) { commits[i], commits[j] = commits[j], commits[i] })
	var out []change
	var missing error
	for _, commit := range commits {
		if len(out) >= want {
			break
		}
		found, err := changesOf(c, commit)
		if err != nil {
			missing = err
			continue
		}
		out = append(out, found[:min(len(found), perCommit, want-len(out))]...)
	}
	if len(out) == 0 {
		return nil, missing
	}
	return out, nil
}

// changesOf reads what one commit did to text files that it changed or made.
func changesOf(from *clones.Clone, commit string) ([]change, error) {
	diff, err := from.Git(context.Background(), "show", "--format=", "-p", "-U3", "--no-renames", "--no-textconv",
		"--no-ext-diff", "--no-color", "--diff-filter=AM", commit)
	if err != nil {
		return nil, err
	}
	var out []change
	for _, file := range strings.Split("\n"+string(diff), "\ndiff --git ")[1:] {
		c, err := changeOf(from, commit, file)
		if err == nil { // what is no plain text change is left out
			out = append(out, c)
		}
	}
	return out, nil
}

func changeOf(from *clones.Clone, commit, file string) (change, error) {
	head, body, found := strings.Cut(file, "\n@@ ")
	if !found || !utf8.ValidString(file) || strings.Contains(file, "\r") || len(body) > maxFileSize {
		return change{}, fmt.Errorf("no text")
	}
	_, path, found := strings.Cut(head, "\n+++ b/")
	if !found || strings.ContainsAny(path, "\t\n\"") || !role.Of(path).Ordinary() {
		return change{}, fmt.Errorf("no plain path")
	}
	hunks, err := readHunks("@@ " + strings.TrimSuffix(body, "\n") + "\n")
	if err != nil {
		return change{}, err
	}
	name := from.Name + "@" + commit[:10]
	if strings.Contains(head, "\n--- /dev/null") {
		c, err := newChange(name, path, "", hunks)
		c.created = true
		return c, err
	}
	before, ok, err := from.Read(commit + "^:" + path)
	if err != nil {
		return change{}, err
	}
	if !ok || len(before) > maxFileSize || !utf8.ValidString(before) || strings.Contains(before, "\r") {
		return change{}, fmt.Errorf("no plain text")
	}
	return newChange(name, path, before, hunks)
}
