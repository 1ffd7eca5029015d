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
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

// parts are what can be measured.
const parts = "messages,functions,steps,callees"

// A bench says what to measure. Numbers of samples are those of a repository.
type bench struct {
	repos, only, tandem, work, parts, json string
	profile                                string
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
	flag.StringVar(&b.profile, "cpuprofile", "", "write a CPU profile to `FILE`")
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
	stop, err := b.startProfile()
	if err != nil {
		return err
	}
	defer stop()
	clones, err := b.clones()
	if err != nil {
		return err
	}
	start := time.Now()
	r := &report{Seed: b.seed}
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
	r.judge()
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
