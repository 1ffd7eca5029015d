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
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"tandem/tools/bench/clones"
	"time"
)

// parts are what can be measured.
const parts = "messages,functions,steps,callees"

// A bench says what to measure. Numbers of samples are those of a repository.
type bench struct {
	repos, only, tandem, work, parts, json string
	commits, within                        int
	functions, messages, steps, callees    int
	seed                                   uint64
	quiet                                  bool
}

func main() {
	var b bench
	flag.StringVar(&b.repos, "repos", "", "`FOLDER` whose subfolders are git clones, bare or with a work tree")
	flag.StringVar(&b.only, "only", "", "comma-separated `NAMES` of the clones to measure (default: all)")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.work, "work", ".cache/commits", "`FOLDER` for trees, which are removed afterwards")
	flag.StringVar(&b.parts, "parts", parts, "comma-separated `PARTS` to measure")
	flag.StringVar(&b.json, "json", "", "write everything as JSON to `FILE`")
	flag.IntVar(&b.commits, "commits", 120, "at least `N` commits a repository")
	flag.IntVar(&b.within, "within", 2000, "draw from the newest `N` commits")
	flag.IntVar(&b.functions, "functions", 34, "ask for `N` functions a repository")
	flag.IntVar(&b.messages, "messages", 34, "ask `N` commit messages a repository")
	flag.IntVar(&b.steps, "steps", 20, "name `N` files in steps a repository")
	flag.IntVar(&b.callees, "callees", 34, "look for what `N` functions a repository call")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` by which everything is drawn")
	flag.BoolVar(&b.quiet, "quiet", false, "say nothing while measuring")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "commits:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, out io.Writer) (err error) {
	if b.tandem, err = filepath.Abs(b.tandem); err != nil {
		return err
	}
	if b.repos == "" {
		return fmt.Errorf("name a folder of clones with -repos")
	}
	list, err := clones.OpenAll(ctx, b.repos, b.only)
	if err != nil {
		return err
	}
	start := time.Now()
	r := &report{Seed: b.seed}
	var failed []error // one bad clone does not cost what the others showed
	for _, c := range list {
		measured, err := b.measure(ctx, c)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.Name, err))
			continue
		}
		r.Repositories = append(r.Repositories, measured)
		if err := b.keep(r); err != nil { // what follows may be stopped
			return err
		}
	}
	r.Seconds = time.Since(start).Seconds()
	return errors.Join(append(failed, b.finish(r, out))...)
}

// finish computes, prints and keeps a report.
func (b *bench) finish(r *report, out io.Writer) error {
	r.judge()
	b.progress("")
	r.print(out)
	return b.keep(r)
}

func (b *bench) does(part string) bool { return slices.Contains(strings.Split(b.parts, ","), part) }

// progress says on stderr what is being measured.
func (b *bench) progress(format string, args ...any) {
	if !b.quiet {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}

// keep writes the JSON file, if one is asked for.
func (b *bench) keep(r *report) error {
	if b.json == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(b.json, append(data, '\n'), 0o644)
}
