package main

import (
	"regexp"
	"strings"

	"tandem/tools/bench/clones"
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

// An asked message is which files of its commit a prompt showed with a body.
type askedMessage struct {
	Commit string `json:"commit"`
	Words  string `json:"words"`
	Files  int    `json:"files"`
	Ours   int    `json:"tandem"`
	BM25   int    `json:"bm25"`
}

// askMessage asks a commit's message of the tree before it.
func askMessage(t *clones.Tandem, g *clones.Tree, h *clones.Change, words string) (askedMessage, error) {
	out := askedMessage{Commit: h.Hash, Words: words, Files: len(h.Files)}
	_, pieces := clones.Fill(clones.BM25(g, words, ""), askBudget)
	for _, name := range h.Files {
		if f := g.ByPath[name]; f != nil && clones.HeldBody(pieces, f) {
			out.BM25++
		}
	}
	w, err := t.Ask(clones.Request{ID: h.Hash, Purpose: "ask", Words: words, Budget: askBudget, Text: true})
	if err != nil {
		return out, err
	}
	for _, name := range h.Files {
		if f := g.ByPath[name]; f != nil && clones.ShownBody(w, f) {
			out.Ours++
		}
	}
	return out, nil
}
