// Command allowed counts which files of real commits tandem asks about before it writes them, and which
// it refuses, as proposals that a person sees.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/edits"
	"tandem/workspace"
	"tandem/workspace/git"
	"tandem/workspace/role"
)

func main() {
	repos := flag.String("repos", "", "a folder of git `CLONES`")
	each := flag.Int("commits", 12, "commits of several files of each clone")
	flag.Parse()
	clones, err := filepath.Glob(filepath.Join(*repos, "*", ".git"))
	if err != nil || len(clones) == 0 {
		fmt.Fprintln(os.Stderr, "allowed: -repos names a folder of git clones")
		os.Exit(2)
	}
	var all counts
	for _, c := range clones {
		if err := all.clone(filepath.Dir(c), *each); err != nil {
			fmt.Fprintf(os.Stderr, "allowed: %s: %v\n", c, err)
			os.Exit(1)
		}
	}
	slices.Sort(all.names)
	fmt.Printf("%d commits of several files, %d files\n%d commits refused, %d ask before they are written: %d for files that a tool or an agent finds by name, %d for files that nothing says the reader of\n",
		all.commits, all.files, all.refused, all.runs+all.unknown, all.runs, all.unknown)
	fmt.Println(strings.Join(slices.Compact(all.names), "\n"))
}

// counts are those of commits; a commit with both kinds of files counts as one that a tool finds.
type counts struct {
	commits, files, refused, runs, unknown int
	names                                  []string
}

func (n *counts) clone(dir string, each int) error {
	ctx := context.Background()
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer repo.Close() //nolint:errcheck // only read from
	log, err := repo.Log(ctx, 40*each)
	if err != nil {
		return err
	}
	session, err := workspace.Open(ctx, workspace.Options{Folders: []string{dir}})
	if err != nil {
		return err
	}
	defer session.Close() //nolint:errcheck // nothing was written
	snap, done := session.Snapshot(), 0
	for _, c := range log {
		if len(c.Changes) < 2 || done >= each {
			continue
		}
		done++
		n.commits++
		worst := role.Source
		refused := false
		for _, f := range c.Changes {
			n.files++
			switch code, _ := snap.MayWrite(f.Path, workspace.Asked{Shown: true}); code {
			case edits.CodeOutside:
				refused = true
			case edits.CodeProtected:
				of := role.Of(f.Path)
				if of == role.Data {
					of = role.Runs // settings beside a manifest
				}
				if worst != role.Runs {
					worst = of
				}
				n.names = append(n.names, fmt.Sprintf("%d %s %s", of, filepath.Base(dir), f.Path))
			}
		}
		switch {
		case refused:
			n.refused++
		case worst == role.Runs:
			n.runs++
		case worst == role.Unknown:
			n.unknown++
		}
	}
	return nil
}
