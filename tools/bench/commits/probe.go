package main

import (
	"os"
	"path/filepath"
	"strings"
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
func probe(t *tandem, g *goals, h *change, tabs []string, budgets []int, root string) (*probed, error) {
	p := g.place
	out := &probed{Commit: h.hash, author: h.author, at: h.at, Path: p.path, Line: p.line, Targets: g.names, Reachable: g.reachable.size(), Pairs: len(g.pairs),
		Region: map[int]int{}, Found: map[int]map[string]hits{}, Missed: map[int][]string{}, Waste: map[int]waste{}}
	ranked, near := bm25(g.tree, p.query(), p.path), openTabs(g.tree, tabs, p)
	for _, budget := range budgets {
		w, err := t.ask(request{ID: h.hash, File: p.path, Line: p.line, Column: p.column, Budget: budget, Purpose: "complete",
			Overlay: map[string]string{p.path: p.text}, Text: true})
		if err != nil {
			return nil, err
		}
		region := w.region()
		left := budget - region
		found := map[string]hits{}
		count := func(policy, prompt string) score {
			s := g.judge(prompt)
			found[policy] = hits{s.words.size(), s.pairs.size()}
			return s
		}
		bm25Text, _ := fill(ranked, left)
		tabsText, _ := fill(near, left)
		count(byBM25, bm25Text)
		count(byTabs, tabsText)
		count(byFile, p.text)
		count(byNames, namesAlone(g.tree, ranked, p, left))
		count(byOracle, oracle(g, left))
		mine := count(ours, w.Text)
		out.Region[budget], out.Found[budget] = region, found
		out.Waste[budget] = wasteOf(w, p, p.linesBelow(root))
		for i, name := range g.names {
			if !mine.words.has(i) {
				out.Missed[budget] = append(out.Missed[budget], name)
			}
		}
	}
	return out, nil
}

// linesBelow reads files as the prompt can show them.
func (p *place) linesBelow(root string) func(string) []string {
	known := map[string][]string{}
	return func(name string) []string {
		if _, ok := known[name]; !ok {
			known[name] = p.readLines(root, name)
		}
		return known[name]
	}
}

func (p *place) readLines(root, name string) []string {
	if name == p.path {
		return strings.Split(p.text, "\n")
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
