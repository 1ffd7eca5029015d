package main

import (
	"regexp"
	"strings"

	"tandem/tools/bench/clones"
	"tandem/tools/bench/figures"
)

const (
	askBudget        = 16_000
	fewestWords      = 6
	mostMessageFiles = 4
)

var (
	noQuestion = regexp.MustCompile(`(?i)^(merge|bump|revert|release|prepare|version|update dependenc|chore\(deps|build\(deps|fix\(deps)|\bbump(s|ed)?\b|\brevert(s|ed)?\b`)
	pullNumber = regexp.MustCompile(`\s*\(#\d+\)\s*$`)
)

// question is a commit's message as something that a person could ask; ok is
// false for messages that say too little.
func question(h *clones.Change) (words string, ok bool) {
	words = pullNumber.ReplaceAllString(h.Message, "")
	return words, len(h.Files) >= 1 && len(h.Files) <= mostMessageFiles && len(strings.Fields(words)) >= fewestWords && !noQuestion.MatchString(words)
}

// askMessage asks a commit's message of the tree before it: which of its files are shown with
// a body, by tandem and by BM25?
func (v *visit) askMessage(t *clones.Tandem, g *clones.Tree, h *clones.Change, words string) error {
	w, err := v.window(t, clones.Request{ID: h.Hash, Purpose: "ask", Words: words, Budget: askBudget})
	if err != nil {
		return err
	}
	_, pieces := clones.Fill(clones.BM25(g, words, ""), askBudget)
	for _, name := range h.Files {
		f := g.ByPath[name]
		v.counts.add(messageFiles, figures.One(f != nil && clones.ShownBody(w, f)), 1)
		v.counts.add(messageBM25, figures.One(f != nil && clones.HeldBody(pieces, f)), 1)
	}
	return nil
}
