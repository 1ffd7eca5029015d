package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

// The kinds of places: the line uses a name that the rest of its file does not show and
// another file does, or it does not.
const (
	needsFile = "needs another file"
	ordinary  = "ordinary"
)

const (
	writtenTokens = 48 // of a line, at most
	inOneTree     = 4  // commits of a clone, before the next clone has its turn
	shortestLine  = 6  // characters that are left to write
	shortestName  = 3
)

// A written is what the model wrote at a place for one policy.
type written struct {
	Model  string  `json:"model"`
	Place  string  `json:"place"`
	Kind   string  `json:"kind"`
	Tokens int     `json:"budget"`
	Policy string  `json:"policy"`
	Used   int     `json:"used"` // tokens besides the region
	Was    string  `json:"was"`
	Text   string  `json:"text"`
	Alike  float64 `json:"alike"`
	Exact  bool    `json:"exact"`
}

func (r *rig) placesLog() string { return filepath.Join(r.state, "places.jsonl") }

// drawnPlaces asks the model for one line at places of real commits, once for each policy.
func (r *rig) drawnPlaces(ctx context.Context) error {
	if r.repos == "" { // before a server is looked for
		return errNoClones
	}
	s, log, end, err := startLogged[written](ctx, r, r.placesLog())
	if err != nil {
		return err
	}
	defer end()
	return r.eachPlace(ctx, func(forest *clones.Forest, p *drawn) (over bool, err error) {
		n := r.measured(log, s.model)
		if r.over() || n[needsFile] >= r.places && n[ordinary] >= r.places*2/3 {
			return true, nil
		}
		return false, r.askAt(ctx, s, log, forest, p, n)
	})
}

// prompts prints what tandem's window makes of the places, without a model: two programs are
// told apart by it (make guard).
func (r *rig) prompts(ctx context.Context) error {
	n := 0
	out := json.NewEncoder(os.Stdout)
	return r.eachPlace(ctx, func(forest *clones.Forest, p *drawn) (over bool, err error) {
		if n++; n > r.places {
			return true, nil
		}
		every := func(string) bool { return true }
		return false, r.atMoments(ctx, forest, p, every, func(kind, _ string, m *moment) error {
			return out.Encode(object{"id": p.id() + ", " + kind, "prompt": fillIn(p.clone.Name, byTandem(m), m.at.Path, m.region.before, m.region.after)})
		})
	})
}

// eachPlace draws places, some of one clone, then some of the next, until do says that it is over.
func (r *rig) eachPlace(ctx context.Context, do func(*clones.Forest, *drawn) (over bool, err error)) error {
	list, err := r.openClones(ctx)
	if err != nil {
		return err
	}
	draws := make([]func(int) ([]*drawn, error), len(list))
	forests := make([]*clones.Forest, len(list))
	for i, c := range list {
		if draws[i], err = r.drawFrom(ctx, c); err != nil {
			return err
		}
		forests[i] = clones.NewForest(c)
	}
	for more := true; more; {
		more = false
		for i := range list {
			some, err := draws[i](inOneTree)
			if err != nil {
				return err
			}
			for _, p := range some {
				over, err := do(forests[i], p)
				if err != nil {
					return fmt.Errorf("%s: %w", p.id(), err)
				}
				if over {
					return nil
				}
			}
			more = more || len(some) > 0
		}
	}
	return nil
}

// measured counts the places of each kind at which the last policy was asked for.
func (r *rig) measured(log *figures.Log[written], model string) map[string]int {
	n := map[string]int{}
	for _, w := range log.All {
		if w.Model == model && w.Tokens == r.tokens && w.Policy == policies[len(policies)-1].name {
			n[w.Kind]++
		}
	}
	return n
}

// askAt measures a place of each kind at one commit, if it has them; an ordinary one, which
// nearly every commit has, only while there are no more of them than of the other kind.
func (r *rig) askAt(ctx context.Context, s *server, log *figures.Log[written], forest *clones.Forest, p *drawn, n map[string]int) error {
	done := func(kind, policy string) bool {
		return slices.ContainsFunc(log.All, func(w written) bool {
			return w.Model == s.model && w.Tokens == r.tokens && w.Place == p.id() && w.Policy == policy && w.Kind == kind
		})
	}
	last := policies[len(policies)-1].name
	if done(needsFile, last) || done(ordinary, last) {
		return nil
	}
	wanted := func(kind string) bool { return kind == needsFile || n[ordinary] <= n[needsFile] }
	return r.atMoments(ctx, forest, p, wanted, func(kind, was string, m *moment) error {
		known := map[string]completion{} // equal prompts are asked once
		for _, policy := range policies {
			if done(kind, policy.name) {
				continue
			}
			others := policy.choose(m)
			prompt := fillIn(p.clone.Name, others, m.at.Path, m.region.before, m.region.after)
			said, asked := known[prompt]
			if !asked {
				var err error
				if said, err = s.complete(ctx, prompt, writtenTokens, "\n"); err != nil {
					return err
				}
				known[prompt] = said
			}
			w := written{Model: s.model, Place: p.id(), Kind: kind, Tokens: r.tokens, Policy: policy.name, Was: was, Text: said.Content}
			for _, e := range others {
				w.Used += clones.Count(e.path + "\n" + e.text)
			}
			got := strings.TrimSpace(firstLine(said.Content))
			w.Alike, w.Exact = ratio(got, strings.TrimSpace(was)), got == strings.TrimSpace(was)
			if err := log.Add(w); err != nil {
				return err
			}
		}
		fmt.Printf("%s, %s\n", p.id(), kind)
		return nil
	})
}

// atMoments checks the tree before a commit out and draws a cursor of each wanted kind in what
// the commit wrote: what is left of its line there, and what tandem would show.
func (r *rig) atMoments(ctx context.Context, forest *clones.Forest, p *drawn, wanted func(kind string) bool, do func(kind, was string, m *moment) error) error {
	dir, err := p.checkOut(ctx, r)
	if err != nil {
		return err
	}
	tree, err := forest.Read(ctx, p.change.Parent)
	if err != nil {
		return err
	}
	tandem, err := clones.StartTandem(ctx, r.tandem, dir, filepath.Join(r.state, "home"))
	if err != nil {
		return err
	}
	defer tandem.Close()
	random := rand.New(rand.NewPCG(r.seed, uint64(p.change.At)))
	for _, kind := range []string{needsFile, ordinary} {
		typed, was, ok := cursorIn(p.place, tree, kind, random)
		if !ok || !wanted(kind) {
			continue
		}
		m, err := momentAt(p, tree, tandem, typed, r.tokens)
		var refused *clones.Refusal
		if errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return err
		}
		m.root = dir
		if err := do(kind, was, m); err != nil {
			return err
		}
	}
	return nil
}

// momentAt is the place when a part of its run is typed.
func momentAt(p *drawn, tree *clones.Tree, tandem *clones.Tandem, typed string, tokens int) (*moment, error) {
	m := &moment{drawn: p, tree: tree}
	at := *p.place
	at.Text, at.Line, at.Column = p.place.Typed(typed)
	m.at = &at
	m.before = p.place.Before() + typed
	m.after = strings.TrimPrefix(at.Text, m.before)
	var err error
	m.window, err = tandem.Ask(clones.Request{ID: p.id(), File: at.Path, Line: at.Line, Column: at.Column, Budget: tokens, Purpose: "complete",
		Overlay: map[string]string{at.Path: at.Text}, Text: true})
	if err != nil {
		return nil, err
	}
	m.region = regionOf(m.window, m.before, m.after)
	m.budget = tokens - clones.Count(m.region.before) - clones.Count(m.region.after)
	return m, nil
}

// cursorIn draws a cursor in a line of a place's run: what of the run is typed then, and what
// is left of the line.
func cursorIn(p *clones.Place, tree *clones.Tree, kind string, random *rand.Rand) (typed, left string, ok bool) {
	type choice struct{ typed, left string }
	var all []choice
	lines := strings.Split(p.Run, "\n")
	upTo := p.Before() + p.Run
	from := len(upTo) - len(p.Run)
	code, names := strings.Split(clones.Code(p.Path, upTo)[from:], "\n"), clones.Names(p.Path, upTo, from)
	for i, line := range lines {
		indent := indentOf(line)
		if len(strings.TrimSpace(code[i])) < shortestLine {
			continue
		}
		above := strings.Join(lines[:i], "\n")
		if i > 0 {
			above += "\n"
		}
		name := foreign(names[i], p, above, tree)
		if (name != "") != (kind == needsFile) {
			continue
		}
		to := indent + (len(line)-indent)/2
		if name != "" {
			to = min(to, strings.Index(line, name))
		}
		start := indent
		if to > indent {
			start = max(indent, wordStart(line, indent+random.IntN(to-indent+1)))
		}
		if len(strings.TrimSpace(line[start:])) >= shortestLine {
			all = append(all, choice{above + line[:start], line[start:]})
		}
	}
	if len(all) == 0 {
		return "", "", false
	}
	c := all[random.IntN(len(all))]
	return c.typed, c.left, true
}

// foreign is the first of a line's names that the rest of the file does not show and another
// file of the tree does, "" for none.
func foreign(names []string, p *clones.Place, above string, tree *clones.Tree) string {
	here := map[string]bool{}
	clones.EachWord(p.Text+"\n"+above, func(w string) { here[w] = true })
	for _, w := range names {
		if len(w) >= shortestName && !here[w] && tree.Elsewhere(w, p.Path) {
			return w
		}
	}
	return ""
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// wordStart is the start of the word that a place of a line is in, or the place itself.
func wordStart(line string, at int) int {
	for at > 0 && at < len(line) && clones.WordByte(line[at]) && clones.WordByte(line[at-1]) {
		at--
	}
	return at
}
