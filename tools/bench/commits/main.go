// Command commits measures what windows hold of the code that real commits
// needed, on clones of repositories with their history, without a model.
//
// Invariant: it asks the built tandem from outside, by window --jsonl, and
// judges by git and by rules of its own, never by tandem's index; only -fit, which
// measures nothing, looks inside. Clones are
// read only; trees are checked out into a work folder and removed again. It
// needs no network and no model.
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
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"tandem/tools/bench/pinned"
)

// parts are what can be measured; the waste of windows comes with the probe.
const parts = "probe,messages,functions,steps,callees,typing,times"

// A bench says what to measure. Numbers of samples are those of a repository.
type bench struct {
	repos, only, tandem, work, parts, json string
	profile, pool                          string
	commits, within                        int
	functions, messages, steps, callees    int
	typing, places                         int
	seed                                   uint64
	budgets                                []int
	quiet, fit, anyTree                    bool
}

func main() {
	var b bench
	budgets := "3000,8000"
	flag.StringVar(&b.repos, "repos", "", "`FOLDER` whose subfolders are git clones, bare or with a work tree")
	flag.StringVar(&b.only, "only", "", "comma-separated `NAMES` of the clones to measure (default: all)")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.work, "work", ".cache/commits", "`FOLDER` for trees, which are removed afterwards")
	flag.StringVar(&b.parts, "parts", parts, "comma-separated `PARTS` to measure")
	flag.StringVar(&b.json, "json", "", "write everything as JSON to `FILE`")
	flag.StringVar(&b.pool, "pool", "", "measure nothing, and report what the comma-separated `FILES` of earlier runs with -json have together")
	flag.IntVar(&b.commits, "commits", 120, "at least `N` commits a repository")
	flag.IntVar(&b.within, "within", 2000, "draw from the newest `N` commits")
	flag.IntVar(&b.functions, "functions", 34, "ask for `N` functions a repository")
	flag.IntVar(&b.messages, "messages", 34, "ask `N` commit messages a repository")
	flag.IntVar(&b.steps, "steps", 20, "name `N` files in steps a repository")
	flag.IntVar(&b.callees, "callees", 34, "look for what `N` functions a repository call")
	flag.IntVar(&b.typing, "typing", 6, "type `N` traces a repository")
	flag.IntVar(&b.places, "places", 40, "time windows at `N` places a repository and budget")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` by which everything is drawn")
	flag.StringVar(&budgets, "budgets", budgets, "comma-separated budgets of the probe in `TOKENS`")
	flag.StringVar(&b.profile, "cpuprofile", "", "write a CPU profile to `FILE`")
	flag.BoolVar(&b.fit, "fit", false, "fit the weights of workspace/similar to what the commits needed, and print them as Go; measure nothing else")
	flag.BoolVar(&b.anyTree, "any-tree", false, "fit to clones that are not pinned too")
	flag.BoolVar(&b.quiet, "quiet", false, "say nothing while measuring")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx, budgets, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "commits:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, budgets string, out io.Writer) (err error) {
	for _, field := range strings.Split(budgets, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("%q is no budget", field)
		}
		b.budgets = append(b.budgets, n)
	}
	if b.pool != "" {
		r, err := pooledReport(b.pool)
		if err != nil {
			return err
		}
		return b.finish(r, out)
	}
	if b.tandem, err = filepath.Abs(b.tandem); err != nil {
		return err
	}
	stop, err := b.startProfile()
	if err != nil {
		return err
	}
	defer stop()
	clones, err := b.clones()
	if err != nil {
		return err
	}
	if b.fit {
		if err := pinned.ForFit("similar", clones); err != nil && !b.anyTree {
			return err
		}
		return b.fitAll(ctx, clones, out)
	}
	start := time.Now()
	r := &report{Seed: b.seed, Budgets: b.budgets}
	var failed []error // one bad clone does not cost what the others showed
	for _, dir := range clones {
		measured, err := b.measure(ctx, dir)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", filepath.Base(dir), err))
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
	r.summarize()
	b.progress("")
	r.print(out)
	return b.keep(r)
}

// clones are the folders to measure, in the order of their names.
func (b *bench) clones() ([]string, error) {
	if b.repos == "" {
		return nil, fmt.Errorf("name a folder of clones with -repos")
	}
	entries, err := os.ReadDir(b.repos)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		wanted := b.only == "" || slices.Contains(strings.Split(b.only, ","), e.Name())
		dir := filepath.Join(b.repos, e.Name())
		if info, err := os.Stat(dir); err == nil && info.IsDir() && wanted {
			out = append(out, dir)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no clones", b.repos)
	}
	return out, nil
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

// startProfile starts a CPU profile, if one is asked for.
func (b *bench) startProfile() (stop func(), err error) {
	if b.profile == "" {
		return func() {}, nil
	}
	f, err := os.Create(b.profile)
	if err != nil {
		return nil, err
	}
	return pprof.StopCPUProfile, pprof.StartCPUProfile(f)
}
