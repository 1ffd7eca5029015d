package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"tandem/tools/bench/clones"
)

// pinned lists the clones that the forest is fitted to and those that are only measured, each
// at its commit.
//
//go:embed trees.txt
var pinned string

// checkPinned returns an error unless the clones are all those of a list that are marked forest,
// and no others.
func checkPinned(list string, repositories []*clones.Clone) error {
	want := map[string]string{} // names by commit
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) == 4 && f[3] == "forest" {
			want[f[2]] = f[0]
		}
	}
	for _, c := range repositories {
		out, err := c.Git(context.Background(), "rev-parse", "HEAD")
		if err != nil {
			return err
		}
		commit := strings.TrimSpace(string(out))
		if want[commit] == "" {
			return fmt.Errorf("%s (%s) is none of the clones that the forest is fitted to: see tools/bench/nextedits/trees.txt", c.Dir, commit)
		}
		delete(want, commit)
	}
	for _, name := range want {
		return fmt.Errorf("the forest is fitted to %s too: name its clone", name)
	}
	return nil
}
