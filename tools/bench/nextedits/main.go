// Command nextedits measures next edits: on the public cases of an editor's makers,
// through the built programs with a stand-in model that writes what each case expects;
// and on the history of repositories with the built-in engine alone, whose ghost text it
// measures on the same commits.
//
// Invariant: every figure is printed with its bar and pass or miss; what a case or a
// commit expects is never shown to what is measured. Deliberately absent: tuning, and
// any case of its own.
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
	cases := flag.String("cases", "", "folder of *.md cases: replay them through bin/tandem and bin/scripted")
	bin := flag.String("bin", "bin", "folder of tandem and scripted")
	repos := flag.String("repos", "", "folder of git repositories: replay their history with the built-in engine")
	commits := flag.Int("commits", 60, "commits of each repository, the newest")
	typed := flag.Bool("typed", false, "with -repos: type the commits piece by piece into bin/tandem")
	ghosts := flag.Bool("ghost", false, "with -repos: type the commits key by key into bin/tandem and judge its ghost text; with -evidence, note what it considers, for make fit-local")
	traces := flag.Int("traces", 500, "edits without a follow-up, in all")
	latency := flag.Bool("latency", false, "measure a next edit beyond the model's time in a document of 200 KB")
	noted := flag.String("evidence", "", "file: note what speaks for each place that the built-in engine considers in the history, and whether it is right")
	fit := flag.String("fit", "", "files of -evidence, by comma: fit the weights of the built-in engine, judged on each repository by the others")
	weights := flag.String("weights", "", "with -fit: the Go file to write")
	verbose := flag.Bool("v", false, "print what is wrong, partly right, or left out")
	flag.Parse()
	failed := false
	if at, err := filepath.Abs(*bin); err == nil {
		*bin = at // the programs are started in folders of their own
	}
	if *latency {
		failed = report(nextEditLatency(*bin)) || failed
	}
	if *cases != "" {
		failed = report(replayCases(*cases, *bin, *verbose)) || failed
	}
	if *repos != "" {
		list, err := clones.OpenAll(context.Background(), *repos, "")
		if err != nil {
			fmt.Fprintln(os.Stderr, "nextedits:", err)
			os.Exit(1)
		}
		switch {
		case *ghosts && *noted != "":
			failed = report(nil, noteGhosts(list, *commits, *noted)) || failed
		case *ghosts:
			failed = report(replayGhosts(list, *bin, *commits, *verbose)) || failed
		case *typed:
			failed = report(replayTyped(list, *bin, *commits, *verbose)) || failed
		default:
			var seen *evidence // nil: what it considers is judged
			if *noted != "" {
				if seen, err = figures.OpenLog[step](*noted); err != nil {
					fmt.Fprintln(os.Stderr, "nextedits:", err)
					os.Exit(1)
				}
			}
			failed = report(replayHistory(list, *commits, *traces, *verbose, seen)) || failed
		}
	}
	if *fit != "" {
		failed = report(fitted(strings.Split(*fit, ","), *weights)) || failed
	}
	if failed {
		os.Exit(1)
	}
}

func report(rows []figures.Row, err error) (failed bool) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "nextedits:", err)
		return true
	}
	return !figures.Print(os.Stdout, rows...)
}
