// Command commits measures what windows hold of the code that real commits
// needed, on clones of repositories with their history, without a model.
//
// Invariant: it asks the built tandem from outside, by window --jsonl, and
// judges by git and by rules of its own, never by tandem's index. Clones are
// read only; trees are checked out into a work folder and removed again. It
// needs no network and no model. What a window is worth to a model is for tools/real.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

// A bench says what to measure. Numbers of samples are those of a repository.
type bench struct {
	tandem, work string
	commits      int
	seed         uint64
}

func main() {
	var b bench
	repos := flag.String("repos", "", "`FOLDER` whose subfolders are git clones, bare or with a work tree")
	only := flag.String("only", "", "comma-separated `NAMES` of the clones to measure (default: all)")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.work, "work", ".cache/commits", "`FOLDER` for trees, which are removed afterwards")
	flag.IntVar(&b.commits, "commits", 120, "at least `N` commits a repository")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` by which everything is drawn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	held, err := b.run(ctx, *repos, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "commits:", err)
	}
	if err != nil || !held {
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, repos, only string) (held bool, err error) {
	if b.tandem, err = filepath.Abs(b.tandem); err != nil {
		return false, err
	}
	list, err := clones.OpenAll(ctx, repos, only)
	if err != nil {
		return false, err
	}
	all := counts{}
	var failed []error // one bad clone does not cost what the others showed
	for _, c := range list {
		measured, err := b.measure(ctx, c)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.Name, err))
			continue
		}
		measured.print(c.Name, false)
		for what, s := range measured {
			all.add(what, s.hits, s.trials)
		}
	}
	return all.print("all", true), errors.Join(failed...)
}

// A share is hits among trials.
type share struct{ hits, trials int }

// counts are shares by what was asked.
type counts map[string]share

func (c counts) add(what string, hits, trials int) {
	c[what] = share{c[what].hits + hits, c[what].trials + trials}
}

// What is asked, and the share that is wanted, in percent; 0 is none.
const (
	messageFiles = "commit messages: files shown with a body"
	messageBM25  = "commit messages: files with a body in BM25 chunks"
	wholeBy      = "functions whole, by "
	stepDefault  = "step files whole, default budget, where they fit"
	stepLarge    = "step files whole, 64000 tokens"
	callees      = "edits: called functions shown whole"
	refusals     = "refused"
)

var wanted = []struct {
	what string
	bar  float64
}{{messageFiles, 40}, {messageBM25, 0}, {wholeBy + qualifiedName, 100}, {wholeBy + fileLine, 100}, {wholeBy + stackTrace, 100}, {stepDefault, 100}, {stepLarge, 100}, {callees, 90}, {refusals, 0}}

// print prints the shares of what was asked, with the bars where they count, and reports
// whether these are met.
func (c counts) print(name string, barred bool) bool {
	var rows []figures.Row
	for _, w := range wanted {
		if s := c[w.what]; s.trials > 0 {
			rows = append(rows, figures.Row{What: name + ", " + w.what, Value: figures.Percent(s.hits, s.trials), Bar: w.bar, None: !barred || w.bar == 0, Note: fmt.Sprintf("%d of %d", s.hits, s.trials)})
		}
	}
	return figures.Print(os.Stdout, rows...)
}
