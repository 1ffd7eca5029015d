// Command nextedits measures the built-in engine on the history of repositories: next edits,
// jumps and ghost text while commits are typed into the built program; and it fits the engine's
// weights to such commits.
//
// Invariant: every figure is printed with its bar and pass or miss; what a commit expects is
// never shown to what is measured. Deliberately absent: tuning, and any case of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

func main() {
	bin := flag.String("bin", "bin", "folder of tandem and scripted")
	repos := flag.String("repos", "", "folder of git repositories")
	commits := flag.Int("commits", 60, "commits of each repository, the newest")
	typed := flag.Bool("typed", false, "with -repos: type the commits piece by piece into bin/tandem")
	ghosts := flag.Bool("ghost", false, "with -repos: type the commits key by key into bin/tandem and judge its ghost text; with -evidence, note what it considers, for -forest")
	traces := flag.Int("traces", 500, "edits without a follow-up, in all")
	evidence := flag.String("evidence", "", "file: note what speaks for each place that the built-in engine considers in the history, and whether it is right")
	fit := flag.String("fit", "", "files of -evidence, by comma: fit the weights of the built-in engine, judged on each repository by the others")
	weights := flag.String("weights", "", "with -fit: the Go file to write")
	forest := flag.String("forest", "", "a file of -ghost -evidence: grow the forest that scores suggestions, and print it")
	verbose := flag.Bool("v", false, "print what is wrong, partly right, or left out")
	flag.Parse()
	var list []*clones.Clone
	var rows []figures.Row
	at, err := filepath.Abs(*bin) // the programs are started in folders of their own
	if err == nil && *repos != "" {
		list, err = clones.OpenAll(context.Background(), *repos, "")
	}
	switch {
	case err != nil:
	case *forest != "":
		err = fitForest(os.Stdout, *forest)
	case *fit != "":
		rows, err = fitted(strings.Split(*fit, ","), *weights)
	case *ghosts && *evidence != "":
		err = noteGhosts(list, *commits, *evidence)
	case *ghosts:
		rows, err = replayGhosts(list, at, *commits, *verbose)
	case *typed:
		rows, err = replayTyped(list, at, *commits, *verbose)
	default:
		err = noteHistory(list, *commits, *traces, *evidence)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nextedits:", err)
	}
	if !figures.Print(os.Stdout, rows...) || err != nil {
		os.Exit(1)
	}
}
