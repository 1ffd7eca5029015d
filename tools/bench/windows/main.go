// Command windows measures what windows hold of the functions that a person names, and of those
// that are called where an edit is asked for, in clones of repositories, without a model.
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
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

// A bench says what to measure.
type bench struct {
	tandem, work string
	seed         uint64
}

func main() {
	var b bench
	repos := flag.String("repos", "", "`FOLDER` whose subfolders are git clones, bare or with a work tree")
	only := flag.String("only", "", "comma-separated `NAMES` of the clones to measure (default: all)")
	flag.StringVar(&b.tandem, "tandem", "bin/tandem", "the `PROGRAM` to measure")
	flag.StringVar(&b.work, "work", ".cache/windows", "`FOLDER` for trees, which are removed afterwards")
	flag.Uint64Var(&b.seed, "seed", 1, "the `SEED` by which everything is drawn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	held, err := b.run(ctx, *repos, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "windows:", err)
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

// A visit is one clone being measured.
type visit struct {
	*bench
	name   string
	counts counts
}

// measure measures one clone.
func (b *bench) measure(ctx context.Context, c *clones.Clone) (counts, error) {
	defer c.Close()
	work, err := filepath.Abs(filepath.Join(b.work, c.Name))
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	k, err := clones.NewCheckout(ctx, c, filepath.Join(work, "tree"))
	if err != nil {
		return nil, err
	}
	head, err := c.Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	commit := strings.TrimSpace(string(head))
	if err := k.Move(ctx, commit); err != nil {
		return nil, err
	}
	t, err := clones.StartTandem(ctx, b.tandem, k.Dir, work) // indexes while the tree is read here
	if err != nil {
		return nil, err
	}
	defer t.Close()
	g, err := clones.NewForest(c).Read(ctx, commit)
	if err != nil {
		return nil, err
	}
	v := &visit{bench: b, name: c.Name, counts: counts{}}
	return v.counts, errors.Join(v.askFunctions(t, g), v.askCallees(t, g))
}

// random is a source of its own for each part.
func (v *visit) random(part uint64) *rand.Rand { return rand.New(rand.NewPCG(v.seed, part)) }

// window is tandem's answer; an empty one where it refuses, which is counted and said.
func (v *visit) window(t *clones.Tandem, r clones.Request) (*clones.Window, error) {
	r.Text = true
	w, err := t.Ask(r)
	var refused *clones.Refusal
	if errors.As(err, &refused) {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", v.name, r.ID, err)
		v.counts.add(refusals, 1, 1)
		return &clones.Window{}, nil
	}
	v.counts.add(refusals, 0, 1)
	return w, err
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
	wholeBy  = "functions whole, by "
	callees  = "edits: called functions shown whole"
	refusals = "refused"
)

var wanted = []struct {
	what string
	bar  float64
}{{wholeBy + qualifiedName, 100}, {wholeBy + fileLine, 100}, {wholeBy + stackTrace, 100}, {callees, 90}, {refusals, 0}}

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
