// Command real measures tandem with a real model: llama.cpp's server and open weights, from
// packages, on this machine, or a model that a person names.
//
// **Invariant:** it drives the built tandem and the model's server from outside, as an
// editor and as any client do. What it measured is appended to files of its state folder, so
// that a run that was stopped goes on; the page is written from these files alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"tandem/tools/bench/figures"
)

// A rig says what to measure, with what.
type rig struct {
	repos, only         string
	clients             string // to type or edit with, comma-separated; all of them when empty
	tandem, state, page string
	cache               string
	size, weights       string // what to download, or a file
	address             string // of a server that runs already
	places, tokens      int
	slots               int // of the server; 0 is its own default
	seed                uint64
	limit               time.Duration
	deadline            time.Time // zero is none
}

// commands are the measurements and what they need.
var commands = map[string]func(*rig, context.Context) error{
	"install":   (*rig).printInstalled,
	"serve":     (*rig).serve,
	"typing":    (*rig).typing,
	"places":    (*rig).drawnPlaces,
	"prompts":   (*rig).prompts,
	"edits":     (*rig).edits,
	"questions": (*rig).questions,
	"agents":    (*rig).agents,
	"plain":     (*rig).plain,
	"page":      (*rig).writePage,
}

// errMissing says that what is measured with is not to be had here: no failure of tandem.
var errMissing = errors.New("skipped")

func main() {
	r := &rig{}
	flag.StringVar(&r.repos, "repos", "", "`FOLDER` of git clones with their history")
	flag.StringVar(&r.only, "only", "", "comma-separated `NAMES` of clones, of cases, or of kinds of places")
	flag.StringVar(&r.clients, "clients", "", "comma-separated `NAMES` of who types or edits (default: all)")
	flag.StringVar(&r.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&r.state, "state", ".cache/real", "`FOLDER` for what was measured")
	flag.StringVar(&r.page, "page", "docs/measurements/real.md", "the `PAGE` to write")
	flag.StringVar(&r.size, "size", "0.5b", "which weights to fetch: 0.5b or 1.5b")
	flag.StringVar(&r.weights, "model", "", "a `FILE` (gguf) in place of weights to fetch")
	flag.StringVar(&r.address, "server", "", "the `ADDRESS` of a llama.cpp server that runs already")
	flag.IntVar(&r.places, "places", 20, "measure at `N` places")
	flag.IntVar(&r.tokens, "tokens", 3000, "`TOKENS` of a prompt's window")
	flag.IntVar(&r.slots, "slots", 0, "start the server with `N` slots (default: its own number)")
	flag.Uint64Var(&r.seed, "seed", 1, "the `SEED` by which everything is drawn")
	flag.DurationVar(&r.limit, "limit", 0, "stop after `TIME`; the next run goes on")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "real [FLAGS] install | serve | typing | places | prompts | edits | questions | agents | plain | page")
		flag.PrintDefaults()
	}
	flag.Parse()
	run, ok := commands[flag.Arg(0)]
	if !ok || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := r.prepare()
	if err == nil {
		err = run(r, ctx)
	}
	switch {
	case errors.Is(err, errMissing):
		fmt.Println(err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "real:", err)
		os.Exit(1)
	}
}

// prepare fills in what follows from the machine.
func (r *rig) prepare() error {
	if r.limit > 0 {
		r.deadline = time.Now().Add(r.limit)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("find the user's cache: %w", err)
	}
	r.cache = filepath.Join(cache, "tandem-real")
	for _, at := range []*string{&r.tandem, &r.state} {
		if *at, err = filepath.Abs(*at); err != nil {
			return err
		}
	}
	return os.MkdirAll(r.state, 0o755)
}

// asks reports whether this run asks for a client.
func (r *rig) asks(client string) bool {
	return r.clients == "" || slices.Contains(strings.Split(r.clients, ","), client)
}

// over reports whether the time of this run is over.
func (r *rig) over() bool { return !r.deadline.IsZero() && time.Now().After(r.deadline) }

// machine describes where figures were measured.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s", figures.Processor(), runtime.NumCPU(), runtime.GOOS)
}
