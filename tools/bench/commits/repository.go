package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tandem/tools/bench/clones"
)

// A repository is what was measured in one clone.
type repository struct {
	Name      string          `json:"name"`
	Seconds   float64         `json:"seconds"`
	Places    []*probed       `json:"places,omitempty"`
	Messages  []askedMessage  `json:"messages,omitempty"`
	Functions []askedFunction `json:"functions,omitempty"`
	Steps     []askedStep     `json:"steps,omitempty"`
	Callees   []askedCallee   `json:"callees,omitempty"`
	Shares    []float64       `json:"shared_prefix,omitempty"`
	Times     []timing        `json:"times,omitempty"`
	Refused   map[string]int  `json:"refused,omitempty"` // answers that were no window
}

// A visit is one clone being measured.
type visit struct {
	*bench
	clone    *clones.Clone
	checkout *clones.Checkout
	forest   *clones.Forest
	work     string
	traces   int // typed so far
	out      *repository
}

// measure measures one clone.
func (b *bench) measure(ctx context.Context, dir string) (*repository, error) {
	start := time.Now()
	c, err := clones.OpenClone(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer c.Objects.Close()
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
	if !v.does("probe") && !v.does("messages") && !v.does("typing") {
		return nil
	}
	list, err := clones.History(ctx, v.clone, v.within)
	if err != nil {
		return err
	}
	d := clones.NewDrawer(v.clone, list, v.random(1))
	for round := 1; ; round++ {
		missing := v.commits - len(v.out.Places)
		if missing <= 0 || round > 1 && !v.does("probe") {
			return nil
		}
		held := make([]clones.Signed, len(v.out.Places))
		for i, p := range v.out.Places {
			held[i] = clones.Signed{At: p.at, Author: p.author}
		}
		changes, err := d.Draw(ctx, missing+missing/2, held) // not every commit has targets that the tree knows
		if err != nil || len(changes) == 0 {
			return err
		}
		for i := range changes {
			if err := v.visitChange(ctx, &changes[i]); err != nil {
				return err
			}
			v.progress("%s: round %d, commit %d of %d, %d places", v.clone.Name, round, i+1, len(changes), len(v.out.Places))
		}
		v.out.vary()
	}
}

// vary puts places in the order of history without long rows of one author.
func (one *repository) vary() {
	slices.SortFunc(one.Places, func(a, b *probed) int { return b.at - a.at })
	one.Places = clones.Varied(one.Places, func(p *probed) string { return p.author })
}

// visitChange measures the tree before one commit.
func (v *visit) visitChange(ctx context.Context, h *clones.Change) error {
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
	if err := v.probe(ctx, t, g, h); err != nil {
		return err
	}
	if words, ok := question(h); ok && v.does("messages") && len(v.out.Messages) < v.messages {
		asked, err := askMessage(t, g, h, words)
		if err := v.refused(err); err != nil {
			return err
		}
		v.out.Messages = append(v.out.Messages, asked)
	}
	if v.does("typing") && v.traces < v.typing {
		v.traces++
		shares, err := typeRun(t, h.Place, v.refused)
		v.out.Shares = append(v.out.Shares, shares...)
		return err
	}
	return nil
}

// probe runs the commit probe where the tree has targets.
func (v *visit) probe(ctx context.Context, t *clones.Tandem, g *clones.Tree, h *clones.Change) error {
	if !v.does("probe") {
		return nil
	}
	goals := newGoals(g, h.Place)
	if len(goals.names) == 0 {
		return nil
	}
	tabs, err := clones.TouchedBefore(ctx, v.clone, h.Commit, tabsCommits)
	if err != nil {
		return err
	}
	place, err := probe(t, goals, h, append(append([]string{}, h.Files...), tabs...), v.budgets, v.checkout.Dir)
	if err := v.refused(err); err != nil || place == nil {
		return err
	}
	v.out.Places = append(v.out.Places, place)
	return nil
}

// visitHead measures what needs one tree alone, the newest.
func (v *visit) visitHead(ctx context.Context) error {
	if !v.does("functions") && !v.does("steps") && !v.does("callees") && !v.does("times") {
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
	if v.does("times") {
		v.out.Times, err = timeWindows(t, g, v.places, v.random(7), v.refused)
	}
	return err
}
