package main

import (
	"os"
	"path/filepath"
	"strings"

	"tandem/tools/bench/clones"
)

// The policies that every place is asked of.
const (
	ours        = "tandem"
	byBM25      = "BM25 chunks"
	byTabs      = "open tabs"
	byFile      = "whole file"
	byNames     = "list of names"
	byOracle    = "oracle"
	tabsCommits = 4 // whose files are open, besides those of the commit itself
)

var policies = []string{ours, byBM25, byTabs, byFile, byNames, byOracle}

// A probed place is what each policy showed of its goals.
type probed struct {
	Commit    string `json:"commit"`
	author    string
	at        int                     // in history
	Path      string                  `json:"path"`
	Line      int                     `json:"line"`
	Targets   []string                `json:"targets"`
	Reachable int                     `json:"reachable"`
	Pairs     int                     `json:"pairs"`
	Region    map[int]int             `json:"region_tokens"` // by budget
	Found     map[int]map[string]hits `json:"found"`         // by budget and policy
	Missed    map[int][]string        `json:"missed"`        // by tandem, by budget
	Waste     map[int]waste           `json:"waste"`
}

// hits are how many identifiers and pairs a policy showed.
type hits struct {
	Words int `json:"words"`
	Pairs int `json:"pairs"`
}

// probe asks every policy for one place. tabs are the files open, root is
// the work tree.
func probe(t *clones.Tandem, g *goals, h *clones.Change, tabs []string, budgets []int, root string) (*probed, error) {
	p := g.place
	out := &probed{Commit: h.Hash, author: h.Author, at: h.At, Path: p.Path, Line: p.Line, Targets: g.names, Reachable: g.reachable.size(), Pairs: len(g.pairs),
		Region: map[int]int{}, Found: map[int]map[string]hits{}, Missed: map[int][]string{}, Waste: map[int]waste{}}
	ranked, near := clones.BM25(g.tree, p.Query(), p.Path), clones.OpenTabs(g.tree, tabs, p)
	for _, budget := range budgets {
		w, err := t.Ask(clones.Request{ID: h.Hash, File: p.Path, Line: p.Line, Column: p.Column, Budget: budget, Purpose: "complete",
			Overlay: map[string]string{p.Path: p.Text}, Text: true})
		if err != nil {
			return nil, err
		}
		region := w.Region()
		left := budget - region
		found := map[string]hits{}
		count := func(policy, prompt string) score {
			s := g.judge(prompt)
			found[policy] = hits{s.words.size(), s.pairs.size()}
			return s
		}
		bm25Text, _ := clones.Fill(ranked, left)
		tabsText, _ := clones.Fill(near, left)
		count(byBM25, bm25Text)
		count(byTabs, tabsText)
		count(byFile, p.Text)
		count(byNames, namesAlone(g.tree, ranked, p, left))
		count(byOracle, oracle(g, left))
		mine := count(ours, w.Text)
		out.Region[budget], out.Found[budget] = region, found
		out.Waste[budget] = wasteOf(w, p, linesBelow(p, root))
		for i, name := range g.names {
			if !mine.words.has(i) {
				out.Missed[budget] = append(out.Missed[budget], name)
			}
		}
	}
	return out, nil
}

// linesBelow reads files as the prompt can show them.
func linesBelow(p *clones.Place, root string) func(string) []string {
	known := map[string][]string{}
	return func(name string) []string {
		if _, ok := known[name]; !ok {
			known[name] = readLines(p, root, name)
		}
		return known[name]
	}
}

func readLines(p *clones.Place, root, name string) []string {
	if name == p.Path {
		return strings.Split(p.Text, "\n")
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil // a name that is no file's: its lines are headings
	}
	return strings.Split(string(data), "\n")
}
