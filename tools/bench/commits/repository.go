package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"tandem/tools/bench/clones"
)

// How many are asked for in a repository, and of how many of the newest commits.
const (
	withinCommits  = 2000
	mostFunctions  = 34
	mostMessages   = 34
	mostSteps      = 20
	mostWithCallee = 34
)

// A visit is one clone being measured.
type visit struct {
	*bench
	clone    *clones.Clone
	checkout *clones.Checkout
	forest   *clones.Forest
	work     string
	counts   counts
}

// measure measures one clone.
func (b *bench) measure(ctx context.Context, c *clones.Clone) (counts, error) {
	defer c.Close()
	work, err := filepath.Abs(filepath.Join(b.work, c.Name))
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	v := &visit{bench: b, clone: c, forest: clones.NewForest(c), work: work, counts: counts{}}
	if v.checkout, err = clones.NewCheckout(ctx, c, filepath.Join(work, "tree")); err != nil {
		return nil, err
	}
	if err := v.askMessages(ctx); err != nil {
		return nil, err
	}
	head, err := c.Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	return v.counts, v.at(ctx, strings.TrimSpace(string(head)), func(t *clones.Tandem, g *clones.Tree) error {
		return errors.Join(v.askFunctions(t, g), v.askSteps(t, g), v.askCallees(t, g))
	})
}

// random is a source of its own for each part.
func (v *visit) random(part uint64) *rand.Rand { return rand.New(rand.NewPCG(v.seed, part)) }

// at calls ask with the tree of a commit and tandem in it.
func (v *visit) at(ctx context.Context, commit string, ask func(*clones.Tandem, *clones.Tree) error) error {
	if err := v.checkout.Move(ctx, commit); err != nil {
		return err
	}
	t, err := clones.StartTandem(ctx, v.tandem, v.checkout.Dir, v.work) // indexes while the tree is read here
	if err != nil {
		return err
	}
	defer t.Close()
	g, err := v.forest.Read(ctx, commit)
	if err != nil {
		return err
	}
	return ask(t, g)
}

// window is tandem's answer; an empty one where it refuses, which is counted and said.
func (v *visit) window(t *clones.Tandem, r clones.Request) (*clones.Window, error) {
	r.Text = true
	w, err := t.Ask(r)
	var refused *clones.Refusal
	if errors.As(err, &refused) {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", v.clone.Name, r.ID, err)
		v.counts.add(refusals, 1, 1)
		return &clones.Window{}, nil
	}
	v.counts.add(refusals, 0, 1)
	return w, err
}

// askMessages asks what commits say of the trees before them.
func (v *visit) askMessages(ctx context.Context) error {
	list, err := clones.History(ctx, v.clone, withinCommits)
	if err != nil {
		return err
	}
	changes, err := clones.NewDrawer(v.clone, list, v.random(1)).Draw(ctx, v.commits)
	asked := 0
	for i := range changes {
		words, ok := question(&changes[i])
		if !ok || asked == mostMessages {
			continue
		}
		asked++
		if err := v.at(ctx, changes[i].Parent, func(t *clones.Tandem, g *clones.Tree) error { return v.askMessage(t, g, &changes[i], words) }); err != nil {
			return err
		}
	}
	return err
}
