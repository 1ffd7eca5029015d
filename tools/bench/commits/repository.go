package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tandem/tools/bench/clones"
)

// A repository is what was measured in one clone.
type repository struct {
	Name      string          `json:"name"`
	Seconds   float64         `json:"seconds"`
	Messages  []askedMessage  `json:"messages,omitempty"`
	Functions []askedFunction `json:"functions,omitempty"`
	Steps     []askedStep     `json:"steps,omitempty"`
	Callees   []askedCallee   `json:"callees,omitempty"`
	Refused   map[string]int  `json:"refused,omitempty"` // answers that were no window
}

// A visit is one clone being measured.
type visit struct {
	*bench
	clone    *clones.Clone
	checkout *clones.Checkout
	forest   *clones.Forest
	work     string
	out      *repository
}

// measure measures one clone.
func (b *bench) measure(ctx context.Context, c *clones.Clone) (*repository, error) {
	start := time.Now()
	defer c.Close()
	work, err := filepath.Abs(filepath.Join(b.work, c.Name))
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	v := &visit{bench: b, clone: c, forest: clones.NewForest(c), work: work, out: &repository{Name: c.Name, Refused: map[string]int{}}}
	if v.checkout, err = clones.NewCheckout(ctx, c, filepath.Join(work, "tree")); err != nil {
		return nil, err
	}
	if err := v.walk(ctx); err != nil {
		return nil, err
	}
	if err := v.visitHead(ctx); err != nil {
		return nil, err
	}
	v.out.Seconds = time.Since(start).Seconds()
	return v.out, nil
}

// refused counts a refusal and passes on every other error.
func (v *visit) refused(err error) error {
	var r *clones.Refusal
	if errors.As(err, &r) {
		v.out.Refused[r.Code+": "+r.Message]++
		return nil
	}
	return err
}

// random is a source of its own for each part, so that leaving one part out
// changes nothing in the others.
func (v *visit) random(part uint64) *rand.Rand { return rand.New(rand.NewPCG(v.seed, part)) }

// walk goes through commits, oldest first.
func (v *visit) walk(ctx context.Context) error {
	if !v.does("messages") {
		return nil
	}
	list, err := clones.History(ctx, v.clone, v.within)
	if err != nil {
		return err
	}
	changes, err := clones.NewDrawer(v.clone, list, v.random(1)).Draw(ctx, v.commits)
	for i := range changes {
		if err := v.visitChange(ctx, &changes[i]); err != nil {
			return err
		}
		v.progress("%s: commit %d of %d", v.clone.Name, i+1, len(changes))
	}
	return err
}

// visitChange asks the tree before one commit what its message says.
func (v *visit) visitChange(ctx context.Context, h *clones.Change) error {
	words, ok := question(h)
	if !ok || len(v.out.Messages) >= v.messages {
		return nil
	}
	if err := v.checkout.Move(ctx, h.Parent); err != nil {
		return err
	}
	t, err := clones.StartTandem(ctx, v.tandem, v.checkout.Dir, v.work) // indexes while the tree is read here
	if err != nil {
		return err
	}
	defer t.Close()
	g, err := v.forest.Read(ctx, h.Parent)
	if err != nil {
		return err
	}
	asked, err := askMessage(t, g, h, words)
	if err := v.refused(err); err != nil {
		return err
	}
	v.out.Messages = append(v.out.Messages, asked)
	return nil
}

// visitHead measures what needs one tree alone, the newest.
func (v *visit) visitHead(ctx context.Context) error {
	if !v.does("functions") && !v.does("steps") && !v.does("callees") {
		return nil
	}
	head, err := v.clone.Git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	commit := strings.TrimSpace(string(head))
	if err := v.checkout.Move(ctx, commit); err != nil {
		return err
	}
	t, err := clones.StartTandem(ctx, v.tandem, v.checkout.Dir, v.work)
	if err != nil {
		return err
	}
	defer t.Close()
	g, err := v.forest.Read(ctx, commit)
	if err != nil {
		return err
	}
	v.progress("%s: newest commit", v.clone.Name)
	return v.askHead(t, g)
}

// askHead asks what needs no commits.
func (v *visit) askHead(t *clones.Tandem, g *clones.Tree) (err error) {
	if v.does("functions") {
		list := drawFunctions(g, v.functions, v.random(3))
		if v.out.Functions, err = askFunctions(t, list, v.refused); err != nil {
			return err
		}
	}
	if v.does("steps") {
		if v.out.Steps, err = askSteps(t, g, v.steps, v.random(5), v.refused); err != nil {
			return err
		}
	}
	if v.does("callees") {
		if v.out.Callees, err = askCallees(t, g, v.callees, v.random(8), v.refused); err != nil {
			return err
		}
	}
	return err
}
