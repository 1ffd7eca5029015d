// Command nextedits measures the built-in engine on the history of repositories: next edits,
// jumps and ghost text while commits are typed into the built program.
//
// Invariant: every figure is printed with its bar and pass or miss; what a commit expects is
// never shown to what is measured. Deliberately absent: any case of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

func main() {
	bin := flag.String("bin", "bin", "folder of tandem and scripted")
	repos := flag.String("repos", "", "folder of git repositories")
	commits := flag.Int("commits", 60, "commits of each repository, the newest")
	ghosts := flag.Bool("ghost", false, "type the commits key by key and judge ghost text, in place of next edits while they are typed piece by piece")
	verbose := flag.Bool("v", false, "print what is wrong or partly right")
	flag.Parse()
	var list []*clones.Clone
	var rows []figures.Row
	at, err := filepath.Abs(*bin) // the programs are started in folders of their own
	if err == nil && *repos != "" {
		list, err = clones.OpenAll(context.Background(), *repos, "")
	}
	switch {
	case err != nil:
	case *ghosts:
		rows, err = replayGhosts(list, at, *commits, *verbose)
	default:
		rows, err = replayTyped(list, at, *commits, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nextedits:", err)
	}
	if !figures.Print(os.Stdout, rows...) || err != nil {
		os.Exit(1)
	}
}
