package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"tandem/tools/bench/clones"
)

const (
	mostCommits = 2000 // how far back places are drawn
	fromAClone  = 30   // to type at, whatever is asked for: less to measure is the beginning of more
)

// A drawn place is where a commit of a clone wrote its longest run of lines, in the tree
// before it.
type drawn struct {
	clone  *clones.Clone
	change *clones.Change
	place  *clones.Place
}

func (p *drawn) id() string {
	return fmt.Sprintf("%s %.10s %s:%d", p.clone.Name, p.change.Hash, p.place.Path, p.place.Line)
}

// around is the file's text before and after the run.
func (p *drawn) around() (before, after string) {
	before = p.place.Before()
	indent := p.place.Run[:indentOf(p.place.Run)]
	return before + indent, strings.TrimPrefix(p.place.Text, before+indent)
}

// checkOut puts the tree before the commit into a folder.
func (p *drawn) checkOut(ctx context.Context, r *rig) (string, error) {
	k, err := clones.NewCheckout(ctx, p.clone, filepath.Join(r.state, "tree", p.clone.Name))
	if err != nil {
		return "", err
	}
	return k.Dir, k.Move(ctx, p.change.Parent)
}

var errNoClones = fmt.Errorf("%w: no folder of git clones was named (REPOS=DIR)", errMissing)

// openClones opens the clones of the folder.
func (r *rig) openClones(ctx context.Context) ([]*clones.Clone, error) {
	if r.repos == "" {
		return nil, errNoClones
	}
	return clones.OpenAll(ctx, r.repos, r.only)
}

// draw draws places, the languages and their clones in turn.
func (r *rig) draw(ctx context.Context, languages []string, n int) ([]*drawn, error) {
	list, err := r.openClones(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string][][]*drawn{} // by language, then by clone
	for _, c := range list {
		more, err := r.drawFrom(ctx, c)
		if err != nil {
			return nil, err
		}
		all, err := more(fromAClone)
		if err != nil {
			return nil, err
		}
		random := rand.New(rand.NewPCG(r.seed, 2)) // not the oldest first
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, language := range languages {
			if of := slices.DeleteFunc(slices.Clone(all), func(p *drawn) bool { return p.place.Family() != language }); len(of) > 0 {
				found[language] = append(found[language], of)
			}
		}
	}
	var turns [][]*drawn
	for _, language := range languages {
		turns = append(turns, inTurn(found[language]))
	}
	out := inTurn(turns)
	return out[:min(n, len(out))], nil
}

// drawFrom returns a function that draws further places of one clone.
func (r *rig) drawFrom(ctx context.Context, c *clones.Clone) (more func(n int) ([]*drawn, error), err error) {
	history, err := clones.History(ctx, c, mostCommits)
	if err != nil {
		return nil, err
	}
	drawer := clones.NewDrawer(c, history, rand.New(rand.NewPCG(r.seed, 1)))
	return func(n int) ([]*drawn, error) {
		changes, err := drawer.Draw(ctx, n)
		out := make([]*drawn, 0, len(changes))
		for i := range changes {
			out = append(out, &drawn{c, &changes[i], changes[i].Place})
		}
		return out, err
	}, nil
}

// inTurn takes the first of each list, then the second of each, and so on.
func inTurn[T any](lists [][]T) []T {
	var out []T
	for i := 0; ; i++ {
		more := false
		for _, l := range lists {
			if i < len(l) {
				out, more = append(out, l[i]), true
			}
		}
		if !more {
			return out
		}
	}
}
